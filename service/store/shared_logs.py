"""Reading and writing the entries of logs that share events with others (``sharing``)."""

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

from domain.log.record import Record, Writer
from domain.log.secrets import Secrets
from service.store import sharing
from service.store.codec import canonical, entry_of, record_of, version_of
from service.store.kept_entries import KeptEntries
from service.store.redis.availability import LogDamaged
from service.store.sharing import Repeats, Shared

Found: TypeAlias = Sequence[Any]
"""Entries as the server sends them: the id of each, and its fields and their values in turn."""


class SharedLogs:
    """The shared parts of the logs of one store.

    ``read`` reads records of a game after a version, at most so many; ``beginning`` reads the first entries of a game,
    up to the one that stands for others, if there is one.
    """

    def __init__(self, read: Callable[[str, int, int], Sequence[Record]], beginning: Callable[[str], Found]) -> None:
        self._read = read
        self._beginning = beginning
        self._kept = KeptEntries()

    def spread(self, game_id: str, after: int, entries: Found, limit: int | None = None) -> Found:
        """Return the entries after a version, at most ``limit``, with those that one of them stands for in its place.

        Raise ``LogDamaged`` if these are not what they were.
        """
        is_shared = entries and sharing.is_shared(entries[0][1][1])
        if not entries or not (is_shared or version_of(entries[-1][0]) - after > len(entries)):
            return entries[:limit]
        number = next((number for number, (_, fields) in enumerate(entries) if sharing.is_shared(fields[1])), None)
        if number is None:
            return entries[:limit]
        last = version_of(entries[number][0])
        try:
            shared = self._entries(game_id, entries[number][1][1])
        except ValueError as error:
            raise LogDamaged(game_id, last, str(error)) from error
        first = max(after, last - len(shared)) + 1
        start = first - last - 1 + len(shared)
        part = shared[start : None if limit is None else start + limit]
        new = [[b"%d-0" % version, [b"e", entry]] for version, entry in enumerate(part, first)]
        return [*entries[:number], *new, *entries[number + 1 :]][:limit]

    def entries(self, records: Sequence[Record], repeats: Repeats) -> tuple[list[bytes], int, Iterable[str]]:
        """Return the entries of a new log, how many events the one after ``repeats.after`` is for, and what it shares.

        The last record is never shared, so where a log ends is always said by an entry of its own.
        """
        start = repeats.after
        shared = sharing.shared(records[start:-1], repeats, self._shared_by(repeats)) if records[start:-1] else None
        if shared is None:
            return [*map(entry_of, records)], 1, ()
        return (
            [*map(entry_of, records[:start]), sharing.packed(shared), entry_of(records[-1])],
            shared.events,
            sharing.spans(shared),
        )

    def _shared_by(self, repeats: Repeats) -> tuple[int, Shared] | None:
        """Return what the log that is repeated shares itself, and the version before it."""
        for entry_id, fields in self._beginning(repeats.game):
            if sharing.is_shared(fields[1]):
                shared = sharing.unpacked(fields[1])
                return version_of(entry_id) - shared.events, shared
        return None

    def _entries(self, game_id: str, entry: bytes) -> Sequence[bytes]:
        """Return the entries for which one stands."""
        one = sharing.unpacked(entry)
        name = f"{game_id} {one.hash}"
        kept = self._kept.find(name)
        if kept is not None:
            return kept
        own = takewhile(lambda each: not sharing.is_shared(each[1][1]), self._beginning(game_id))
        records = [record_of(game_id, entry_id, dict([fields])) for entry_id, fields in own]
        first, before = records[0], records[-1]
        logs = {game: self._read(game, start - 1, end - start + 1) for game, (start, end) in sharing.spans(one).items()}
        secrets = Secrets(game_id, bytes.fromhex(str(first.whole_data()["secret"])))
        writer = Writer(secrets, before.version, before.hash, canonical)
        repeated = writer.write_again(sharing.contents(one, logs), one.at, one.request)
        if repeated[-1].hash != one.hash:
            raise ValueError("what it shares of another log is not what it was")
        entries = [entry_of(record) for record in repeated]
        self._kept.keep(name, entries)
        return entries
