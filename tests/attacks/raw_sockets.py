"""A small service under attack by raw sockets, and what its attackers and an honest client do."""

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.support.server import RealServer, RunningService, fetch, running_service

HEAD = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SLOW, IDLE = 100, 300
"""More than the threads, and more than the connections of the service under attack."""
HEALTHY_SECONDS = 1.0


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Where the service keeps everything."""
    server = RealServer.start("valkey", tmp_path_factory.mktemp("store"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def service(store: RealServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service that gives up on a slow client after a second or two."""
    settings = {
        "PLATEAU_WEB_THREADS": "4", "PLATEAU_CONNECTIONS": "200",
        "PLATEAU_CLIENT_SECONDS": "1",
    }  # fmt: skip
    with running_service(tmp_path_factory.mktemp("service"), settings | {"REDIS_URL": store.url}) as running:
        yield running


@pytest.fixture
def connect(service: RunningService) -> Iterator:
    """Open a connection and send something; all are closed after the test."""
    with contextlib.ExitStack() as opened:

        def connected(sent: bytes = b"") -> socket.socket:
            address = urlsplit(service.url)
            connection = opened.enter_context(socket.create_connection((address.hostname, address.port), 30))
            connection.sendall(sent)
            return connection

        yield connected


def answered(connection: socket.socket) -> tuple[int, dict]:
    """Read one answer: its status (0 for none), and its body."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65_536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    return (int(head.split()[1]), json.loads(body)) if head else (0, {})


def is_closed(connection: socket.socket) -> bool:
    """Return whether the server has ended a connection, whatever it sent before."""
    connection.settimeout(0)
    try:
        while connection.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


def healthy_within(service: RunningService) -> float:
    """Return the seconds that the service takes to answer that it is well: the best of a few, on a busy machine."""
    took = []
    for _ in range(5):
        began = time.monotonic()
        assert fetch(f"{service.url}/healthz")[0] == 200
        took.append(time.monotonic() - began)
    return min(took)
