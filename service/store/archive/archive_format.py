"""The log of a game as one object of an archive: bytes that depend on the log alone.

The first line is a JSON object, which says what follows: the game, its version and head, and the length and the SHA-256
of the entries. The rest is one zstd frame with the entries as the store had them, each after its length in four bytes.
"""

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import orjson

from service.store.codec import Head

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FORMAT = "plateau-archive/1"
MOST_BYTES = 2**28
"""The most bytes that the entries of a log can have; an object that claims more is not read."""

_LEVEL = 12
_LENGTH = 4
_HASH_IN_NAME = 32


def name_of(head: Head) -> str:
    """Return the name of the object with the log of a game up to its head; objects are spread over folders."""
    return f"{head.game[-2:]}/{head.game}-{head.version}-{head.hash[:_HASH_IN_NAME]}.zst"


def packed(head: Head, entries: Sequence[bytes]) -> bytes:
    """Write the entries of a log, whose last one is its head, as an object."""
    content = b"".join(part for entry in entries for part in (len(entry).to_bytes(_LENGTH), entry))
    return _first_line(head, content) + b"\n" + zstd.compress(content, _LEVEL)


def unpacked(head: Head, data: bytes) -> list[bytes]:
    """Read the entries of a log from its object; raise ``ValueError`` if they are not those that were written."""
    line, _, frame = data.partition(b"\n")
    length = _length_in(line)
    try:
        content = zstd.ZstdDecompressor().decompress(frame, length + 1)
    except zstd.ZstdError as error:
        raise ValueError(f"it cannot be decompressed: {error}") from error
    if line != _first_line(head, content):
        raise ValueError("it is not what its first line says, or of another log")
    entries = [*_entries(content)]
    if len(entries) != head.version:
        raise ValueError(f"it has {len(entries)} entries, not {head.version}")
    return entries


def _first_line(head: Head, content: bytes) -> bytes:
    about = {"format": FORMAT, "game": head.game, "version": head.version, "head": head.hash, "at": head.at}
    return orjson.dumps({**about, "bytes": len(content), "sha256": sha256(content).hexdigest()})


def _length_in(line: bytes) -> int:
    try:
        about: dict[str, Any] = orjson.loads(line)
        form, length = about["format"], int(about["bytes"])
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError("its first line cannot be read") from error
    if form != FORMAT or not 0 <= length <= MOST_BYTES:
        raise ValueError(f"it has the format {form} and {length} bytes; this release reads {FORMAT}")
    return length


def _entries(content: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(content):
        begin = place + _LENGTH
        place = begin + int.from_bytes(content[place:begin])
        yield content[begin:place]
