"""The command ``plateau entries``: how the store of a service keeps events, and what it keeps of a game."""

import sys

import click

from service.cli.hosting import STORE, games_here
from service.cli.output import save, say
from service.cli.workers import fail
from service.store.codec import Entries, json_of
from service.store.event_store import LogDamaged, StoreUnavailable


@click.group()
def entries() -> None:
    """Print the log of a game as it is stored, or say in which kind of entries events are written.

    It needs a running service: the one at REDIS_URL, or else the one with its data in PLATEAU_DATA.

    Exit codes: 0 done, 1 there is no such game or its log is damaged, 2 configuration, 3 the store cannot be reached.
    """


@entries.command()
@click.argument("game_id")
def show(game_id: str) -> None:
    """Print the log of a game, a JSON object a line, whatever kind of entry each event is in.

    The lines have all secrets of the game, also while it goes on: what every player holds, and what is still to come.
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
        save(json_of(record) + b"\n", sys.stdout.buffer)


@entries.command()
@click.argument("wanted", type=click.Choice([each.value for each in Entries]), required=False)
def kind(wanted: str | None) -> None:
    """Say in which kind of entries events are written, or change it.

    A compact entry takes a third of the memory of one in JSON. A release that knows only JSON refuses games with a
    compact entry, so replace all processes before you change to it. A change takes effect in each process when it next
    starts. All entries stay as they are, and are read for ever.
    """
    try:
        store = games_here()
        if wanted is not None:
            store.write_entries(Entries(wanted))
        say(store.entries())
    except StoreUnavailable as error:
        fail(STORE, str(error))
