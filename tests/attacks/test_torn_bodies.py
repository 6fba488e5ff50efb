"""A body that did not arrive whole must do nothing: a torn join took a seat, a torn resignation ended a game.

Bodies padded with blanks, each a little different, must not pile up in the memory of a process.
"""

import gc
import json
import socket
import tracemalloc
import urllib.request

import pytest
import redis

from tests.attacks.raw_sockets import HEAD, answered
from tests.support.server import RealServer, RunningService, fetch

ADA = b'{"name": "Ada"}'


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


PADDED, BYTES = 200, 60_000


@pytest.mark.long
def test_padded_actions_leave_nothing_behind(sandbox, ada):
    action = json.dumps({"type": "play", "card": "RH"})

    def try_out(number):
        body = f"{action[:-1]}{' ' * (BYTES + number)}}}".encode()
        answer = ada.ask("POST", f"{sandbox.path}/actions?dry_run=true", body)
        assert answer.status_code in (409, 422)

    try_out(0)
    gc.collect()
    tracemalloc.start()
    for number in range(1, PADDED + 1):
        try_out(number)
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < PADDED * BYTES / 10
