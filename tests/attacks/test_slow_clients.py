"""Clients that send slowly, or nothing, must not keep others waiting; a body that breaks off must do nothing."""

import contextlib
import json
import resource
import socket
import sys
import time
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import redis

from tests.servers import RealServer, RunningService, fetch, running_service, wait_until

HEAD = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
ADA = b'{"name": "Ada"}'
SLOW, IDLE = 100, 300
"""More than the threads, and more than the connections of the service under attack."""
HEALTHY_SECONDS = 1.0


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Where the service keeps everything."""
    server = RealServer.start("valkey", tmp_path_factory.mktemp("store"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def service(store: RealServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service that gives up on a slow client after a second or two."""
    settings = {
        "PLATEAU_WEB_PROCESSES": "1", "PLATEAU_WEB_THREADS": "4", "PLATEAU_CONNECTIONS": "200",
        "PLATEAU_HEAD_SECONDS": "1", "PLATEAU_BODY_SECONDS": "2",
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
    """Say whether the server has ended a connection, whatever it sent before."""
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


def test_slow_bodies_hold_no_thread_and_end_in_time(service, connect):
    slow = [connect(HEAD + b"Content-Length: 100\r\n\r\n{") for _ in range(SLOW)]
    assert healthy_within(service) < HEALTHY_SECONDS
    status, problem = answered(slow[0])
    assert (status, problem["code"]) == (408, "too-slow")
    wait_until(lambda: all(map(is_closed, slow)), "the slow connections to be closed")


def test_slow_bodies_in_chunks_end_in_time(service, connect):
    slow = [connect(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n") for _ in range(SLOW)]
    assert healthy_within(service) < HEALTHY_SECONDS
    assert answered(slow[0])[0] == 408
    wait_until(lambda: all(map(is_closed, slow)), "the slow connections to be closed")


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: "])
def test_more_idle_connections_than_there_is_room_for_end_in_time(service, connect, sent):
    idle = [connect(sent) for _ in range(IDLE)]
    assert fetch(f"{service.url}/healthz")[0] == 200
    wait_until(lambda: all(map(is_closed, idle)), "the idle connections to be closed")
    assert healthy_within(service) < HEALTHY_SECONDS


def test_2300_idle_connections_leave_the_defaults_healthy(tmp_path):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with running_service(tmp_path, {}, "--target", "tests.servers:tiny_app") as service, contextlib.ExitStack() as idle:
        address = urlsplit(service.url)
        for _ in range(2300):
            idle.enter_context(socket.create_connection((address.hostname, address.port), 30))
        assert healthy_within(service) < HEALTHY_SECONDS


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's limit on unread answers is Linux's")
def test_clients_that_read_no_answer_end_in_time(service, connect):
    def deaf() -> socket.socket:
        connection = connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
        return connection

    attackers = [deaf() for _ in range(IDLE)]
    wait_until(lambda: fetch(f"{service.url}/healthz")[0] == 200, "the service to answer again")
    assert healthy_within(service) < HEALTHY_SECONDS
    assert len(attackers) == IDLE


def test_a_body_in_thousands_of_pieces_is_refused(service, connect):
    body = b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 5000 + b"2\r\n{}\r\n0\r\n\r\n"
    status, problem = answered(connect(HEAD + body))
    assert (status, problem["errors"][0]["code"]) == (400, "body-in-crumbs")


def test_http_2_is_refused(service, connect):
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
    headers = b"\x00\x00\x03\x01\x04\x00\x00\x00\x01\x83\x86\x84"  # POST /, without a body, left open
    attackers = [connect(preface + headers) for _ in range(SLOW)]
    wait_until(lambda: all(map(is_closed, attackers)), "the connections to be closed")
    assert healthy_within(service) < HEALTHY_SECONDS


def post(service: RunningService, path: str, body: dict, token: str = "") -> dict:
    """POST as an honest client does."""
    headers = (
        {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        if token
        else {"Content-Type": "application/json"}
    )
    request = urllib.request.Request(f"{service.url}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def keys(store: RealServer) -> int:
    """Count what is stored."""
    with redis.Redis.from_url(store.url) as client:
        return client.dbsize()


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 16\r\n\r\n" + ADA,
        b"Transfer-Encoding: chunked\r\n\r\nF\r\n" + ADA + b"\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nF\r\n" + ADA,
        b"Transfer-Encoding: chunked\r\n\r\nF\r\n" + ADA + b"\r\n0\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nF\r\n" + ADA + b"\r\nzz\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_a_body_that_breaks_off_does_nothing(service, store, connect, body):
    post(service, "/v1/players", {"name": "Ada"})
    before = keys(store)
    post(service, "/v1/players", {"name": "Ada"})
    of_an_honest_request = keys(store) - before
    connection = connect(HEAD + body)
    connection.shutdown(socket.SHUT_WR)
    status, problem = answered(connection)
    assert (status, problem.get("code")) in ((0, None), (400, "not-json"))
    post(service, "/v1/players", {"name": "Ada"})  # answered after whatever came before it
    assert keys(store) == before + 2 * of_an_honest_request


@pytest.mark.parametrize("path", ["seats", "resign"])
def test_a_torn_request_takes_no_seat_and_ends_no_game(service, connect, path):
    token = post(service, "/v1/players", {"name": "Ada"})["token"]
    game = post(service, "/v1/games", {"ruleset": "plateau", "seats": [{"open": True}] * 2}, token)
    target = f"/v1/games/{game['id']}"
    head = f"POST {target}/{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n".encode()
    torn = connect(head + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
    torn.shutdown(socket.SHUT_WR)
    assert answered(torn)[0] in (0, 400)
    assert json.loads(fetch(f"{service.url}{target}")[1])["version"] == game["version"]


def test_a_body_that_is_torn_in_chunks_of_garbage_is_refused_by_name(service, connect):
    status, problem = answered(connect(HEAD + b"Transfer-Encoding: chunked\r\n\r\nF\r\n" + ADA + b"\r\nzz\r\n\r\n"))
    assert (status, problem["errors"][0]["code"]) == (400, "body-cut-short")


def test_a_head_without_end_is_refused(service, connect):
    with contextlib.suppress(ConnectionError):
        endless = connect(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ")
        for _ in range(100):
            endless.sendall(b"a" * 10_000)
    wait_until(lambda: is_closed(endless), "the connection to be closed")
    assert healthy_within(service) < HEALTHY_SECONDS
