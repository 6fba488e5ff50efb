"""Places for the objects of an archive, each with an address: a folder, or a bucket of an object store.

A folder needs no library. Buckets (s3://, gs://, az://) need obstore, of the extra ``archive``, which is imported only
then. Its credentials come from the environment, as for the tools of each provider; so does the account of az://.
"""

import os
import secrets
from collections.abc import Callable
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from service.store.redis.availability import StoreUnavailable

T = TypeVar("T")

BUCKETS = ("s3", "gs", "az")
"""The schemes of the addresses of buckets."""

_RETRIES: Any = {"max_retries": 2, "retry_timeout": timedelta(seconds=10)}
_TIMEOUTS: Any = {"timeout": timedelta(seconds=10), "connect_timeout": timedelta(seconds=3)}


class ArchiveUnavailable(StoreUnavailable):
    """The archive cannot be reached now, or rejects what the service needs; the message says which."""


class Place(Protocol):
    """Stores objects by name; a name has the form of a relative path."""

    address: str
    """The address of the place, without credentials."""

    def put(self, name: str, data: bytes) -> None:
        """Store an object, replacing one of that name; it is durable once this returns.

        Raise ``ArchiveUnavailable``.
        """

    def get(self, name: str) -> bytes | None:
        """Read an object, None if there is none of that name; raise ``ArchiveUnavailable``."""

    def size(self, name: str) -> int | None:
        """Return how many bytes an object has, None if there is none of that name; raise ``ArchiveUnavailable``."""


class Folder:
    """A folder, which must exist: a missing one can be a disk that is not mounted.

    Only the owner can read its files.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.address = path.as_uri()

    def put(self, name: str, data: bytes) -> None:
        """Write a file, which gets its name only once it is complete and synced to the disk."""
        path = self._path / name
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
            for folder in (path.parent, self._path):
                _sync(folder)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise _unavailable(self.address, error) from error

    def get(self, name: str) -> bytes | None:
        return self._read(name, Path.read_bytes)

    def size(self, name: str) -> int | None:
        return self._read(name, lambda path: path.stat().st_size)

    def _read(self, name: str, read: Callable[[Path], T]) -> T | None:
        try:
            return read(self._path / name)
        except FileNotFoundError:
            self.check()
            return None
        except OSError as error:
            raise _unavailable(self.address, error) from error

    def check(self) -> None:
        """Raise ``ArchiveUnavailable`` if there is no such folder."""
        if not self._path.is_dir():
            raise ArchiveUnavailable(
                f"the archive {self.address} cannot be used: there is no such folder; mount or make it"
            )


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Bucket:
    """A bucket of an object store, or the part of it under the path of the address."""

    def __init__(self, address: str) -> None:
        from obstore.exceptions import BaseError, NotFoundError  # noqa: PLC0415 - only here; a folder needs no library
        from obstore.store import from_url  # noqa: PLC0415

        self.address = address
        self._failed, self._not_found = BaseError, NotFoundError
        try:
            self._bucket: Any = from_url(address, client_options=_client_options(), retry_config=_RETRIES)
        except (BaseError, ValueError) as error:
            raise _unavailable(address, error) from error

    def put(self, name: str, data: bytes) -> None:
        """Write an object in one request, after which the store has all of it or nothing."""
        try:
            self._bucket.put(name, data, use_multipart=False)
        except self._failed as error:
            raise _unavailable(self.address, error) from error

    def get(self, name: str) -> bytes | None:
        return self._read(lambda: bytes(self._bucket.get(name).bytes()))

    def size(self, name: str) -> int | None:
        """Ask for the size of an object, and read nothing of it."""
        return self._read(lambda: int(self._bucket.head(name)["size"]))

    def _read(self, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except (self._not_found, FileNotFoundError):
            return None
        except self._failed as error:
            raise _unavailable(self.address, error) from error


def _client_options() -> Any:
    """Return the options of a connection, without TLS only if the library's variable allows it: they override it."""
    allows_http = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true")
    return {**_TIMEOUTS, "allow_http": allows_http}


def place_at(address: str | None) -> Place | None:
    """Return the place at an address; None without one. Raise ``ArchiveUnavailable`` if its store cannot be set up."""
    if address is None:
        return None
    parts = urlsplit(address)
    return Folder(Path(unquote(parts.path))) if parts.scheme == "file" else Bucket(address)


def can_use(address: str) -> bool:
    return urlsplit(address).scheme not in BUCKETS or find_spec("obstore") is not None


def _unavailable(address: str, error: Exception) -> ArchiveUnavailable:
    text = " ".join(str(error).split())[:300]
    return ArchiveUnavailable(f"the archive {address} cannot be used: {type(error).__name__}: {text}")
