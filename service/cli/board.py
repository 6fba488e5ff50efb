"""The command ``plateau board``: show a game's board on the terminal, or save its picture to a file."""

import os
import sys
from collections.abc import Mapping
from typing import BinaryIO
from urllib.parse import urlsplit

import click

from domain.registry import RULESETS
from domain.serialization import Plain, from_plain
from service.cli.client import Refused, Service, Unreachable

_REFUSED, _UNREACHABLE = 1, 3


def _of_this_machine() -> str:
    """Return the address of a service that the same environment starts; an empty variable counts as unset."""
    return f"http://127.0.0.1:{os.environ.get('PLATEAU_PORT', '').strip() or 8000}"


def _check_url(_context: click.Context, _parameter: click.Parameter, url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        usable = False
    if not usable:
        raise click.BadParameter(f"{url!r} is not a valid address, such as http://127.0.0.1:8000")
    return url


def _check_token(_context: click.Context, _parameter: click.Parameter, token: str | None) -> str | None:
    if token is not None and not (token.strip().isascii() and token.strip().isprintable()):
        raise click.BadParameter("a token must be one line of ASCII, as returned by POST /v1/players")
    return token.strip() or None if token else None


@click.command()
@click.argument("game_id")
@click.option(
    "--url",
    envvar="PLATEAU_URL",
    show_envvar=True,
    default=_of_this_machine,
    show_default="http://127.0.0.1:8000, or the port in PLATEAU_PORT",
    callback=_check_url,
    metavar="ADDRESS",
    help="Address of the service.",
)
@click.option(
    "--token",
    envvar="PLATEAU_TOKEN",
    show_envvar=True,
    callback=_check_token,
    metavar="TOKEN",
    help="Your token; safer in the environment, because lists of processes do not show it.",
)
@click.option("--as", "viewer", metavar="SEAT", help="Look from this seat, or as 'spectator'.")
@click.option("--at", type=click.IntRange(min=1), metavar="VERSION", help="Look back to this version.")
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

    With a token, you look from your own seat. Without one, you look as a spectator, if the game is not private.

    Exit codes: 0 shown, 1 the service rejected the request, 2 wrong usage, 3 the service cannot be reached.
    """
    service = Service(url, token)
    try:
        if as_link:
            click.echo(service.link(game_id, viewer, at))
        elif picture is None:
            click.echo(_written(service.view(game_id, viewer, at)), nl=False)
        else:
            drawn = service.picture(game_id, viewer, at)
            picture.write(drawn)
    except Refused as refusal:
        click.echo(f"plateau: {refusal}", err=True)
        sys.exit(_REFUSED)
    except Unreachable as silence:
        click.echo(f"plateau: {silence}", err=True)
        sys.exit(_UNREACHABLE)


def _written(view: Mapping[str, Plain]) -> str:
    """Write a view as text: a title, and the ruleset's drawing."""
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
    eyes = "a spectator" if seat is None else f"seat {seat}"
    title = f"{game['id']} ({game['status']}) at version {view['version']}, as {eyes} sees it"
    people = ", ".join(f"{each['seat']} {_sitter(each)}" for each in game["seats"])
    return f"{title}\nSeats: {people}\n\n{ruleset.presentation.text(shown)}"


def _sitter(seat: Mapping[str, Plain]) -> str:
    """Write who holds a seat; a name stored before names were checked could hold characters that act on a terminal."""
    name, tag = seat.get("name"), seat.get("tag")
    if seat["bot"] is not None:
        return f"{seat['bot']} (bot)"
    if isinstance(name, str) and name.isprintable():
        return f"{name} ({tag})" if tag else name
    return "open" if seat["player"] is None else str(seat["player"])
