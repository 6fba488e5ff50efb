"""``plateau board``: a game's board on the terminal, or as a picture in a file."""

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


def _check_url(_context: click.Context, _parameter: click.Parameter, url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        usable = False
    if not usable:
        raise click.BadParameter(f"{url!r} is no address such as http://127.0.0.1:8000")
    return url


def _check_token(_context: click.Context, _parameter: click.Parameter, token: str | None) -> str | None:
    if token is not None and not (token.strip().isascii() and token.strip().isprintable()):
        raise click.BadParameter("a token is one line of ASCII, as POST /v1/players answers it")
    return token.strip() or None if token else None


@click.command()
@click.argument("game_id")
@click.option(
    "--url",
    default=lambda: f"http://127.0.0.1:{os.environ.get('PLATEAU_PORT', '8000')}",
    show_default="http://127.0.0.1:8000, or the port that PLATEAU_PORT says",
    callback=_check_url,
    metavar="ADDRESS",
    help="Where the service is.",
)
@click.option(
    "--token",
    envvar="PLATEAU_TOKEN",
    show_envvar=True,
    callback=_check_token,
    metavar="TOKEN",
    help="Your token; best given in the environment, where no list of processes shows it.",
)
@click.option("--as", "viewer", metavar="SEAT", help="Look from this seat, or as 'spectator'.")
@click.option("--at", type=click.IntRange(min=1), metavar="VERSION", help="Look back to this version.")
@click.option(
    "--svg",
    "picture",
    type=click.File("wb", lazy=True),
    metavar="FILE",
    help="Save the picture there instead (- for standard output).",
)
def board(
    game_id: str, url: str, token: str | None, viewer: str | None, at: int | None, picture: BinaryIO | None
) -> None:
    """Show the board of a game, as far as you may see it.

    With a token you look from your own seat, without one as a spectator of a game that is not private.

    Exit codes: 0 shown, 1 the service refused it, 2 wrong usage, 3 the service is out of reach.
    """
    service = Service(url, token)
    try:
        if picture is None:
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
    """Write a view as text: which it is, and the ruleset's drawing of it."""
    game, seat = view["game"], view["viewer"]["seat"]
    ruleset = RULESETS.get(game["ruleset"])
    if ruleset is None or game["rules_version"] != ruleset.version:
        rules = f"{game['ruleset']}, version {game['rules_version']} of its rules"
        raise Refused(f"this program cannot draw {rules}; --svg saves the service's own picture")
    if view["state"] is None:
        set_up = ruleset.setup(from_plain(ruleset.options.shape, game["options"]), len(game["seats"]))
        state = ruleset.project(set_up, None)
    else:
        state = from_plain(ruleset.view, view["state"])
    eyes = "a spectator" if seat is None else f"seat {seat}"
    title = f"{game['id']} ({game['status']}) at version {view['version']}, as {eyes} sees it"
    return f"{title}\n\n{ruleset.presentation.text(state)}"
