"""The games whose logs are in an archive: each has a pointer in place of its log, by which it is read and brought back.

A pointer is the head of the log as text: version, hash and time. The name of the object follows from it, and an object
never changes, so what was read once can be kept.
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import redis

from service.common.greenlets import in_thread
from service.common.metrics import METRICS
from service.store import keys
from service.store.archive.archive_format import name_of, unpacked
from service.store.archive.buckets import Place
from service.store.codec import Head, record_of
from service.store.kept_entries import KeptEntries
from service.store.redis.availability import LogDamaged, NotServed
from service.store.scripts import script


class ArchiveMissing(NotServed):
    """The log of a game is in an archive, and this process does not know which."""

    code = "archive-missing"
    detail = "the log of this game is in an archive that is not set up; the game is not served"

    def __init__(self, game_id: str, version: int) -> None:
        super().__init__(game_id, version, f"the log of {game_id} is in an archive: set PLATEAU_ARCHIVE to its address")


class ArchivedGames:
    """The archived games of one store; ``place`` is the archive, None if none is set up."""

    def __init__(self, client: redis.Redis, place: Place | None) -> None:
        self.place = place
        self._kept = KeptEntries()
        self._bring_back = script(client, __name__, "bring_back")

    def entries(self, head: Head) -> Sequence[bytes]:
        """Return the entries of the log of an archived game; raise ``NotServed`` or ``ArchiveUnavailable``."""
        name = name_of(head)
        kept = self._kept.find(name)
        if kept is not None:
            return kept
        return in_thread(partial(self._fetched, head, name))

    def _fetched(self, head: Head, name: str) -> Sequence[bytes]:
        if self.place is None:
            raise ArchiveMissing(head.game, head.version)
        began = time.perf_counter()
        data = self.place.get(name)
        if data is None:
            raise LogDamaged(head.game, head.version, f"its object {name} is not in the archive {self.place.address}")
        try:
            entries = unpacked(head, data)
            if record_of(head.game, b"%d-0" % head.version, {b"e": entries[-1]}).hash != head.hash:
                raise ValueError("it ends with another event than the pointer to it says")
        except ValueError as error:
            where = f"its object {name} in the archive {self.place.address}"
            raise LogDamaged(head.game, head.version, f"{where} is damaged: {error}") from error
        METRICS.time("archive_read", time.perf_counter() - began)
        self._kept.keep(name, entries)
        return entries

    def bring_back(self, head: Head, game: keys.GameKeys, now: int) -> bool:
        """Put the log of an archived game into the store again, where it is from ``now`` (ms) on for its whole time.

        Return False if another process has done so. The object stays, because backups can name it.
        """
        entries = self.entries(head)
        places = [game.events, game.shard.archived, game.shard.finished]
        is_back = bool(self._bring_back(keys=places, args=[head.game, pointer_to(head), now, *entries]) == b"back")
        if is_back:
            METRICS.count("games_brought_back")
        return is_back


def pairs(replies: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return the replies to commands that were sent two by two: of the log of each game, and of the pointer to it."""
    return [*zip(replies[::2], replies[1::2], strict=True)]


def pointer_to(head: Head) -> str:
    return f"{head.version} {head.hash} {head.at}"


def head_in(game_id: str, pointer: bytes) -> Head:
    version, last, at = pointer.decode().split(" ")
    return Head(game_id, int(version), last, at)
