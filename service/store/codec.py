"""Records of a log ⇄ the bytes of stream entries, and responses to remember ⇄ the bytes stored for them.

Game id and version of a record are the key and the id of its entry; the rest is in its one field. In a fork, one entry
of another form stands for many events (``sharing``).

===========  =======================================================================================================
bytes        what they hold
===========  =======================================================================================================
0            the form: 1
1 to 4       the CRC-32 of everything after them, because the chain does not cover all of a record
5 to 36      the hash
37 to 42     the time in ms since 1970
43 to 50     the request, if its name is 16 hex digits; else nothing but zeros
51 and on    the body: JSON, deflated with the dictionary beside this module (``compact.dictionary``)
at the end   the seals of the hidden parts, 32 bytes each, in the order in which the body has the parts
===========  =======================================================================================================

Numbers are big-endian. The body is a list: type, seat, data, the hidden parts by pointer (each with the seats that can
see it, and its value), what is public of the bot, and a request of any other name; what is null at the end is left out.

Entries stay for ever, and so does what reads them: from the first release on, neither the form nor its dictionary
changes. A better one is another form, with a number of its own.
"""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any

import orjson

from domain.log import chain
from domain.log.record import Record
from domain.log.redaction import Hidden

FORM = 1
HASH = slice(5, 37)
"""Where an entry has the hash; ``append.lua`` knows this, too."""

_AFTER_CRC = 5
_AT, _REQUEST, _BODY = slice(37, 43), slice(43, 51), 51
_OTHER_REQUEST = bytes(8)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_LONGEST_BODY = 6
_SEAL = 32
_KEPT = 8192
"""How many compressed bodies a process keeps: some 300 bytes each."""

_DICTIONARY = files("service.store").joinpath("compact.dictionary").read_bytes()
_WINDOW_BITS = -13
"""A raw stream, with a window of 8 KiB, large enough for the dictionary."""
_LEVEL, _MEMORY = 4, 5
_DEFLATE = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
_INFLATE = zlib.decompressobj(_WINDOW_BITS, _DICTIONARY)
"""Both have read only the dictionary; every entry begins with a copy."""


def entry_of(record: Record) -> bytes:
    """Write a record as a stream entry; raise ``ValueError`` for a time, hash or seal of another form."""
    sealed, hidden = record.sealed, record.hidden
    at, own_request = _packed_time(record.at), _bytes_of(record.request, 8)
    hashes = [found for each in (record.hash, *sealed.values()) if (found := _bytes_of(each, _SEAL)) is not None]
    if at is None or len(hashes) <= len(sealed) or [*sealed] != [*hidden]:
        raise ValueError(f"event {record.version} of {record.game_id} has a time, hash or seal of another form")
    last, *seals = hashes
    body = body_of(record, None if own_request else record.request)
    written = b"".join((last, at, own_request or _OTHER_REQUEST, _deflated(body), *seals))
    return b"%c%b%b" % (FORM, zlib.crc32(written).to_bytes(4), written)


def body_of(record: Record, request: str | None = None) -> bytes:
    """Write the body of an entry, before compression."""
    hidden = {pointer: [part.to, part.value] for pointer, part in record.hidden.items()}
    body = [record.type, record.seat, record.data, hidden or None, record.bot, request]
    while body[-1] is None:
        body.pop()
    return orjson.dumps(body)


def unpacked(game_id: str, version: int, entry: bytes) -> Record:
    """Read a compact entry; raise ``ValueError``, ``LookupError`` or ``TypeError`` if it is not as it was written."""
    if entry[1:_AFTER_CRC] != zlib.crc32(entry[_AFTER_CRC:]).to_bytes(4):
        raise ValueError("the entry does not match its checksum")
    inflate = _INFLATE.copy()
    try:
        body = orjson.loads(inflate.decompress(entry[_BODY:]))
    except zlib.error as error:
        raise ValueError("the entry is not compressed as it should be") from error
    kind, seat, data, hidden, bot, request = body + [None] * (_LONGEST_BODY - len(body))
    parts, seals = hidden or {}, inflate.unused_data.hex()
    if len(seals) != 2 * _SEAL * len(parts):
        raise ValueError("the entry does not have a seal for each hidden part")
    return Record(
        game_id=game_id,
        version=version,
        type=kind,
        at=_time_of(int.from_bytes(entry[_AT])),
        seat=seat,
        data=data,
        sealed={pointer: seals[64 * number : 64 * number + 64] for number, pointer in enumerate(parts)},
        hash=entry[HASH].hex(),
        hidden={pointer: Hidden(tuple(to), value) for pointer, (to, value) in parts.items()},
        request=entry[_REQUEST].hex() if request is None else request,
        bot=bot,
    )


@lru_cache(_KEPT)
def _deflated(body: bytes) -> bytes:
    """Compress a body, with a cache: three quarters of all bodies have been in other games, such as a played card."""
    deflate = _DEFLATE.copy()
    return deflate.compress(body) + deflate.flush()


@lru_cache(64)
def _packed_time(at: str) -> bytes | None:
    """Write a time in six bytes, with a cache: the events of a batch have the same time."""
    if not _TIME.fullmatch(at):
        return None
    try:
        return round(datetime.fromisoformat(at).timestamp() * 1000).to_bytes(6)
    except (ValueError, OverflowError):
        return None


@lru_cache(64)
def _time_of(ms: int) -> str:
    seconds, fraction = divmod(ms, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:-6]}.{fraction:03}Z"


def _bytes_of(digits: str, length: int) -> bytes | None:
    """Return so many bytes written as hex digits, None for any other text."""
    try:
        found = bytes.fromhex(digits)
    except ValueError:
        return None
    return found if len(found) == length and found.hex() == digits else None


def canonical(value: Any) -> bytes:
    """Write plain data in the canonical form of the chain, quickly."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return chain.canonical(value)


def record_of(game_id: str, entry_id: bytes, fields: Mapping[bytes, bytes]) -> Record:
    """Read a record from a stream entry; raise ``ValueError`` if it is damaged."""
    try:
        version, written = version_of(entry_id), fields[b"e"]
        if written[:1] != bytes((FORM,)):
            raise ValueError("the entry has a form that this release does not know")
        return unpacked(game_id, version, written)
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError("the entry lacks a field, or a field has another shape") from error


def version_of(entry_id: bytes) -> int:
    return int(entry_id.split(b"-")[0])


def version_in(last: Any) -> int:
    return version_of(last[0][0]) if last else 0


def marks_of(head: str) -> bytes:
    """Write the hash of a record as ``append.lua`` compares it: its hex digits, and then its bytes."""
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

    ``head`` is that of the game after the write; None if the write was not to a game, or was remembered without it.
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
