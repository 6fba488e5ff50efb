"""The command ``plateau log``: print what happened in a game, a sentence a line."""

from collections.abc import Mapping

import click

from domain.sentences.catalogue import ORIGINAL, languages
from domain.serialization import Plain
from service.cli.asking import asks_about_a_game, reporting
from service.cli.client import Service
from service.cli.output import say


@click.command()
@asks_about_a_game
@click.option(
    "--lang", "language", type=click.Choice(languages()), default=ORIGINAL, show_default=True, help="In this language."
)
@click.option("--since-my-last-move", "since", is_flag=True, help="Begin after the last move of your seat.")
def log(game_id: str, url: str, token: str | None, viewer: str | None, language: str, *, since: bool) -> None:
    """Print a game's events, as visible to you.

    With a token, you read from your own seat. Without one, you read as a spectator, if the game is not private.

    Exit codes: 0 printed, 1 the service rejected the request, 2 wrong usage, 3 the service cannot be reached.
    """
    with reporting():
        for event in Service(url, token).told(game_id, viewer, language, since=since):
            say(_line(event))


def _line(event: Mapping[str, Plain]) -> str:
    """Write an event: its version, its time to the second, and its sentence."""
    return f"{event['version']:>5}  {event['at'][:10]} {event['at'][11:19]}  {event['sentence']['text']}"
