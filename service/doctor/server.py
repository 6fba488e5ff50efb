"""Check the server that keeps the games: its rights and settings, its disk, its memory, and what is in it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

import redis

from service.doctor.findings import Finding, warning, wrong
from service.store import keys
from service.store.change_feed import DISPATCHERS, NOTIFIERS
from service.store.deadlines import Deadlines
from service.store.event_store import Replicas
from service.store.heartbeat import MOST_SKEW, ODD_SILENCE, Heartbeat, StoreClock
from service.store.redis.connections import server_of
from service.store.redis.redis_rights import DOCTOR
from service.store.redis.redis_server import Server, StoreMisconfigured, check_configurations, check_servers, redis_cli
from service.store.reporting import alive
from service.store.shards import shards_of

_PARTS_OF_MEMORY = 0.8
_LAST_WRITES = {
    "aof_last_write_status": "its last write to the append-only file failed",
    "aof_last_bgrewrite_status": "it could not rewrite its append-only file",
}
_MAKE_ROOM = "make room on its disk, read its log, and send BGREWRITEAOF before it is restarted"


def check(client: redis.Redis, replicas: int = 0) -> Iterator[Finding]:
    """Check a server; a store that cannot be used at all is the only finding then."""
    try:
        servers = check_servers(client, DOCTOR)
    except StoreMisconfigured as error:
        yield wrong("server", str(error), "change the server, or the user, as this line says")
        return
    for texts, made in zip(check_configurations(servers), (wrong, warning), strict=True):
        for text in texts:
            problem, _, remedy = text.partition("; ")
            yield made("persistence", problem, remedy)
    for text in Replicas(replicas).warnings(server.facts for _, server in servers):
        yield wrong("replicas", text, "start them, or let PLATEAU_REPLICAS be as many as there are")
    for _, server in servers:
        for found in _facts(server):
            yield replace(found, problem=f"{server.place}: {found.problem}") if server.place else found
    yield from _contents(client)


def _facts(server: Server) -> Iterator[Finding]:
    if not server.facts:
        yield warning(
            "server", "its user cannot send INFO, so disk and memory were not checked", "add +info to the ACL"
        )
    yield from _disk(server.facts)
    yield from _memory(server.facts)
    if server.place and server.facts.get("role") == "master" and not server.facts.get("connected_slaves"):
        yield warning(
            "server", "it has no replica, so its part of the games stops when it fails", "add a replica to it"
        )


def _disk(facts: Mapping[str, Any]) -> Iterator[Finding]:
    for name, problem in _LAST_WRITES.items():
        if facts.get(name, "ok") != "ok":
            yield wrong("disk", problem, _MAKE_ROOM)


def _memory(facts: Mapping[str, Any]) -> Iterator[Finding]:
    used, most, total = (int(facts.get(name, 0)) for name in ("used_memory", "maxmemory", "total_system_memory"))
    bound, name = (most, "maxmemory") if most else (total, "the memory of its machine")
    if bound and used > _PARTS_OF_MEMORY * bound:
        problem = f"it uses {used / bound:.0%} of {name}, {used} of {bound} bytes"
        yield warning("memory", problem, "give it more; when it is full, games accept no more moves")


def _contents(client: redis.Redis) -> Iterator[Finding]:
    if client.exists(keys.RESTORING):
        yield wrong("restoration", "the restoration of a backup has not ended", "empty the store, and restore again")
    if not client.exists(keys.SHARDS):
        yield wrong(
            "shards", "no service has been started on this store", "check REDIS_URL; restore a backup if games are gone"
        )


# -- check the processes of a service by what they leave behind: beats, feeds, queues and deadlines ---------------


LATE_MS = 30_000
"""Work that waits for longer is late: nobody does it, or too few do."""

_GROUPS = {"changes": DISPATCHERS, "notices": NOTIFIERS}
_START_DISPATCH = (
    "start plateau dispatch, or look at its messages; plateau serve starts one unless PLATEAU_WORKERS is 0"
)


def check_work(client: redis.Redis, shards: int, destinations_overdue: Callable[[int], int]) -> Iterator[Finding]:
    """Check what every process is behind with; ``destinations_overdue`` counts those that are due before a time."""
    now = 1000 * int(client.time()[0])
    yield from _clocks(client)
    silence = Heartbeat(client).silence()
    if silence > ODD_SILENCE or not client.exists(keys.HEARTBEAT):
        yield wrong(
            "web", "no web process runs: there is no heartbeat", "start plateau serve; clocks stand still until then"
        )
    for shard in shards_of(client, shards):
        for feed in (shard.changes, shard.notices):
            yield from _feed(client, feed, now)
    overdue = Deadlines(client, shards, 0).overdue(now - LATE_MS)
    if overdue:
        yield wrong(
            "deadlines",
            f"{overdue} games are overdue",
            "check_work that a dispatcher and workers run, and their messages",
        )
    late = destinations_overdue(now - LATE_MS)
    if late:
        yield wrong(
            "courier", f"{late} mailboxes, browsers and webhooks are overdue", "start plateau courier, or more of them"
        )


def _clocks(client: redis.Redis) -> Iterator[Finding]:
    clock = StoreClock(client)
    here, there = abs(clock.skew()), alive(client, clock).skew
    if max(here, there) > MOST_SKEW:
        whose = "this host" if here > MOST_SKEW else "the host of another process"
        problem = f"the clock of {whose} is {max(here, there) / 1000:.1f} s off from that of Redis"
        yield warning("clocks", problem, "synchronize the clocks of all hosts (NTP); the service goes by that of Redis")


def _feed(client: redis.Redis, feed: str, now: int) -> Iterator[Finding]:
    """Check that one group reads a feed, that it keeps up, and that no other holds up its trimming."""
    if not client.exists(feed):
        return
    mine = _GROUPS[feed.rpartition(":")[2]]
    groups = {group["name"].decode(): group for group in cast("list[Any]", client.xinfo_groups(feed))}
    for name in groups.keys() - {mine}:
        problem = f"the group {name} of {feed} is not the service's, and keeps the feed from being trimmed"
        yield wrong("feeds", problem, redis_cli(server_of(client, feed), "XGROUP", "DESTROY", feed, name))
    read = groups[mine]["last-delivered-id"].decode() if mine in groups else "0-0"
    unread = cast("list[Any]", client.xrange(feed, f"({read}", "+", count=1))
    if unread and now - _ms(unread[0][0]) > LATE_MS:
        problem = f"{feed} has had unread entries for {(now - _ms(unread[0][0])) // 1000} s"
        yield wrong("feeds", problem, _START_DISPATCH)
    if mine in groups:
        held = client.xpending_range(feed, mine, "-", "+", 1, idle=LATE_MS)
        if held:
            seconds = int(held[0]["time_since_delivered"]) // 1000
            problem = f"{feed} has entries that a reader took {seconds} s ago and never did"
            yield warning("feeds", problem, _START_DISPATCH)


def _ms(entry: bytes) -> int:
    return int(entry.split(b"-")[0])
