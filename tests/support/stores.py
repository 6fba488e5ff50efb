"""Stores of every kind: in memory, on each server of this machine, on a cluster; and what they hold."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import fakeredis
import pytest
import redis

from service.store.redis.connections import connect
from tests.support.server import PROGRAMS

ON_SERVERS = ("memory", *PROGRAMS)
"""The one in memory, and the servers on this machine: for what is never on a cluster."""


ON_CLUSTER = pytest.param("cluster", marks=pytest.mark.long)


KINDS = (*ON_SERVERS, ON_CLUSTER)
"""Every store that a test can run on; ``make long`` has the cluster, too."""


BUNDLED = [kind if kind != "redis" else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]
"""For what does not speak to the store itself: the store in memory, and the bundled server; ``make long`` has all."""


SERVERS = [pytest.param("memory", marks=pytest.mark.long), *PROGRAMS, ON_CLUSTER]
"""For workers: the servers on this machine; ``make long`` has the store in memory and the cluster, too."""


def empty_store(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    """Return a client of an empty store of the kind (of KINDS) that is the fixture's parameter."""
    if request.param == "memory":
        with fakeredis.FakeRedis(server=fakeredis.FakeServer()) as client:
            yield client
    else:
        fixture = {"valkey": "valkey_url", "redis": "real_redis_url", "cluster": "cluster_url"}[request.param]
        with connect(request.getfixturevalue(fixture)) as it:
            it.flushall()
            yield it


def everything(client: redis.Redis) -> dict[bytes, Any]:
    """Read every key and all that is stored under it."""
    readers: Mapping[bytes, Callable[[bytes], Any]] = {
        b"stream": client.xrange,
        b"hash": client.hgetall,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"list": lambda key: client.lrange(key, 0, -1),
        b"string": client.get,
    }
    return {key: readers[client.type(key)](key) for key in sorted(client.scan_iter())}


def flipped(entry: bytes, at: int, bit: int) -> bytes:
    return entry[:at] + bytes([entry[at] ^ (1 << bit)]) + entry[at + 1 :]


def damage(client: redis.Redis, game_id: str, version: int) -> None:
    """Change a byte of one entry; Redis itself cannot, so the log is rewritten around it."""
    (key,) = client.scan_iter(f"*{game_id}:events")
    entries = client.xrange(key)
    client.delete(key)
    for entry_id, fields in entries:
        entry = fields[b"e"]
        if entry_id == b"%d-0" % version:
            entry = flipped(entry, len(entry) // 2, 0)
        client.xadd(key, {"e": entry}, id=entry_id)


def change_on_the_disk(data: Path, game_id: str, entry: bytes) -> None:
    """Change one byte of an event in the engine's append-only file, while the service is down."""
    (aof,) = (data / "appendonlydir").glob("*.incr.aof")
    written = aof.read_bytes()
    assert written.count(entry) == 1
    assert game_id.encode() in written
    at = written.index(entry) + len(entry) // 2
    aof.write_bytes(flipped(written, at, 0))


def entries_of(data: Path, game_id: str) -> list[bytes]:
    with redis.Redis(unix_socket_path=str(data / "engine.sock")) as client:
        (key,) = client.scan_iter(f"*{game_id}:events")
        return [fields[b"e"] for _, fields in client.xrange(key)]
