"""What the commands share that ask a running service about a game: their options, and how they end."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from service.cli.client import Refused, Unreachable
from service.cli.exit_codes import ExitCode
from service.cli.output import clean, fail

Command = TypeVar("Command", bound=Callable[..., Any])


def asks_about_a_game(command: Command) -> Command:
    """Give a command the game as its argument, and the options for the service, the token and the seat."""
    return click.argument("game_id")(asks_a_service(_SEAT(command)))


def asks_a_service(command: Command) -> Command:
    return _TOKEN(_URL(command))


@contextmanager
def reporting() -> Iterator[None]:
    """End the command with a line and an exit code if the service rejects the request, or does not answer."""
    try:
        yield
    except Refused as refusal:
        fail(ExitCode.REFUSED, clean(refusal))
    except Unreachable as silence:
        fail(ExitCode.UNREACHABLE, clean(silence))


def _of_this_machine() -> str:
    """Return the address of a service that the same environment starts; an empty variable counts as unset."""
    return f"http://127.0.0.1:{os.environ.get('PLATEAU_PORT', '').strip() or 8000}"


def checked_url(url: str) -> str:
    """Return the address of a service; raise click.BadParameter if it cannot be one."""
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


_URL = click.option(
    "--url",
    envvar="PLATEAU_URL",
    show_envvar=True,
    default=_of_this_machine,
    show_default="http://127.0.0.1:8000, or the port in PLATEAU_PORT",
    callback=lambda _context, _parameter, url: checked_url(url),
    metavar="ADDRESS",
    help="Address of the service.",
)
_TOKEN = click.option(
    "--token",
    envvar="PLATEAU_TOKEN",
    show_envvar=True,
    callback=_check_token,
    metavar="TOKEN",
    help="Your token; safer in the environment, because lists of processes do not show it.",
)
_SEAT = click.option("--as", "viewer", metavar="SEAT", help="View as this seat, or as 'spectator'.")
