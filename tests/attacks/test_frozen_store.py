"""A store that freezes: it accepts connections, and replies to nothing."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from redis.crc import key_slot

from service.store.redis import connections, silence
from service.store.redis.connections import connect, own_connection
from tests.support.clusters import RealCluster
from tests.support.server import RealServer, fetch, running_service, wait_until

WAIT = 0.5
REQUESTS = 12


@contextmanager
def frozen(server: RealServer) -> Iterator[None]:
    server.pause()
    try:
        yield
    finally:
        server.resume()


@pytest.fixture
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_TIMEOUTS", {"socket_connect_timeout": WAIT, "socket_timeout": WAIT})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RealServer]:
    server = RealServer.start("valkey", tmp_path, tcp=True)
    yield server
    server.stop()


def _failures(client: redis.Redis) -> list[str]:
    """Send commands one after the other, from a pool and from a thread's own connection; return how each fails."""
    own = own_connection(client)
    failures = []
    for number in range(REQUESTS):
        try:
            own.ask(("GET", "x")) if number % 2 else client.get("x")
        except redis.RedisError as error:
            failures.append(type(error).__name__)
    return failures


@pytest.mark.usefixtures("short_wait")
def test_only_the_first_command_waits_for_a_frozen_server(server: RealServer) -> None:
    with connect(server.url) as client:
        client.set("x", "1")
        with frozen(server):
            began = time.monotonic()
            assert _failures(client) == ["SilentServer"] * REQUESTS
            assert time.monotonic() - began < WAIT * REQUESTS / 2
        wait_until(lambda: not _failures(client), "the server to be used again")


@pytest.mark.usefixtures("short_wait")
def test_of_many_threads_one_at_a_time_tries_a_frozen_server(
    server: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "_TRIAL_SECONDS", 0.0)
    with connect(server.url) as client, ThreadPoolExecutor(8) as threads:
        client.set("x", "1")
        with frozen(server):
            _seconds_of_a_failure(client)
            began = time.monotonic()
            slow = [each for each in threads.map(lambda _: _seconds_of_a_failure(client), range(8)) if each > WAIT / 2]
            assert len(slow) <= 1 + (time.monotonic() - began) / WAIT


def _seconds_of_a_failure(client: redis.Redis) -> float:
    began = time.monotonic()
    with pytest.raises(redis.TimeoutError):
        client.get("x")
    return time.monotonic() - began


@pytest.mark.usefixtures("short_wait")
def test_a_server_that_ends_instead_is_tried_by_every_command(server: RealServer) -> None:
    with connect(server.url) as client:
        client.set("x", "1")
        server.pause()
        assert set(_failures(client)) == {"SilentServer"}
        server.kill()
        wait_until(lambda: set(_failures(client)) == {"ConnectionError"}, "the refusal to be noticed")
        server.restart()
        assert not _failures(client)


@pytest.mark.usefixtures("short_wait")
def test_a_frozen_node_of_a_cluster_delays_nothing_that_others_have(shared_cluster: RealCluster) -> None:
    with connect(shared_cluster.url) as client:
        slots = {port: slot for node in shared_cluster.nodes[:1] for slot, port in node.shown()}
        node = shared_cluster.nodes[0]
        keys = [f"key{number}" for number in range(200)]
        there = next(key for key in keys if key_slot(key.encode()) in slots[node.port])
        elsewhere = [key for key in keys if key_slot(key.encode()) not in slots[node.port]][:REQUESTS]
        for key in (there, *elsewhere):
            client.set(key, "1")
        own = own_connection(client)
        with frozen(node.server):
            began = time.monotonic()
            for _ in range(REQUESTS):
                with pytest.raises(redis.TimeoutError):
                    own.ask(("GET", there))
            assert time.monotonic() - began < WAIT * REQUESTS / 2
            assert [client.get(key) for key in elsewhere] == [b"1"] * len(elsewhere)
        wait_until(lambda: _answers(client, there), "the node to be used again")


def _answers(client: redis.Redis, key: str) -> bool:
    try:
        return client.get(key) == b"1"
    except redis.RedisError:
        return False


def test_requests_are_refused_at_once_while_the_store_is_frozen(server: RealServer, tmp_path: Path) -> None:
    with running_service(tmp_path, {"REDIS_URL": server.url}) as service:
        with frozen(server):
            began = time.monotonic()
            assert fetch(f"{service.url}/v1/games")[0] == 503
            waited = time.monotonic() - began
            assert waited < 2 * silence.WAIT_SECONDS
            began = time.monotonic()
            assert {fetch(f"{service.url}/v1/games")[0] for _ in range(REQUESTS)} == {503}
            assert time.monotonic() - began < 2 * silence.WAIT_SECONDS
        wait_until(lambda: fetch(f"{service.url}/v1/games")[0] == 200, "the service")
