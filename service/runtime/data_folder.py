"""The data folder of the embedded engine: who wrote it (``engine.json``), whether it is complete, and who uses it now.

An engine whose log is missing starts empty without a warning, and overwrites the rest of the log. So a new store gets a
name, which is stored both in the store and in ``engine.json``. If only ``engine.json`` has the name, the folder has
lost its games. ``engine.json`` gets the name only once it is safe in the store, so a crash during the first start
cannot look like a loss.
"""

import fcntl
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EDQUOT, ENOSPC
from pathlib import Path
from urllib.parse import quote

_LOGS = "appendonlydir"
_MANIFEST = "appendonly.aof.manifest"
_ROOM_BYTES = 64 * 1024
_LOCK_SECONDS = 5.0
_LONGEST_SOCKET_PATH = 100
"""In bytes; the kernels allow 107 (Linux) or 103 (macOS)."""


class EngineError(Exception):
    """The engine cannot be started or stopped; the message states why and what to do."""


@dataclass(frozen=True, slots=True)
class Marker:
    """Which engine wrote the data, and the name of the store, or None until it has one."""

    name: str
    version: tuple[int, ...]
    store: str | None = None


def read_marker(data: Path) -> Marker | None:
    """Read the marker of a folder, or return None if it has none."""
    marker = data / "engine.json"
    if not marker.exists():
        return None
    try:
        written = json.loads(marker.read_bytes())
        version = tuple(int(part) for part in written["version"].split("."))
        return Marker(str(written["name"]), version, written.get("store"))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise EngineError(f"Cannot read {marker}, which records what engine wrote the data: {error!r}.") from error


def write_marker(data: Path, marker: Marker) -> None:
    """Write the marker of a folder; once this returns, it survives a power cut."""
    written = {"name": marker.name, "version": ".".join(map(str, marker.version))}
    if marker.store is not None:
        written["store"] = marker.store
    write_durably(data / "engine.json", json.dumps(written).encode() + b"\n")


def check_files(data: Path, store: str | None) -> None:
    """Reject a folder whose log is missing or incomplete, before an engine can overwrite the rest."""
    logs = data / _LOGS
    manifest = logs / _MANIFEST
    if not manifest.exists():
        if store is not None or any(part.stat().st_size for part in logs.glob("*.incr.aof")):
            raise emptied(data, f"{manifest} is missing")
        return
    missing = [name for name in _named_in(manifest) if not (logs / name).exists()]
    if missing:
        raise emptied(data, f"{manifest} lists {', '.join(missing)}, but {logs} does not contain them")


def _named_in(manifest: Path) -> Iterator[str]:
    """List the files of the log; ``h`` marks files that are only waiting to be deleted."""
    for line in manifest.read_text(errors="replace").splitlines():
        match line.split():
            case ["file", name, "seq", _, "type", kind, *_] if kind != "h":
                yield name


def emptied(data: Path, why: str) -> EngineError:
    """Return the error for a folder that has lost its games."""
    return EngineError(
        f"The data folder {data} was in use, and its games are gone: {why}. Restore the folder from a backup. To start "
        f"without those games, move the folder away: mv {data} {data}.lost"
    )


def shortage(data: Path) -> str:
    """Return a message if the disk of a folder is full, else ''; a full disk can truncate the engine's own message."""
    probe = data / "engine.probe"
    try:
        probe.write_bytes(bytes(_ROOM_BYTES))
    except OSError as error:
        return _full(data) if error.errno in (ENOSPC, EDQUOT) else ""
    finally:
        probe.unlink(missing_ok=True)
    return ""


def _full(data: Path) -> str:
    return f"The disk of the data folder {data} is full. Make room, and start again: acknowledged events are kept."


@contextmanager
def explained(data: Path) -> Iterator[None]:
    """Raise any error with the files of a folder as ``EngineError``."""
    try:
        yield
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise EngineError(_full(data)) from error
        raise EngineError(
            f"The data folder {data} cannot be used ({error}). Choose a folder that you can write to, with --data or "
            "PLATEAU_DATA."
        ) from error


def take(data: Path) -> int:
    """Lock the folder for this process and its forks; wait only for a lock that a dead process left behind."""
    held = os.open(data / "service.lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = int(os.pread(held, 20, 0) or 0)
            if _is_alive(owner) or time.monotonic() > deadline:
                os.close(held)
                raise EngineError(
                    f"The data folder {data} is in use by another plateau service, process {owner}. Stop that one "
                    f"(kill {owner}), or choose another folder with --data or PLATEAU_DATA."
                ) from None
            time.sleep(0.01)
        else:
            os.ftruncate(held, 0)
            os.pwrite(held, str(os.getpid()).encode(), 0)
            return held


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid > 0


def socket_path(data: Path) -> Path:
    """Return the engine's socket: in the data folder, or, if that path is too long, in a private folder."""
    socket = data.resolve() / "engine.sock"
    if len(os.fsencode(socket)) <= _LONGEST_SOCKET_PATH:
        return socket
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    base = Path(runtime if os.access(runtime, os.W_OK) else tempfile.gettempdir())
    name = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    folder = base / f"plateau-{os.geteuid()}-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o077 or folder.is_symlink():
        raise EngineError(f"{folder}, the folder for the engine's socket, is not private to this user; remove it.")
    return folder / "engine.sock"


def socket_url(socket: Path) -> str:
    """Return the address of an engine at a socket, with any characters in its path."""
    return f"unix://{quote(str(socket))}"


# -- files that are complete on the disk, or unchanged ----------------------------------------------------------------


def write_durably(path: Path, content: bytes) -> None:
    """Replace a file; once this returns, the new content survives a power cut."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
