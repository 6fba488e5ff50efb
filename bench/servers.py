"""A real Redis and a real web server for the benchmarks, started and stopped here."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from service.accounts.limits import LIMITS
from tests.support.processes import free_port
from tests.support.server import PROGRAMS, RealServer


@contextmanager
def server() -> Iterator[RealServer]:
    """Run redis-server (or the bundled Valkey) over TCP, with an append-only file that is synchronized every second."""
    kind = "redis" if "redis" in PROGRAMS else "valkey"
    with TemporaryDirectory() as folder:
        started = RealServer.start(kind, Path(folder), tcp=True, extra=["--appendfsync", "everysec"])
        try:
            yield started
        finally:
            started.stop()


@contextmanager
def engine() -> Iterator[str]:
    """Run a server, and print which program it is; yield its address."""
    with server() as started:
        print(f"engine: {'redis' if 'redis' in PROGRAMS else 'valkey'}-server, appendonly yes, appendfsync everysec")
        yield started.url


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


def _wait(is_up: Callable[[], object]) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        try:
            if is_up():
                return
        except OSError:
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
