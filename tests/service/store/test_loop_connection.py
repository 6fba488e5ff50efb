"""The connection to Redis that all requests on an event loop share."""

import threading
import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
import redis
from redis.crc import key_slot

from service.common.greenlets import current, in_thread
from service.store.redis import connections
from service.store.redis.connections import Connection, connect, own_connection
from service.store.redis.loop_connection import Link
from service.store.redis.silence import Lost, SilentServer
from tests.support.clusters import RealCluster
from tests.support.greenlets import on_one_loop
from tests.support.proxies import Proxy

MANY = 200
WAIT = 0.5


@pytest.fixture
def proxy(valkey_url: str) -> Iterator[Proxy]:
    with redis.Redis.from_url(valkey_url) as client:
        client.flushall()
    proxy = Proxy(valkey_url)
    yield proxy
    proxy.close()


def _own(proxy: Proxy) -> Connection:
    return own_connection(connect(proxy.url))


def _in_turn(own: Connection, number: int) -> Any:
    """Ask twice, so that requests overlap."""
    (first,) = own.ask(("ECHO", str(number)))
    second, third = own.ask(("ECHO", str(-number)), ("INCR", "asked"))
    return int(first), int(second), int(third)


def test_requests_on_a_loop_share_a_connection_and_get_their_own_replies(proxy: Proxy) -> None:
    own = _own(proxy)
    replies = on_one_loop(*(partial(_in_turn, own, number) for number in range(MANY)))
    assert [(first, second) for first, second, _ in replies] == [(number, -number) for number in range(MANY)]
    counted = [third for *_, third in replies]
    assert all(earlier < later for earlier, later in pairwise(counted)), "they are carried out in the order of asking"
    assert proxy.connections() == 1


def test_an_error_of_the_server_is_the_error_of_one_request(proxy: Proxy) -> None:
    own = _own(proxy)
    own.ask(("SET", "x", "text"))
    good, bad, after = on_one_loop(
        partial(own.ask, ("GET", "x")), partial(own.ask, ("INCR", "x"), ("GET", "x")), partial(own.ask, ("GET", "x"))
    )
    assert (good, after) == ([b"text"], [b"text"])
    assert isinstance(bad, redis.ResponseError)


def test_what_waits_on_a_lost_connection_is_asked_again(proxy: Proxy) -> None:
    own = _own(proxy)
    proxy.lose_reply("ECHO", 3)
    replies = on_one_loop(*(partial(own.ask, ("ECHO", str(number))) for number in range(20)))
    assert replies == [[str(number).encode()] for number in range(20)]
    assert proxy.lost == 1


def test_a_server_that_is_not_there_is_reported() -> None:
    own = own_connection(connect("redis://127.0.0.1:1/0"))
    assert [type(reply) for reply in on_one_loop(partial(own.ask, ("GET", "x")))] == [redis.ConnectionError]


def test_a_silent_server_fails_those_who_wait_after_one_wait_and_others_at_once(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_TIMEOUTS", {"socket_connect_timeout": WAIT, "socket_timeout": WAIT})
    own = _own(proxy)

    def ask() -> object:
        own.ask(("ECHO", "x"))
        proxy.fall_silent("ECHO")
        try:
            return own.ask(("GET", "x"))
        except SilentServer:
            return own.ask(("GET", "x"))

    began = time.monotonic()
    assert {type(reply) for reply in on_one_loop(*[ask] * 10)} == {SilentServer}
    assert WAIT < time.monotonic() - began < 3 * WAIT


def test_a_connection_that_has_ended_takes_no_commands_instead_of_never_answering(valkey_url: str) -> None:
    pool = connect(valkey_url).connection_pool

    def ask_after_the_end() -> object:
        connection = pool.connection_class(**pool.connection_kwargs)
        in_thread(connection.connect)
        by = current()
        assert by is not None
        link = Link(by.loop, connection, lambda _: None)
        link.exchange(by, [("ECHO", "x")])
        link.retire()
        return link.exchange(by, [("ECHO", "x")])

    assert [type(each) for each in on_one_loop(ask_after_the_end)] == [Lost]


@pytest.mark.parametrize("reply", [b"-READONLY You can't write against a read only replica.", b"-CLUSTERDOWN is down"])
def test_a_server_that_accepts_no_writes_is_left(proxy: Proxy, valkey_url: str, reply: bytes) -> None:
    own, wrong = _own(proxy), b"-ERR value is not an integer or out of range"
    padded = reply[: len(wrong)].ljust(len(wrong), b".")
    own.ask(("SET", "x", "text"))
    own.ask(("SET", "y", "1"))
    proxy.rewrite((wrong, padded))
    failed, other = on_one_loop(partial(own.ask, ("INCR", "x")), partial(own.ask, ("INCR", "y")))
    assert isinstance(failed, connections.NotPrimary)
    assert other == [2]
    assert proxy.connections() > 1


def test_what_blocks_runs_in_another_thread_while_the_loop_handles_others() -> None:
    loops_thread, both = threading.get_ident(), threading.Barrier(2, timeout=10)

    def blocked() -> tuple[bool, bool]:
        both.wait()
        return threading.get_ident() == loops_thread, current() is None

    assert on_one_loop(*[partial(in_thread, blocked)] * 2) == [(False, True)] * 2


def test_without_a_loop_a_function_is_only_called() -> None:
    assert in_thread(threading.get_ident) == threading.get_ident()


def test_an_error_in_a_thread_reaches_the_request() -> None:
    (error,) = on_one_loop(partial(in_thread, partial(int, "x")))
    assert isinstance(error, ValueError)


def test_requests_on_a_loop_share_a_connection_to_each_node_of_a_cluster(shared_cluster: RealCluster) -> None:
    own = own_connection(connect(shared_cluster.url))
    own.ask(("SET", "asked", "0"))  # then the nodes are known
    first, before = _received(shared_cluster), _received(shared_cluster)
    replies = on_one_loop(*(partial(own.ask, ("SET", f"key {number}", number)) for number in range(MANY)))
    assert replies == [[b"OK"]] * MANY
    counting = before - first
    assert _received(shared_cluster) - before == counting + len(shared_cluster.primaries)


def test_a_slot_that_has_moved_is_followed_from_the_loop(shared_cluster: RealCluster) -> None:
    own = own_connection(connect(shared_cluster.url))
    own.ask(("SET", "x", "1"))
    slot = key_slot(b"x")
    owner = shared_cluster.owner(slot)
    other = next(node for node in shared_cluster.primaries if node is not owner)
    try:
        shared_cluster.move(slot, other)
        assert sorted(on_one_loop(*[partial(own.ask, ("INCR", "x"))] * 3)) == [[2], [3], [4]]
    finally:
        shared_cluster.move(slot, owner)


def _received(cluster: RealCluster) -> int:
    """Count the connections that the primaries of a cluster have received."""
    return sum(int(node.ask("INFO", "stats")["total_connections_received"]) for node in cluster.primaries)
