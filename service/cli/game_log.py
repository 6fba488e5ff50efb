"""The commands that print what happened in a game: ``plateau log``, and as a whole, ``plateau export``."""

from collections.abc import Mapping
from typing import BinaryIO

import click

from domain.sentences.catalogue import ORIGINAL, languages
from domain.serialization import Plain
from service.cli.asking import asks_about_a_game, reporting
from service.cli.client import EXPORTS, Service
from service.cli.output import Command, save, say


@click.command(cls=Command)
@asks_about_a_game
@click.option(
    "--lang", "language", type=click.Choice(languages()), default=ORIGINAL, show_default=True, help="The language."
)
@click.option("--since-my-last-move", "since", is_flag=True, help="Begin after the last move of your seat.")
def log(game_id: str, url: str, token: str | None, viewer: str | None, language: str, *, since: bool) -> None:
    """Print a game's events, as visible to you.

    With a token, you read it from your own seat; without one, as a spectator, if the game is not private.
    """
    with reporting():
        for event in Service(url, token).told(game_id, viewer, language, since=since):
            say(_line(event))


def _line(event: Mapping[str, Plain]) -> str:
    return f"{event['version']:>5}  {event['at'][:10]} {event['at'][11:19]}  {event['sentence']['text']}"


@click.command(cls=Command)
@asks_about_a_game
@click.option("--format", "form", type=click.Choice([*EXPORTS]), default="text", show_default=True, help="The format.")
@click.option(
    "--lang",
    "language",
    type=click.Choice(languages()),
    default=ORIGINAL,
    show_default=True,
    help="The language of the words in a page.",
)
@click.option(
    "--output",
    "saved",
    type=click.File("wb", lazy=True),
    default="-",
    metavar="FILE",
    help="Save the game to this file instead of printing it.",
)
def export(  # noqa: PLR0913, PLR0917 - one for each option
    game_id: str, url: str, token: str | None, viewer: str | None, form: str, language: str, saved: BinaryIO
) -> None:
    """Export a game with everything you are allowed to see.

    The format `text` can be read back, `audit` has the log with the draws behind it, `bundle` has the same line by
    line, for `plateau verify`, and `html` is a page in one file, which replays the game and verifies it without a
    network.
    """
    with reporting():
        save(Service(url, token).export(game_id, viewer, form, language), saved)
