"""The command ``plateau rerun``: make the moves of bots in a finished game again, and compare."""

import sys
from pathlib import Path
from typing import Any

import click
import orjson

from service.cli.asking import asks_about_a_game, reporting
from service.cli.client import Service
from service.cli.output import say
from workers.policy_process import PolicyProcess
from workers.repeating import NotRepeatable, Repeated, repeated

PATIENCE = 600.0
"""Seconds for a move: nobody waits for it, and this machine can be slower than the one that it was made on."""
NOT_REPEATABLE = 5
_USAGE, _DIFFERS = 2, 4


@click.command()
@asks_about_a_game
@click.argument("version", type=click.IntRange(min=1), required=False)
def rerun(game_id: str, version: int | None, url: str, token: str | None, viewer: str | None) -> None:
    """Recompute all bot moves of a finished game and compare them with the log.

    GAME_ID is the id of a game, or a file with its export in the format `audit`. VERSION is that of an event with
    which the move of a bot begins; without it, all moves of bots are recomputed. Each bot gets the same input as
    before: the view of its seat at that moment, its seed, and the number of playouts.

    Exit codes: 0 all moves are the same, 1 the service rejected the request, 2 wrong usage, 3 the service cannot be
    reached, 4 a move differs, 5 a move cannot be recomputed: the game is not over, the log does not verify, or the
    ruleset or that version of the bot is not installed.
    """
    with reporting():
        audit = audit_of(game_id, url, token, viewer)
    process = PolicyProcess(PATIENCE)
    found: list[Repeated] = []
    try:
        for move in repeated(audit, process, version):
            found.append(move)
            say(_line(move))
    except NotRepeatable as reason:
        say(f"plateau: {reason}", err=True)
        sys.exit(NOT_REPEATABLE)
    finally:
        process.stop()
    differ = [move for move in found if move.is_known and move.fault]
    unknown = [move for move in found if not move.is_known]
    say(f"moves made again: {len(found) - len(unknown)}, of which differ: {len(differ)}")
    if differ or unknown:
        sys.exit(_DIFFERS if differ else NOT_REPEATABLE)


def audit_of(game: str, url: str, token: str | None, viewer: str | None) -> Any:
    """Read the log of a game from a file, or else from the service."""
    if not Path(game).is_file():
        service = Service(url, token)
        try:
            return orjson.loads(service.export(game, viewer, "audit", ""))
        except ValueError:
            raise service.strange("something other than JSON") from None
    try:
        return orjson.loads(Path(game).read_bytes())
    except (OSError, ValueError):
        say(f"plateau: {game} is not JSON, or cannot be read", err=True)
        sys.exit(_USAGE)


def _line(move: Repeated) -> str:
    """Write a move: its version, its seat, its bot, what the bot chose now, and what differs."""
    searched = f", {move.by.thought.done} of {move.by.playouts} playouts" if move.by.playouts else ""
    chosen = "" if move.action is None else f" {orjson.dumps(move.action).decode()}"
    verdict = f" DIFFERS: {move.fault}" if move.is_known and move.fault else f" ({move.fault})" if move.fault else ""
    return f"{move.version:>5}  seat {move.seat + 1}  {move.by.name} {move.by.version}{searched}:{chosen}{verdict}"
