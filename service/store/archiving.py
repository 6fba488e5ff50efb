"""Moving the logs of finished games out of the store, into its archive.

A log is written as an object, read back, and compared with the log in the store. Only then is it deleted, in one atomic
step that also leaves the pointer, and only if the game has no new events. So if a process is killed, the whole log is
still in the store, and at most there is also an object, which the next attempt reuses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from service.store import keys
from service.store.archive.archived_games import name_of, packed, pointer_to, unpacked
from service.store.archive.buckets import ArchiveUnavailable, Place
from service.store.codec import Head, record_of
from service.store.event_store import EventStore
from service.store.game_index import compressed_summary, plain_summary
from service.store.redis.availability import LogDamaged
from service.store.scripts import script

_PAGE = 1000
Result = Literal["out", "moved", "asked", "gone"]
"""The result for a game: archived; it has new events; a worker must answer a question about it; it does not exist."""


@dataclass(frozen=True, slots=True)
class MovedOut:
    """The result for a game, and the bytes of its entries and of its object."""

    result: Result
    logged: int = 0
    stored: int = 0


class Archive:
    def __init__(self, store: EventStore, place: Place) -> None:
        self._store, self._place = store, place
        self._redis = store.client
        self._move_out = script(self._redis, __name__, "move_out")

    @property
    def address(self) -> str:
        return self._place.address

    def hold(self, ms: int) -> bool:
        """Lock the archive for some time, so that two processes do not move the same games, which would be harmless."""
        return bool(self._redis.set(keys.ARCHIVING, "1", nx=True, px=ms))

    def release(self) -> None:
        self._redis.delete(keys.ARCHIVING)

    def due(self, before: int) -> Iterator[str]:
        """Return the games that were over before a time in ms: some of each shard, the oldest first."""
        for shard in self._store.all_shards:
            found = self._redis.zrangebyscore(shard.finished, "-inf", f"({before}", 0, _PAGE)
            games = [game.decode() for game in cast("list[bytes]", found)]
            pipe = self._redis.pipeline(transaction=False)
            for game in games:
                pipe.exists(keys.GameKeys(game, shard).events)
            are_here = dict(zip(games, pipe.execute(), strict=True))
            for game, is_here in are_here.items():
                if is_here:
                    yield game
                else:
                    self.forget(game)

    def forget(self, game_id: str) -> None:
        """Remove a game from the finished ones: its log is in the archive already, or it continues."""
        self._redis.zrem(self._store.shard(game_id).finished, game_id)

    def move_out(self, game_id: str) -> MovedOut:
        """Move the log of a finished game out of the store.

        Raise ``LogDamaged`` if it is not as it was written, and ``StoreUnavailable`` without store or archive.
        """
        shard = self._store.shard(game_id)
        game = keys.GameKeys(game_id, shard)
        found = cast("list[tuple[bytes, dict[bytes, bytes]]]", self._redis.xrange(game.events))
        if not found:
            return MovedOut("gone")
        head, entries = _log_of(game_id, found)
        stored = self._kept(head, entries)
        summary = cast("bytes | None", self._redis.hget(shard.summaries, game_id)) or b""
        result = self._move_out(
            keys=[game.events, shard.archived, shard.finished, game.questions, shard.summaries],
            args=[
                game_id,
                head.version,
                entries[-1],
                pointer_to(head),
                summary,
                compressed_summary(plain_summary(summary)),
            ],
        )
        return MovedOut(cast("Result", result.decode()), sum(map(len, entries)), stored)

    def _kept(self, head: Head, entries: Sequence[bytes]) -> int:
        """Store a log in the archive, and read it back; return how many bytes its object has.

        An object that exists already, such as from an interrupted attempt, is not written again.
        """
        name = name_of(head)
        data = self._place.get(name)
        if data is None or not _is_of(head, data, entries):
            self._place.put(name, packed(head, entries))
            data = self._place.get(name)
        if data is None or not _is_of(head, data, entries):
            raise ArchiveUnavailable(f"the archive {self.address} does not return {name} as it was written")
        return len(data)


def _log_of(game_id: str, found: Sequence[tuple[bytes, dict[bytes, Any]]]) -> tuple[Head, list[bytes]]:
    """Return the head and the entries of a log in the store; raise ``LogDamaged`` if it is not one."""
    entries: list[bytes] = []
    for version, (entry_id, fields) in enumerate(found, 1):
        if entry_id != b"%d-0" % version or [*fields] != [b"e"]:
            raise LogDamaged(game_id, version, f"it is missing, entry {entry_id.decode()} is in its place")
        entries.append(fields[b"e"])
    try:
        last = record_of(game_id, *found[-1])
    except ValueError as error:
        raise LogDamaged(game_id, len(found), str(error)) from error
    return Head(game_id, last.version, last.hash, last.at), entries


def _is_of(head: Head, data: bytes, entries: Sequence[bytes]) -> bool:
    try:
        return unpacked(head, data) == entries
    except ValueError:
        return False
