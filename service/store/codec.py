"""Records of a log ⇄ the bytes of a stream entry, and responses to remember ⇄ the bytes stored for them.

Game id and version of a record are the key and the id of its entry; the rest is in its one field (``compact``). In a
fork, one entry of another form stands for many events (``sharing``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from domain.log import chain
from domain.log.record import Record
from service.store import compact

_COMPACT = bytes((compact.FORM,))


def canonical(value: Any) -> bytes:
    """Write plain data in the canonical form of the chain, quickly."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return chain.canonical(value)


entry_of = compact.packed
"""Write a record as a stream entry."""


def record_of(game_id: str, entry_id: bytes, fields: Mapping[bytes, bytes]) -> Record:
    """Read a record from a stream entry; raise ``ValueError`` if it is not as it was written."""
    try:
        version, written = version_of(entry_id), fields[b"e"]
        if written[:1] != _COMPACT:
            raise ValueError("the entry has a form that this release does not know")
        return compact.unpacked(game_id, version, written)
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError("the entry lacks a field, or a field has another shape") from error


def version_of(entry_id: bytes) -> int:
    return int(entry_id.split(b"-")[0])


def version_in(last: Any) -> int:
    return version_of(last[0][0]) if last else 0


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


def recalled(kept: bytes) -> tuple[str, Answer]:
    """Read back the fingerprint of a request and its response."""
    fingerprint, status, body = kept.split(b" ", 2)
    code, _, mark = status.decode().partition("@")
    return fingerprint.decode(), Answer(int(code), body, _head(mark) if mark else None)


def _head(mark: str) -> Head:
    game, version, last, at = mark.split("@")
    return Head(game, int(version), last, at)
