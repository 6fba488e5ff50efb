"""The games whose logs are in an archive: each has a pointer in place of its log.

A pointer is the head of the log as text: version, hash and time. The name of the object follows from it, and an object
never changes, so what was read once can be cached.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import orjson
import redis

from service.common.greenlets import in_thread
from service.common.observability import METRICS
from service.store import keys
from service.store.archive.buckets import Place
from service.store.codec import Head, record_of
from service.store.redis.availability import LogDamaged, NotServed
from service.store.scripts import script
from service.store.sharing import KeptEntries


class ArchiveMissing(NotServed):
    """The log of a game is in an archive, and this process has no address of one."""

    code = "archive-missing"
    detail = "the log of this game is in an archive that is not set up; the game is not served"

    def __init__(self, game_id: str, version: int) -> None:
        super().__init__(game_id, version, f"the log of {game_id} is in an archive: set PLATEAU_ARCHIVE to its address")


class ArchivedGames:
    """The archived games of one store; ``place`` is the archive, None if none is set up."""

    def __init__(self, client: redis.Redis, place: Place | None) -> None:
        self.place = place
        self._kept = KeptEntries()
        self._bring_back = script(client, __name__, "bring_back")

    def entries(self, head: Head) -> Sequence[bytes]:
        """Return the entries of the log of an archived game; raise ``NotServed`` or ``ArchiveUnavailable``."""
        name = name_of(head)
        kept = self._kept.find(name)
        if kept is not None:
            return kept
        return in_thread(partial(self._fetched, head, name))

    def _fetched(self, head: Head, name: str) -> Sequence[bytes]:
        if self.place is None:
            raise ArchiveMissing(head.game, head.version)
        began = time.perf_counter()
        data = self.place.get(name)
        if data is None:
            raise LogDamaged(head.game, head.version, f"its object {name} is not in the archive {self.place.address}")
        try:
            entries = unpacked(head, data)
            if record_of(head.game, b"%d-0" % head.version, {b"e": entries[-1]}).hash != head.hash:
                raise ValueError("it ends with another event than the pointer to it says")
        except ValueError as error:
            where = f"its object {name} in the archive {self.place.address}"
            raise LogDamaged(head.game, head.version, f"{where} is damaged: {error}") from error
        METRICS.time("archive_read", time.perf_counter() - began)
        self._kept.keep(name, entries)
        return entries

    def bring_back(self, head: Head, game: keys.GameKeys, now: int) -> bool:
        """Put the log of an archived game into the store again; its time before archiving begins again at ``now`` (ms).

        Return False if another process has done so. The object stays, because backups can name it.
        """
        entries = self.entries(head)
        places = [game.events, game.shard.archived, game.shard.finished]
        is_back = bool(self._bring_back(keys=places, args=[head.game, pointer_to(head), now, *entries]) == b"back")
        if is_back:
            METRICS.count("games_brought_back")
        return is_back


def pairs(replies: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return the replies to commands that were sent in pairs: for the log of each game, and for the pointer to it."""
    return [*zip(replies[::2], replies[1::2], strict=True)]


def pointer_to(head: Head) -> str:
    return f"{head.version} {head.hash} {head.at}"


def head_in(game_id: str, pointer: bytes) -> Head:
    version, last, at = pointer.decode().split(" ")
    return Head(game_id, int(version), last, at)


# -- the log of a game as one object of an archive: bytes that depend on the log alone ----------------------------
#
# The first line is a JSON object that describes the rest: the game, its version and head, and the length and the
# SHA-256 of the entries. The rest is one zstd frame with the entries as the store had them, each after its length in
# four bytes.


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
