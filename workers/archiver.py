"""The archiver moves the logs of games that have been over for a time out of the store, into its archive.

It handles due games in rounds of bounded time. A log is verified before it is moved, as by ``plateau verify``, and
compared with the log of heads. A game that cannot be moved stays in the store, is logged and counted, and is tried
again in the next round, after all others. If the archive does not answer, the round ends.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from domain.game.timeouts import ENDLESS, Patience
from service.common.errors import NotFound
from service.common.observability import METRICS
from service.games.commit import stays
from service.games.repository import GameRepository
from service.games.store_audit import StoreAudit
from service.store.archive.buckets import ArchiveUnavailable
from service.store.archiving import Archive, MovedOut
from service.store.event_store import EventStore, LogDamaged, NotServed
from service.store.heartbeat import StoreClock
from service.store.reporting import alive

_log = logging.getLogger("plateau.worker")

ROUND_SECONDS = 5
"""A round starts no game after so many seconds."""
_PAUSE_SECONDS, _REST_SECONDS = 60.0, 1.0
"""How long the loop waits for due games, and how long it rests in any case."""
_HELD_MS = 120_000
"""The most ms for which a round locks the archive; its last game can take long if the archive is slow."""


class Archiver:
    """Archives the games of one store that have been over for more than ``after`` ms; ``now`` returns the time in ms.

    Forks stay in the store, and so do sandboxes that ``patience`` removes.
    """

    def __init__(
        self, store: EventStore, archive: Archive, now: Callable[[], int], after: int, patience: Patience = ENDLESS
    ) -> None:
        self._store, self._archive = store, archive
        self._audit = StoreAudit(store)
        self._clock = StoreClock(store.client)
        self._now = now
        self._after = after
        self._patience = patience
        self._stayed: set[str] = set()
        self._again = 0.0
        self.failures = 0
        """How often a due game was not archived."""

    def run(self) -> None:
        """Run one turn of its loop: a round, unless the last one had nothing to do and was a moment ago."""
        if time.monotonic() >= self._again:
            moved = None
            with suppress(ArchiveUnavailable):  # it is logged
                moved = self.round()
            self._again = 0.0 if moved else time.monotonic() + _PAUSE_SECONDS
        time.sleep(_REST_SECONDS)

    def round(self) -> int | None:
        """Move out due games, and return how many; None if another archiver holds the lock.

        Raise ``ArchiveUnavailable`` without the archive, or while a process of the service does not read from it, and
        ``StoreUnavailable`` without the store.
        """
        if not self._archive.hold(_HELD_MS):
            return None
        try:
            self._check_readers()
            return self._moved_out()
        except ArchiveUnavailable as error:
            self._failed(str(error))
            raise
        finally:
            self._archive.release()

    def _check_readers(self) -> None:
        """Check that all processes of the service can read what is moved out."""
        address = self._archive.address
        archives = alive(self._store.client, self._clock).archives
        without = sorted({kind for kind, archive in archives if archive != address})
        if without:
            raise ArchiveUnavailable(
                f"processes of the service do not read from {address}, and would refuse its games: "
                f"{', '.join(without)}; start them with the same PLATEAU_ARCHIVE, and repeat this half a minute later"
            )

    def _moved_out(self) -> int:
        moved, until = 0, time.monotonic() + ROUND_SECONDS
        for game_id in self._due():
            moved += self.move_out(game_id)
            if time.monotonic() > until:
                break
        return moved

    def _due(self) -> Iterator[str]:
        """Return the due games; those that could not be moved before come last, so they do not delay the others."""
        again = []
        for game_id in self._archive.due(self._now() - self._after):
            if game_id in self._stayed:
                again.append(game_id)
            else:
                yield game_id
        yield from again

    def move_out(self, game_id: str) -> bool:
        """Move out a game if it is over and its log is complete; return whether it was.

        Raise ``ArchiveUnavailable``.
        """
        try:
            if not self._goes(game_id):
                self._archive.forget(game_id)
                return False
            done = self._archive.move_out(game_id)
        except (NotServed, NotFound) as error:
            self._failed(f"{game_id} stays in the store: {error}")
            self._stayed.add(game_id)
            return False
        self._stayed.discard(game_id)
        if done.result == "out":
            self._count(done)
        return done.result == "out"

    def _goes(self, game_id: str) -> bool:
        """Return whether a game belongs in the archive; raise ``NotServed`` or ``NotFound`` for an incomplete log."""
        game = GameRepository(self._store).fresh(game_id)  # a repository without cached games
        report = self._audit.check(game_id)
        if report.fault is not None:
            raise LogDamaged(game_id, game.version, str(report.fault))
        return game.is_over and not stays(game, self._patience)

    def _count(self, done: MovedOut) -> None:
        METRICS.count("games_archived")
        METRICS.count("archived_bytes", "log", done.logged)
        METRICS.count("archived_bytes", "object", done.stored)

    def _failed(self, why: str) -> None:
        _log.error("not archived: %s", why)
        self.failures += 1
        METRICS.count("archive_failures")
