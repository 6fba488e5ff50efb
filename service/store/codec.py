"""Records of a log ⇄ the bytes of a stream entry, and answers to remember ⇄ the bytes kept for them.

An entry is one JSON object, readable with redis-cli; game id and version are its key and id. It ends with the CRC-32 of
all that stands before: the chain does not cover who may see a hidden part, nor which request an event belongs to.
Entries written before there was one have none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import orjson

from domain.log import chain
from domain.log.record import Record
from domain.log.redaction import Hidden

_CRC = b',"crc":'
_FIELDS = 8


def dump(value: Any) -> bytes:
    """Write plain data as compact JSON."""
    return orjson.dumps(value)


def canonical(value: Any) -> bytes:
    """Write plain data in the canonical form of the chain, quickly; what comes out otherwise does not match a hash."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return chain.canonical(value)


def entry_of(record: Record) -> bytes:
    """Write a record as a stream entry."""
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
        }
    )
    return b"%b%b%d}" % (written[:-1], _CRC, crc32(written))


def record_of(game_id: str, entry_id: bytes, fields: Mapping[bytes, bytes]) -> Record:
    """Read a record from a stream entry; raises ``ValueError`` for one that is not as it was written."""
    try:
        return _record(game_id, entry_id, _parsed(fields[b"e"]))
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError("the entry lacks a part, or a part has another shape") from error


def _parsed(written: bytes) -> dict[str, Any]:
    before, mark, crc = written.rpartition(_CRC)
    if mark and crc != b"%d}" % crc32(before + b"}"):
        raise ValueError("the entry does not match its checksum")
    entry: dict[str, Any] = orjson.loads(written)
    if len(entry) != _FIELDS + bool(mark):
        raise ValueError("the entry has other fields than it was written with")
    return entry


def _record(game_id: str, entry_id: bytes, entry: Mapping[str, Any]) -> Record:
    return Record(
        game_id=game_id,
        version=int(entry_id.split(b"-")[0]),
        type=entry["type"],
        at=entry["at"],
        seat=entry["seat"],
        data=entry["data"],
        sealed=entry["sealed"],
        hash=entry["hash"],
        hidden={pointer: Hidden(tuple(part["to"]), part["value"]) for pointer, part in entry["hidden"].items()},
        request=entry["request"],
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a write as it is sent, and as it is remembered: the exact bytes."""

    status: int
    body: bytes = field(repr=False)


def remembered(fingerprint: str, answer: Answer) -> bytes:
    """Write an answer, and what it answered, to be kept under an idempotency key."""
    return f"{fingerprint} {answer.status} ".encode() + answer.body


def recalled(kept: bytes) -> tuple[str, Answer]:
    """Read back the fingerprint of a request and the answer it got."""
    fingerprint, status, body = kept.split(b" ", 2)
    return fingerprint.decode(), Answer(int(status), body)
