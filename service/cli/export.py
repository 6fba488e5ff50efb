"""The command ``plateau export``: save a whole game, as text, as what verifies it, or as a page that replays it."""

from typing import BinaryIO

import click

from domain.sentences.catalogue import ORIGINAL, languages
from service.cli.asking import asks_about_a_game, reporting
from service.cli.client import EXPORTS, Service
from service.cli.output import save


@click.command()
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
    """Export a game with everything you may see.

    The format `text` can be read back, `audit` has the log with the draws behind it, `bundle` has the same line by
    line, for `plateau verify`, and `html` is a page in one file, which replays the game and verifies it without a
    network.

    Exit codes: 0 saved, 1 the service rejected the request, 2 wrong usage, 3 the service cannot be reached.
    """
    with reporting():
        save(Service(url, token).export(game_id, viewer, form, language), saved)
