"""Check the server that keeps the games: its rights and settings, its disk, its memory, and what is in it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import redis

from service.doctor.findings import Finding, warning, wrong
from service.store import keys
from service.store.event_store import Replicas
from service.store.redis.redis_configuration import check_configurations
from service.store.redis.redis_rights import DOCTOR
from service.store.redis.redis_server import Server, StoreMisconfigured, check_servers

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
