"""Logs that share: a fork stores where its events are in other logs, in place of those that it repeats as they are.

One entry of its stream stands for many events: those that the fork repeats, but the last. It has the id of the last
event that it stands for. An event that is repeated as it is, is one of a run of versions of another log; what a fork
was told otherwise, such as cards that were drawn for it, is written out. Seals and hashes are not stored: they follow
from the secret of the fork, as when they were first made.

===========  =======================================================================================================
bytes        what they hold
===========  =======================================================================================================
0            the form: 2
1 to 4       the CRC-32 of everything after them
5 to 36      the hash of the last event that the entry stands for
37 and on    JSON, deflated: the time and the request of all events, how many there are, and their parts in order
===========  =======================================================================================================

A part is a run (game, first version, how many) or an event that is written out (type, seat, data, hidden parts).
"""

import threading
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Any, NamedTuple, TypeAlias

import orjson

from domain.log.record import Content, Record, Writer, repeated
from domain.log.redaction import Hidden
from domain.log.secrets import Secrets
from service.store.codec import canonical, entry_of, record_of, version_of
from service.store.redis.availability import LogDamaged

FORM = 2
_HASH = slice(5, 37)
_LEAST = 8
"""A log with fewer events to share than this is not worth reading: they are written out."""


class Run(NamedTuple):
    """Events that are repeated unchanged: so many ``events`` of a game, from the version ``first`` on."""

    game: str
    first: int
    events: int


Part = Run | Content


@dataclass(frozen=True, slots=True)
class Repeats:
    """The part of the log of ``game`` that a new log repeats: its records after the version ``after``.

    ``versions`` has, for each of these, its version in the other log; None if it is not there unchanged.
    """

    game: str
    after: int
    versions: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Shared:
    """The content of a shared entry: ``parts`` of so many ``events`` at one time, the last of which has a ``hash``."""

    at: str
    request: str
    hash: str
    events: int
    parts: Sequence[Part]


def is_shared(entry: bytes) -> bool:
    """Return whether an entry stands for events of other logs."""
    return entry[:1] == bytes((FORM,))


def shared(records: Sequence[Record], repeats: Repeats, of_other: tuple[int, Shared] | None) -> Shared | None:
    """Return the shared entry for records of which it is known what they repeat; None if it would save nothing.

    ``of_other`` is the shared entry of the other log, and the version before it. So a log always refers to the logs
    that have an event in their own stream, however often the event was repeated since.
    """
    places = [_place(repeats.game, version, of_other) for version in repeats.versions[: len(records)]]
    events_of = Counter(place[0] for place in places if place)
    parts = list[Part]()
    for record, place in zip(records, places, strict=True):
        if place is None or events_of[place[0]] < _LEAST:
            parts.append(repeated(record))
            continue
        game, version = place
        last = parts[-1] if parts else None
        if isinstance(last, Run) and (last.game, last.first + last.events) == (game, version):
            parts[-1] = last._replace(events=last.events + 1)
        else:
            parts.append(Run(game, version, 1))
    if not any(isinstance(part, Run) for part in parts):
        return None
    first, last_record = records[0], records[-1]
    return Shared(first.at, first.request, last_record.hash, len(records), parts)


def _place(game: str, version: int | None, of_other: tuple[int, Shared] | None) -> tuple[str, int] | None:
    """Return the game in whose stream an event is, and its version there; None if it must be written out."""
    if version is None:
        return None
    after, places = (of_other[0], _places(of_other[1])) if of_other else (0, [])
    return places[version - after - 1] if after < version <= after + len(places) else (game, version)


def _places(one: Shared) -> list[tuple[str, int] | None]:
    places = list[tuple[str, int] | None]()
    for part in one.parts:
        if isinstance(part, Run):
            places += zip([part.game] * part.events, count(part.first), strict=False)
        else:
            places.append(None)
    return places


def packed(one: Shared) -> bytes:
    """Write a shared entry."""
    parts = [list(part) if isinstance(part, Run) else _written(part) for part in one.parts]
    body = zlib.compress(orjson.dumps([one.at, one.request, one.events, parts]))
    covered = bytes.fromhex(one.hash) + body
    return b"%c%b%b" % (FORM, zlib.crc32(covered).to_bytes(4), covered)


def _written(content: Content) -> list[Any]:
    hidden = {pointer: [part.to, part.value] for pointer, part in content.hidden.items()}
    return [content.type, content.seat, content.data, hidden]


def unpacked(entry: bytes) -> Shared:
    """Read a shared entry; raise ``ValueError`` if it is damaged."""
    if entry[1:5] != zlib.crc32(entry[5:]).to_bytes(4):
        raise ValueError("the entry does not match its checksum")
    try:
        at, request, events, parts = orjson.loads(zlib.decompress(entry[37:]))
        return Shared(at, request, entry[_HASH].hex(), events, [_part(part) for part in parts])
    except (zlib.error, TypeError, LookupError, AttributeError) as error:
        raise ValueError("the entry lacks a field, or a field has another shape") from error


def _part(written: list[Any]) -> Part:
    if len(written) == len(Run._fields):
        return Run(*written)
    kind, seat, data, hidden = written
    return Content(kind, seat, data, {pointer: Hidden(tuple(to), value) for pointer, (to, value) in hidden.items()})


def spans(one: Shared) -> dict[str, tuple[int, int]]:
    """Return, for each game whose log is shared, the first and the last version that are needed."""
    found = dict[str, tuple[int, int]]()
    for part in one.parts:
        if isinstance(part, Run):
            first, last = found.get(part.game, (part.first, 0))
            found[part.game] = (min(first, part.first), max(last, part.first + part.events - 1))
    return found


def contents(one: Shared, logs: dict[str, Sequence[Record]]) -> Iterator[Content]:
    """Return the contents of the events; ``logs`` has the records of each game between its ``spans``.

    Raise ``ValueError`` if one of them is missing.
    """
    for part in one.parts:
        if isinstance(part, Run):
            log = logs[part.game]
            start = part.first - log[0].version if log else 0
            run = log[start : start + part.events]
            if len(run) < part.events:
                raise ValueError(f"it shares the log of {part.game}, which does not go up to what is shared")
            yield from map(repeated, run)
        else:
            yield part


def is_same(one: Record, other: Record) -> bool:
    """Return whether a record repeats that of another log unchanged."""
    return _form(one) == _form(other)


def _form(record: Record) -> tuple[str, int | None, bytes]:
    of = repeated(record)
    hidden = {pointer: [[*part.to], part.value] for pointer, part in of.hidden.items()}
    return of.type, of.seat, canonical([of.data, hidden])


Found: TypeAlias = Sequence[Any]
"""Entries as the server sends them: the id of each, and its fields and values alternately."""


class SharedLogs:
    """The shared parts of the logs of one store.

    ``read`` reads records of a game after a version, at most so many; ``beginning`` reads the first entries of a game,
    up to the shared one, if there is one.
    """

    def __init__(self, read: Callable[[str, int, int], Sequence[Record]], beginning: Callable[[str], Found]) -> None:
        self._read = read
        self._beginning = beginning
        self._kept = KeptEntries()

    def spread(self, game_id: str, after: int, entries: Found, limit: int | None = None) -> Found:
        """Return the entries after a version, at most ``limit``; those that the shared one stands for replace it.

        Raise ``LogDamaged`` if these have changed.
        """
        begins_shared = entries and is_shared(entries[0][1][1])
        if not entries or not (begins_shared or version_of(entries[-1][0]) - after > len(entries)):
            return entries[:limit]
        number = next((number for number, (_, fields) in enumerate(entries) if is_shared(fields[1])), None)
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
        """Return the entries of a new log, for how many events its shared one stands, and the games it shares.

        The last record is never shared, so a log always ends with an entry of its own.
        """
        start = repeats.after
        found = shared(records[start:-1], repeats, self._shared_by(repeats)) if records[start:-1] else None
        if found is None:
            return [*map(entry_of, records)], 1, ()
        return (
            [*map(entry_of, records[:start]), packed(found), entry_of(records[-1])],
            found.events,
            spans(found),
        )

    def _shared_by(self, repeats: Repeats) -> tuple[int, Shared] | None:
        """Return the shared entry of the repeated log, and the version before it."""
        for entry_id, fields in self._beginning(repeats.game):
            if is_shared(fields[1]):
                found = unpacked(fields[1])
                return version_of(entry_id) - found.events, found
        return None

    def _entries(self, game_id: str, entry: bytes) -> Sequence[bytes]:
        """Return the entries for which a shared one stands."""
        one = unpacked(entry)
        name = f"{game_id} {one.hash}"
        kept = self._kept.find(name)
        if kept is not None:
            return kept
        own = takewhile(lambda each: not is_shared(each[1][1]), self._beginning(game_id))
        records = [record_of(game_id, entry_id, dict([fields])) for entry_id, fields in own]
        first, before = records[0], records[-1]
        logs = {game: self._read(game, start - 1, end - start + 1) for game, (start, end) in spans(one).items()}
        secrets = Secrets(game_id, bytes.fromhex(str(first.whole_data()["secret"])))
        writer = Writer(secrets, before.version, before.hash, canonical)
        repeated = writer.write_again(contents(one, logs), one.at, one.request)
        if repeated[-1].hash != one.hash:
            raise ValueError("what it shares of another log is not what it was")
        entries = [entry_of(record) for record in repeated]
        self._kept.keep(name, entries)
        return entries


# -- a cache of entries -------------------------------------------------------------------------------------------
#
# Entries that a process has read from elsewhere and may read again, in bounded memory.


_MOST_BYTES = 8 * 2**20
"""How many bytes of entries are cached."""


class KeptEntries:
    """The entries of logs, or parts of logs, that were read last, by names under which nothing ever changes."""

    def __init__(self) -> None:
        self._logs: OrderedDict[str, Sequence[bytes]] = OrderedDict()
        self._bytes = 0
        self._turn = threading.Lock()

    def find(self, name: str) -> Sequence[bytes] | None:
        with self._turn:
            if name in self._logs:
                self._logs.move_to_end(name)
            return self._logs.get(name)

    def keep(self, name: str, entries: Sequence[bytes]) -> None:
        """Cache entries; if there are too many, the least recently used ones are dropped, but never these."""
        with self._turn:
            if name not in self._logs:
                self._logs[name] = entries
                self._bytes += sum(map(len, entries))
            while self._bytes > _MOST_BYTES and len(self._logs) > 1:
                _, oldest = self._logs.popitem(last=False)
                self._bytes -= sum(map(len, oldest))
