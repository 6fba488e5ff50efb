"""The files of a backup: lines of JSON, compressed, each file with its checksum.

``Folder`` is all that this package knows of the place where backups are; an archive would take its place here.
"""

import fcntl
import gzip
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson

ENDING = ".jsonl.gz"
KINDS = ("logs", "versions", "heads", "people", "answers", "service", "archived")
"""The kinds of parts. Only ``people`` and ``service`` have what is about persons."""
_NAME = re.compile(rf"\d{{8}}T\d{{6}}\.\d{{3}}Z\.({'|'.join(KINDS)}){re.escape(ENDING)}")
_UNFINISHED = ".partial"
_BLOCK = 2**20
_LEVEL = 6


class BackupError(Exception):
    """A backup cannot be made or used; the message names what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Part:
    """A finished file: its ``kind`` says what is in it, ``sha256`` (hex) is of its ``size`` bytes.

    It has so many ``lines``, which are ``unpacked`` bytes when they are not compressed.
    """

    name: str
    kind: str
    size: int
    sha256: str
    lines: int
    unpacked: int

    def __post_init__(self) -> None:
        """Check that the name is one that a backup gives, so that it leads nowhere else; raise ``ValueError``."""
        match = _NAME.fullmatch(self.name)
        if match is None or match[1] != self.kind:
            raise ValueError(f"{self.name!r} is not the name of a part of the kind {self.kind!r}")


class Folder:
    """A folder with backups; it and its files are for its owner alone."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder if necessary, and hold it alone; drop what an interrupted backup has left."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.path / "backup.lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BackupError(f"another backup into {self.path} is running; wait until it has ended") from None
            for left in self.path.glob(f"*{_UNFINISHED}"):
                left.unlink()
            yield

    def names(self, ending: str) -> list[str]:
        """List the files whose names have an ending, the oldest first."""
        return sorted(path.name for path in self.path.glob(f"*{ending}"))

    def read(self, name: str) -> BinaryIO:
        """Open a file; raise ``BackupError`` if that is not possible, or if it is a link or a device."""
        try:
            file = os.fdopen(os.open(self.path / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        except OSError as error:
            raise BackupError(f"{self.path / name} cannot be read: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.close()
            raise BackupError(f"{self.path / name} is not a regular file")
        return file

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """Open a new file, which gets its name only once it is whole and safe on the disk."""
        draft = self.path / f"{name}{_UNFINISHED}"
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        draft.replace(self.path / name)
        folder = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)


class _Counted:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = 0
        self.hash = sha256()

    def write(self, data: bytes) -> int:
        self.size += len(data)
        self.hash.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


class PartWriter:
    """Writes the lines of a part; ``part`` describes it once it is finished."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self.lines = 0
        self.unpacked = 0
        self.part: Part | None = None

    def write(self, line: object) -> None:
        self.unpacked += self._file.write(orjson.dumps(line) + b"\n")
        self.lines += 1


@contextmanager
def writing(folder: Folder, name: str, kind: str) -> Iterator[PartWriter]:
    with folder.writing(name) as file:
        counted = _Counted(file)
        with gzip.GzipFile("", "wb", _LEVEL, cast("BinaryIO", counted), mtime=0) as packed:
            writer = PartWriter(packed)
            yield writer
    writer.part = Part(name, kind, counted.size, counted.hash.hexdigest(), writer.lines, writer.unpacked)


def fault_of(folder: Folder, part: Part) -> str | None:
    size, found = 0, sha256()
    try:
        with folder.read(part.name) as file:
            while size <= part.size and (block := file.read(_BLOCK)):
                size += len(block)
                found.update(block)
    except (BackupError, OSError) as error:
        return str(error)
    where = folder.path / part.name
    if size != part.size:
        return f"{where} has {'more' if size > part.size else 'fewer'} than the {part.size} bytes that were written"
    return None if found.hexdigest() == part.sha256 else f"{where} was changed: its checksum is not the one written"


def lines_of(folder: Folder, part: Part) -> Iterator[Any]:
    """Read the lines of a part; raise ``BackupError`` if it is damaged, or unpacks to more than was written."""
    count, left = 0, part.unpacked
    try:
        with folder.read(part.name) as file, gzip.GzipFile(fileobj=file) as lines:
            while line := lines.readline(left + 1):
                count, left = count + 1, left - len(line)
                if left < 0:
                    raise BackupError(f"{folder.path / part.name} unpacks to more than {part.unpacked} bytes")
                yield orjson.loads(line)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise BackupError(f"{folder.path / part.name} is damaged at line {count + 1}: {error}") from error
    if count != part.lines:
        raise BackupError(f"{folder.path / part.name} has {count} lines, {part.lines} were written")
