"""The command ``plateau entries``: what the store of a service keeps of a game."""

import sys

import click

from service.cli.hosting import STORE, games_here
from service.cli.output import save
from service.cli.workers import fail
from service.store.codec import dump
from service.store.event_store import LogDamaged, StoreUnavailable


@click.command()
@click.argument("game_id")
def entries(game_id: str) -> None:
    """Print the log of a game as it is stored: a JSON object a line.

    The lines have all secrets of the game, also while it is played: what every player holds, and what is still to come.
    It needs a running service: the one at REDIS_URL, or else the one with its data in PLATEAU_DATA.

    Exit codes: 0 done, 1 there is no such game or its log is damaged, 2 configuration, 3 the store cannot be reached.
    """
    try:
        log = games_here().read(game_id)
    except LogDamaged as error:
        fail(1, str(error))
    except StoreUnavailable as error:
        fail(STORE, str(error))
    if not log:
        fail(1, f"there is no game {game_id}")
    for record in log:
        save(dump(record) + b"\n", sys.stdout.buffer)
