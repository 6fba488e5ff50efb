"""Records of a log ⇄ the bytes of a stream entry, and responses to remember ⇄ the bytes stored for them.

Game id and version of a record are the key and the id of its entry. An entry has one of two kinds:

*json*: one JSON object, which ends with the CRC-32 of everything before it, because the chain does not cover who can
see a hidden part, nor which request an event belongs to. Entries written before the checksum was introduced have none.
*compact*: bytes that begin with the number of their form (``service.store.compact``). A record that does not fit there
is written as json.

In a fork, one entry of another form stands for many events (``service.store.sharing``).

All are read for ever. A release that does not know what an event means must not go on with its game: it would break
the log. So events with such news have a ``form``, a field that releases before it refuse; they refuse compact entries,
too, whose first byte is no JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from zlib import crc32

import orjson

from domain.log import chain
from domain.log.record import Record
from domain.log.redaction import Hidden
from service.store import compact

_CRC = b',"crc":'
_COMPACT = bytes((compact.FORM,))
_FIELDS = 8
_FIRST_OF_JSON = 0x20
"""Bytes below this one begin entries of other forms."""
_FORM = 2
"""The latest form of events in JSON; those without the field are of the first one."""
_NEWS = frozenset({"deal_anchor", "opening", "seed_commitment"})
"""Fields of the data of events of the latest form."""


class Entries(StrEnum):
    """The kinds of entries; each store says in which of them its new ones are written."""

    JSON = "json"
    COMPACT = "compact"


def dump(value: Any) -> bytes:
    """Write plain data as compact JSON."""
    return orjson.dumps(value)


def canonical(value: Any) -> bytes:
    """Write plain data in the canonical form of the chain, quickly."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return chain.canonical(value)


def entry_of(record: Record, kind: Entries = Entries.COMPACT) -> bytes:
    """Write a record as a stream entry of a kind; one that does not fit into a compact entry is written as JSON."""
    written = compact.packed(record) if kind is Entries.COMPACT else None
    return json_of(record) if written is None else written


def json_of(record: Record) -> bytes:
    """Write a record as an entry that is a JSON object."""
    written = orjson.dumps(
        {
            "type": record.type,
            "at": record.at,
            "seat": record.seat,
            "data": record.data,
            "sealed": record.sealed,
            "hidden": {pointer: {"to": part.to, "value": part.value} for pointer, part in record.hidden.items()},
            "hash": record.hash,
            "request": record.request,
            **({} if record.bot is None else {"bot": record.bot}),
            **({} if _NEWS.isdisjoint(record.data) else {"form": _FORM}),
        }
    )
    return b"%b%b%d}" % (written[:-1], _CRC, crc32(written))


def record_of(game_id: str, entry_id: bytes, fields: Mapping[bytes, bytes]) -> Record:
    """Read a record from a stream entry; raise ``ValueError`` if it is not as it was written."""
    try:
        version, written = version_of(entry_id), fields[b"e"]
        if written[:1] == _COMPACT:
            return compact.unpacked(game_id, version, written)
        return _record(game_id, version, _parsed(written))
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError("the entry lacks a field, or a field has another shape") from error


def version_of(entry_id: bytes) -> int:
    """Return the version that the id of an entry says; an entry that stands for many events has that of the last."""
    return int(entry_id.split(b"-")[0])


def version_in(last: Any) -> int:
    """Return at which version a log is, of which the last entry was read, if there is one."""
    return version_of(last[0][0]) if last else 0


def _parsed(written: bytes) -> dict[str, Any]:
    if written and written[0] < _FIRST_OF_JSON:
        raise ValueError("the entry is of a later release")
    before, mark, crc = written.rpartition(_CRC)
    if mark and crc != b"%d}" % crc32(before + b"}"):
        raise ValueError("the entry does not match its checksum")
    entry: dict[str, Any] = orjson.loads(written)
    if entry.get("form", 1) not in (1, _FORM):
        raise ValueError("the entry is of a later release")
    if len(entry) != _FIELDS + bool(mark) + ("bot" in entry) + ("form" in entry):
        raise ValueError("the entry does not have the fields that it was written with")
    return entry


def _record(game_id: str, version: int, entry: Mapping[str, Any]) -> Record:
    return Record(
        game_id=game_id,
        version=version,
        type=entry["type"],
        at=entry["at"],
        seat=entry["seat"],
        data=entry["data"],
        sealed=entry["sealed"],
        hash=entry["hash"],
        hidden={pointer: Hidden(tuple(part["to"]), part["value"]) for pointer, part in entry["hidden"].items()},
        request=entry["request"],
        bot=entry.get("bot"),
    )


def marks_of(head: str) -> bytes:
    """Write the hash of a record as ``append.lua`` looks for it in an entry: its hex digits, and then its bytes."""
    try:
        return head.encode() + bytes.fromhex(head)
    except ValueError:
        return head.encode()


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a game's log at a version: its hash (hex), and its time (RFC 3339)."""

    game: str
    version: int
    hash: str
    at: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A response to a write, as it is sent and remembered: the exact bytes.

    ``head`` is that of the game after the write, None if it was not to a game or was remembered without it.
    """

    status: int
    body: bytes = field(repr=False)
    head: Head | None = None


def remembered(fingerprint: str, answer: Answer) -> bytes:
    """Write a response with the fingerprint of its request, and its head, to be stored under an idempotency key."""
    head = answer.head
    mark = "" if head is None else f"@{head.game}@{head.version}@{head.hash}@{head.at}"
    return f"{fingerprint} {answer.status}{mark} ".encode() + answer.body


def recalled(kept: bytes, head: bytes) -> tuple[str, Answer]:
    """Read back the fingerprint of a request and its response; earlier releases kept the head apart."""
    fingerprint, status, body = kept.split(b" ", 2)
    code, _, within = status.decode().partition("@")
    mark = head.decode() or within
    return fingerprint.decode(), Answer(int(code), body, _head(mark) if mark else None)


def _head(mark: str) -> Head:
    game, version, last, at = mark.split("@")
    return Head(game, int(version), last, at)
