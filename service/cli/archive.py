"""The command ``plateau archive``: what is in the archive of finished games; moving games there, and back."""

import os
import sys
import time
from contextlib import suppress

import click

from domain.game.durations import DAY
from service.cli.exit_codes import ExitCode
from service.cli.many import Progress
from service.cli.output import Group, clean, fail, say
from service.cli.store import games_here
from service.config.settings import Settings
from service.store.archiving import Archive
from service.store.event_store import EventStore, NotServed, StoreUnavailable
from service.store.heartbeat import StoreClock
from service.store.reporting import counted, report_counts
from service.store.waiting import archived
from workers.archiver import Archiver

_WAIT_SECONDS = 0.5


@click.group(cls=Group)
def archive() -> None:
    """Move the logs of finished games to the archive at PLATEAU_ARCHIVE, or bring one back.

    A dispatcher archives continuously. An archived game is shown, replayed, verified and exported as before.

    It needs a running service: the one at REDIS_URL, or else the one with its data in PLATEAU_DATA. Credentials of a
    bucket come from the environment, such as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL.
    """


@archive.command()
@click.option(
    "--days", type=click.IntRange(min=0), help="Instead of PLATEAU_ARCHIVE_AFTER_DAYS; 0: all games that are over."
)
def run(days: int | None) -> None:
    """Move the logs of all games that have been over for long enough to the archive, now.

    Each is written, read back and compared before it leaves the store, so this can be interrupted at any moment. A
    dispatcher can run at the same time.
    """
    store, progress = games_here(), Progress("games archived: {}")
    settings = Settings.from_environment(os.environ)
    after = (settings.archive_after_days if days is None else days) * DAY
    archiver = Archiver(store, _archive_of(store), StoreClock(store.client).now_ms, after, settings.patience)
    total = 0
    try:
        while moved := _round(archiver):
            total += moved
            progress.show(total)
    finally:
        with suppress(StoreUnavailable):
            report_counts(store.client)
    say(f"games archived: {total}")
    sys.exit(ExitCode.FAILED if archiver.failures else ExitCode.DONE)


@archive.command()
def status() -> None:
    """Print the place of the archive, the number of games in it, and of finished games still in the store."""
    store = games_here()
    found, counts = archived(store.client, store.all_shards), counted(store.client)
    stored, logged = (counts.get(("archived_bytes", kind), 0) for kind in ("object", "log"))
    say(f"archive: {store.archived.place.address if store.archived.place else 'none is set up'}")
    say(f"archived games: {found.archived}")
    say(f"finished games in the store: {found.finished}")
    say(f"moved so far: {counts.get(('games_archived', ''), 0)} games, {logged} bytes as {stored}")
    say(f"failures so far: {counts.get(('archive_failures', ''), 0)}")


@archive.command("bring-back")
@click.argument("game_id")
def bring_back(game_id: str) -> None:
    """Bring the log of an archived game back into the store.

    It is archived again when it is due. Its object stays in the archive, because backups can name it.
    """
    store = games_here()
    try:
        is_back = store.bring_back(game_id)
        is_there = is_back or bool(store.read(game_id, limit=1))
    except NotServed as error:
        fail(ExitCode.FAILED, clean(str(error)))
    if not is_there:
        fail(ExitCode.FAILED, f"there is no game {game_id}")
    say(f"{game_id}: back in the store" if is_back else f"{game_id}: in the store already")


def _round(archiver: Archiver) -> int:
    """Carry out a round, after those of others."""
    while (moved := archiver.round()) is None:
        time.sleep(_WAIT_SECONDS)
    return moved


def _archive_of(store: EventStore) -> Archive:
    if store.archived.place is None:
        fail(ExitCode.CONFIGURATION, "there is no archive; set PLATEAU_ARCHIVE to the address of one")
    return Archive(store, store.archived.place)
