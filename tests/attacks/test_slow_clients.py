"""Clients that send slowly, send nothing or read nothing must not keep others waiting.

HTTP/2 is disabled: each stream whose client was gone held a thread until the service was restarted.
"""

import contextlib
import resource
import socket
import sys
from urllib.parse import urlsplit

import pytest

from tests.attacks.raw_sockets import HEAD, HEALTHY_SECONDS, IDLE, SLOW, answered, healthy_within, is_closed
from tests.support.server import fetch, running_service, wait_until


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


@pytest.mark.long
def test_2300_idle_connections_leave_the_defaults_healthy(tmp_path):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    env, options = {"PLATEAU_WEB_PROCESSES": "2"}, ("--target", "tests.support.server:tiny_app")
    with running_service(tmp_path, env, *options) as service, contextlib.ExitStack() as idle:
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


def test_a_body_in_a_thousand_pieces_is_refused(service, connect):
    body = b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 1100 + b"2\r\n{}\r\n0\r\n\r\n"
    wait_until(lambda: healthy_within(service) < HEALTHY_SECONDS, "the clients of the last test to be gone")
    status, problem = answered(connect(HEAD + body))
    assert status == 400, problem
    assert problem["errors"][0]["code"] == "body-in-too-many-chunks"


def test_a_head_without_end_is_refused(service, connect):
    with contextlib.suppress(ConnectionError):
        endless = connect(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ")
        for _ in range(100):
            endless.sendall(b"a" * 10_000)
    wait_until(lambda: is_closed(endless), "the connection to be closed")
    assert healthy_within(service) < HEALTHY_SECONDS


def test_http_2_is_refused(service, connect):
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
    headers = b"\x00\x00\x03\x01\x04\x00\x00\x00\x01\x83\x86\x84"  # POST /, without a body, left open
    attackers = [connect(preface + headers) for _ in range(SLOW)]
    wait_until(lambda: all(map(is_closed, attackers)), "the connections to be closed")
    assert healthy_within(service) < HEALTHY_SECONDS
