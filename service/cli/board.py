"""The command ``plateau board``: show a game's board on the terminal, or save its picture to a file."""

from collections.abc import Mapping
from typing import BinaryIO

import click

from domain.registry import RULESETS
from domain.sentences.message import seat_number
from domain.serialization import Plain, from_plain
from service.cli.asking import asks_about_a_game, reporting
from service.cli.client import Refused, Service
from service.cli.output import Command, save, say, say_lines


@click.command(cls=Command)
@asks_about_a_game
@click.option("--at", type=click.IntRange(min=1), metavar="VERSION", help="Show this version.")
@click.option(
    "--svg",
    "picture",
    type=click.File("wb", lazy=True),
    metavar="FILE",
    help="Save the picture to this file instead (- for standard output).",
)
@click.option("--link", "as_link", is_flag=True, help="Print a link that shows your picture in a browser for a while.")
def board(  # noqa: PLR0913 - one for each option
    game_id: str,
    url: str,
    token: str | None,
    viewer: str | None,
    at: int | None,
    picture: BinaryIO | None,
    *,
    as_link: bool,
) -> None:
    """Show the board of a game, as you are allowed to see it.

    With a token, you view it from your own seat; without one, as a spectator, if the game is not private.
    """
    service = Service(url, token)
    with reporting():
        if as_link:
            say(service.link(game_id, viewer, at))
        elif picture is None:
            view = service.view(game_id, viewer, at)
            try:
                written = _written(view)
            except (LookupError, TypeError, ValueError) as error:
                raise service.strange("a view that is none of its ruleset") from error
            say_lines(written)
        else:
            save(service.picture(game_id, viewer, at), picture)


def _written(view: Mapping[str, Plain]) -> str:
    game, seat = view["game"], view["viewer"]["seat"]
    ruleset = RULESETS.get(game["ruleset"])
    if ruleset is None or game["rules_version"] != ruleset.version:
        rules = f"{game['ruleset']}, version {game['rules_version']} of its rules"
        raise Refused(f"this program cannot draw {rules}; --svg saves the service's own picture")
    if view["state"] is None:
        set_up = ruleset.setup(from_plain(ruleset.options.shape, game["options"]), len(game["seats"]))
        shown = ruleset.project(set_up, None)
    else:
        shown = from_plain(ruleset.view, view["state"])
    eyes = "a spectator" if seat is None else f"seat {seat_number(seat).value}"
    title = f"{game['id']} ({game['status']}) at version {view['version']}, as {eyes} sees it"
    people = ", ".join(f"{seat_number(each['seat']).value} {_sitter(each)}" for each in game["seats"])
    return f"{title}\nSeats: {people}\n\n{ruleset.presentation.text(shown)}"


def _sitter(seat: Mapping[str, Plain]) -> str:
    name, tag = seat.get("name"), seat.get("tag")
    if seat["bot"] is not None:
        return f"{seat['bot']} (bot)"
    if isinstance(name, str):
        return f"{name} ({tag})" if tag else name
    return "open" if seat["player"] is None else str(seat["player"])
