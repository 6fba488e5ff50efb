"""Records of a log ⇄ the bytes of a stream entry, and answers to remember ⇄ the bytes kept for them.

An entry is one JSON object, readable with redis-cli; game id and version are its key and id.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from domain.log import Record
from domain.visibility import Hidden


def dump(value: Any) -> bytes:
    """Write plain data as compact JSON."""
    return orjson.dumps(value)


def entry_of(record: Record) -> bytes:
    """Write a record as a stream entry."""
    return orjson.dumps(
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


def record_of(game_id: str, entry_id: bytes, fields: Mapping[bytes, bytes]) -> Record:
    """Read a record from a stream entry."""
    entry = orjson.loads(fields[b"e"])
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
