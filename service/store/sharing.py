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

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import orjson

from domain.log.record import Content, Record, repeated
from domain.log.redaction import Hidden
from service.store.codec import canonical

FORM = 2
_HASH = slice(5, 37)
_LEAST = 8
"""A log that has fewer events to share than this is not read for them: they are written out."""


class Run(NamedTuple):
    """Events that are repeated as they are: so many ``events`` of a game, from the version ``first`` on."""

    game: str
    first: int
    events: int


Part = Run | Content


@dataclass(frozen=True, slots=True)
class Repeats:
    """What a new log repeats of the log of ``game``: its records after the version ``after``.

    ``versions`` has for each of these where it is in the other log, None if it is not there as it is.
    """

    game: str
    after: int
    versions: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Shared:
    """What an entry stands for: ``parts`` of so many ``events`` at one time, the last of which has a ``hash``."""

    at: str
    request: str
    hash: str
    events: int
    parts: Sequence[Part]


def is_shared(entry: bytes) -> bool:
    """Return whether an entry stands for events of other logs."""
    return entry[:1] == bytes((FORM,))


def shared(records: Sequence[Record], repeats: Repeats, of_other: tuple[int, Shared] | None) -> Shared | None:
    """Return what stands for records, of which it is known what they repeat; None if nothing is saved by it.

    ``of_other`` is what the other log shares itself, after a version. So a log always refers to those that have an
    event in their own stream, however often it was repeated since.
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
    """Return in the stream of which game an event is, and at which version; None if it must be written out."""
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
    """Write what stands for events as an entry."""
    parts = [list(part) if isinstance(part, Run) else _written(part) for part in one.parts]
    body = zlib.compress(orjson.dumps([one.at, one.request, one.events, parts]))
    covered = bytes.fromhex(one.hash) + body
    return b"%c%b%b" % (FORM, zlib.crc32(covered).to_bytes(4), covered)


def _written(content: Content) -> list[Any]:
    hidden = {pointer: [part.to, part.value] for pointer, part in content.hidden.items()}
    return [content.type, content.seat, content.data, hidden]


def unpacked(entry: bytes) -> Shared:
    """Read what an entry stands for; raise ``ValueError`` if it is not as it was written."""
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
    """Return for each game whose log is shared its first and its last version that are needed."""
    found = dict[str, tuple[int, int]]()
    for part in one.parts:
        if isinstance(part, Run):
            first, last = found.get(part.game, (part.first, 0))
            found[part.game] = (min(first, part.first), max(last, part.first + part.events - 1))
    return found


def contents(one: Shared, logs: dict[str, Sequence[Record]]) -> Iterator[Content]:
    """Return what the events say; ``logs`` has the records of each game between its ``spans``.

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
    """Return whether a record is that of another log, repeated as it is."""
    return _form(one) == _form(other)


def _form(record: Record) -> tuple[str, int | None, bytes]:
    of = repeated(record)
    hidden = {pointer: [[*part.to], part.value] for pointer, part in of.hidden.items()}
    return of.type, of.seat, canonical([of.data, hidden])
