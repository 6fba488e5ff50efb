"""The data folder of the embedded engine: who wrote it (``engine.json``), whether it is whole, and whose it is now.

An engine whose log is missing starts empty and says nothing, and what is left of the log is overwritten. So a store is
given a name when it is begun, which is kept in the store and beside it: a folder that has the name beside, and not in
the store, has lost its games. The name is beside only once it is safe in the store: no crash of a first start is
mistaken for a loss.
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

_LOGS = "appendonlydir"
_MANIFEST = "appendonly.aof.manifest"
_ROOM_BYTES = 64 * 1024
_LOCK_SECONDS = 5.0
_LONGEST_SOCKET_PATH = 100
"""In bytes; the kernels allow 107 (Linux) or 103 (macOS)."""


class EngineError(Exception):
    """The engine cannot be started or stopped; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Marker:
    """Which engine wrote the data, and the name of the store, None until it has one."""

    name: str
    version: tuple[int, ...]
    store: str | None = None


def read_marker(data: Path) -> Marker | None:
    """Read the marker of a folder, None where there is none."""
    marker = data / "engine.json"
    if not marker.exists():
        return None
    try:
        written = json.loads(marker.read_bytes())
        version = tuple(int(part) for part in written["version"].split("."))
        return Marker(str(written["name"]), version, written.get("store"))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise EngineError(f"{marker}, which says what engine wrote the data, cannot be read: {error!r}.") from error


def write_marker(data: Path, marker: Marker) -> None:
    """Write the marker of a folder; when this returns, it outlasts a power cut."""
    written = {"name": marker.name, "version": ".".join(map(str, marker.version))}
    if marker.store is not None:
        written["store"] = marker.store
    draft = data / "engine.json.new"
    with draft.open("w") as file:
        file.write(json.dumps(written) + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(data / "engine.json")
    folder = os.open(data, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_files(data: Path, store: str | None) -> None:
    """Refuse a folder whose log is missing, or parts of it, before an engine can write over the rest."""
    logs = data / _LOGS
    manifest = logs / _MANIFEST
    if not manifest.exists():
        if store is not None or any(part.stat().st_size for part in logs.glob("*.incr.aof")):
            raise emptied(data, f"{manifest} is missing")
        return
    missing = [name for name in _named_in(manifest) if not (logs / name).exists()]
    if missing:
        raise emptied(data, f"{manifest} names {', '.join(missing)}, missing in {logs}")


def _named_in(manifest: Path) -> Iterator[str]:
    """List the files that make up the log; ``h`` marks those that only wait to be deleted."""
    for line in manifest.read_text(errors="replace").splitlines():
        match line.split():
            case ["file", name, "seq", _, "type", kind, *_] if kind != "h":
                yield name


def emptied(data: Path, why: str) -> EngineError:
    """Make the refusal of a folder that has lost its games."""
    return EngineError(
        f"The data folder {data} was in use, and its games are gone: {why}. Restore the folder from a backup; to begin "
        f"anew without those games, move it away: mv {data} {data}.lost"
    )


def shortage(data: Path) -> str:
    """Say that the disk of a folder is full, '' if it is not; what an engine says of that may be cut short by it."""
    probe = data / "engine.probe"
    try:
        probe.write_bytes(bytes(_ROOM_BYTES))
    except OSError as error:
        return _full(data) if error.errno in (ENOSPC, EDQUOT) else ""
    finally:
        probe.unlink(missing_ok=True)
    return ""


def _full(data: Path) -> str:
    return f"The disk of the data folder {data} is full. Make room, and start again: what was acknowledged is kept."


@contextmanager
def explained(data: Path) -> Iterator[None]:
    """Turn any trouble with the files of a folder into ``EngineError``."""
    try:
        yield
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise EngineError(_full(data)) from error
        raise EngineError(
            f"The data folder {data} cannot be used ({error}). Choose one that you can write to, with --data or "
            "PLATEAU_DATA."
        ) from error


def take(data: Path) -> int:
    """Take the folder for this process and its forks; wait only for what a dead process leaves behind."""
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
    """Say where the engine of this folder listens: in it, or, where that path is too long, in a private folder."""
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
        raise EngineError(f"{folder}, where the socket of the engine belongs, is not private to this user; remove it.")
    return folder / "engine.sock"
