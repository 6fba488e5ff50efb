"""Checks what a Redis is, and which rights it grants, before the service writes to it."""

import logging
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, cast

import redis
from redis.sentinel import SentinelConnectionPool

from service.store.redis.cluster import LOST, REDIRECTIONS
from service.store.redis.cluster_client import ClusterClient
from service.store.redis.redis_rights import CLUSTER

OLDEST = (7, 0)
"""The first version with the scripts, streams and settings that the service needs."""


_MOST_ARGUMENTS = 6
"""A command is tried with up to so many arguments, because a server judges it only with a valid number of them."""

_READING = ("GET {}", "HGETALL {}", "LLEN {}", "ZCARD {}", "XLEN {}")
_WRITING = ("SET {} x", "HSET {} x x", "RPUSH {} x", "ZADD {} 1 x", "XADD {} * x x")
_ON_CHANNELS = ("SUBSCRIBE {}", "PUBLISH {} x")
_OF_TRIALS = ("wrong number of arguments", "EXEC without MULTI", "can not be nested")
"""Errors of the server about trials that it does not judge."""


class StoreMisconfigured(Exception):
    """The store must not be used as it is; the message states why and how to fix it."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server's report about itself; ``facts`` is from INFO, and empty if the user lacks the permission for it.

    ``place`` names a node of a cluster; it is empty for a single server.
    """

    name: str
    version: str
    mode: str
    role: str
    facts: Mapping[str, Any]
    place: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def identify(client: redis.Redis) -> Server:
    """Identify a server by INFO, or else by HELLO, which every user can send."""
    try:
        return _by_info(client.info())
    except redis.ResponseError:
        return _by_hello(client.execute_command("HELLO"))  # type: ignore[no-untyped-call]


def described(servers: Sequence[tuple[redis.Redis, Server]]) -> str:
    """Describe the server of the games, or their cluster."""
    (_, first), *others = servers
    return f"{first}, a cluster of {len(servers)} nodes" if others else str(first)


def redis_cli(client: redis.Redis, *words: str) -> str:
    """Return a redis-cli command for the server of a client, to be pasted into a shell; it contains no password.

    Without the address, redis-cli would change the server at its default address.
    """
    pool = client.connection_pool
    options = pool.connection_kwargs
    if "path" in options:
        address = ["-s", str(options["path"])]
    else:
        by_sentinel = isinstance(pool, SentinelConnectionPool)
        host, port = pool.get_master_address() if by_sentinel else (options["host"], options["port"])  # type: ignore[attr-defined]
        address = ["-h", str(host), "-p", str(port)]
    address += ["-n", str(options["db"])] if options.get("db") else []
    address += ["--tls"] if issubclass(pool.connection_class, redis.SSLConnection) else []
    if options.get("username") or options.get("password"):
        address += ["--user", options.get("username") or "default", "--askpass"]
    return shlex.join(["redis-cli", *address, *words])


def memory_of_primaries(client: redis.Redis) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Read the memory figures of the server of the games, or of each primary of their cluster, by address."""
    if not isinstance(client, ClusterClient):
        yield "", client.info("memory")
        return
    for node in client.nodes.primaries():
        yield "{host}:{port}".format(**node.connection_pool.connection_kwargs), node.info("memory")


def _by_info(facts: Any) -> Server:
    name = facts.get("server_name", "redis")
    is_cluster = bool(facts.get("cluster_enabled"))
    return Server(
        name,
        str(facts.get(f"{name}_version", facts.get("redis_version", ""))),
        "cluster" if is_cluster else facts.get("redis_mode", facts.get("server_mode", "")),
        facts.get("role", ""),
        facts,
    )


def _by_hello(said: Any) -> Server:
    pairs = said.items() if isinstance(said, dict) else zip(said[::2], said[1::2], strict=True)
    texts = {_text(name): _text(value) for name, value in pairs}
    return Server(texts["server"], texts["version"], texts.get("mode", ""), texts.get("role", ""), {})


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def check_servers(client: redis.Redis, needs: Sequence[str]) -> list[tuple[redis.Redis, Server]]:
    """Check the server of the games, or all nodes of their cluster, as ``check_server`` does.

    Return the client and the identity of each. A replica that does not answer is left out.
    """
    if not isinstance(client, ClusterClient):
        return [(client, check_server(client, needs))]
    client.nodes.look_again()
    checked = [(node, _check_node(node, needs)) for node in client.nodes.primaries()]
    for node in client.nodes.replicas():
        with suppress(*LOST):
            checked.append((node, _check_node(node, needs)))
    return checked


def check_server(client: redis.Redis, needs: Sequence[str]) -> Server:
    """Check that a single server can be used and grants the rights in ``needs``; return its identity.

    ``needs`` are of ``service.store.redis.redis_rights``. Raise ``StoreMisconfigured`` if the check fails.
    """
    server = identify(client)
    if server.mode == "cluster":
        raise StoreMisconfigured(
            "it is a node of a cluster: for the games, write redis+cluster://host:port,host:port with some of its "
            "nodes; the queue needs a single server"
        )
    if server.role in ("slave", "replica"):
        raise StoreMisconfigured("it is a replica, which accepts no writes: use the address of its primary")
    return _checked(client, server, needs)


def _check_node(client: redis.Redis, needs: Sequence[str]) -> Server:
    place = "the node {host}:{port}".format(**client.connection_pool.connection_kwargs)
    try:
        server = identify(client)
        if fault := _fault(client, place.rpartition(" ")[2]):
            raise StoreMisconfigured(fault)
        return replace(_checked(client, server, (*needs, *CLUSTER)), place=place)
    except StoreMisconfigured as error:
        raise StoreMisconfigured(f"{place}: {error}") from error


def _fault(client: redis.Redis, node: str) -> str:
    """Return the fault of a cluster as the ``node`` (host:port) of the client sees it."""
    try:
        said = client.execute_command("CLUSTER INFO")  # type: ignore[no-untyped-call]
    except redis.exceptions.NoPermissionError:
        return "its user lacks permissions that the service needs; add to the user's ACL: +cluster|info"
    if said["cluster_state"] == "ok":
        return ""
    covered = said["cluster_slots_ok"]
    return f"the cluster is down ({covered} of 16384 slots are served): see redis-cli --cluster check {node}"


def _checked(client: redis.Redis, server: Server, needs: Sequence[str]) -> Server:
    if reason := _unfit(client, server):
        raise StoreMisconfigured(reason)
    if lacking := " ".join(_lacking(client, needs)):
        raise StoreMisconfigured(f"its user lacks permissions that the service needs; add to the user's ACL: {lacking}")
    return server


def _unfit(client: redis.Redis, server: Server) -> str:
    version = re.match(r"(\d+)\.(\d+)", server.version)
    if server.mode == "sentinel":
        return "it is a Sentinel, which cannot keep games: write redis+sentinel://host:26379/name/0 to use its primary"
    if version and tuple(map(int, version.groups())) < OLDEST:
        return f"it is {server}: the service needs Redis 7.0 or newer, or Valkey"
    most, used = (int(server.facts.get(name, 0)) for name in ("maxmemory", "used_memory"))
    if 0 < most <= used:
        more = redis_cli(client, "CONFIG", "SET", "maxmemory", str(2 * most))
        return f"its memory is full (used_memory {used}, maxmemory {most}): give it more, such as with: {more}"
    return ""


def _lacking(client: redis.Redis, needs: Sequence[str]) -> list[str]:
    """Return the ACL rules that the user of a client lacks.

    The server judges the commands after the last MULTI and runs none; if MULTI is forbidden, these are not even sent.
    """
    permitted = _sample(next(rule for sign in "&~" for rule in needs if rule.startswith(sign)))
    first = [("+multi", "MULTI"), ("+exec", "EXEC"), ("+multi", "MULTI")]
    if "+watch" in needs:  # it is not judged after MULTI
        first = [("+watch", f"WATCH {permitted}"), ("+unwatch", "UNWATCH"), *first]
    connection = client.connection_pool.get_connection()
    try:
        lacking = _refused(connection, first)
        if "+multi" not in lacking:
            rest = [rule for rule in needs if rule not in dict(first)]
            lacking += _refused(
                connection, [(rule, trial) for rule in rest for trial in _trials(rule, permitted, needs)]
            )
    finally:
        connection.disconnect()  # type: ignore[no-untyped-call]
        client.connection_pool.release(connection)
    return [*dict.fromkeys(lacking)]


def _trials(rule: str, permitted: str, needs: Sequence[str]) -> Iterator[str]:
    """Return commands of which a server rejects one if the user lacks a rule.

    ``permitted`` is a key and a channel of ``needs``, so that the server logs no error of a user who has all rights.
    """
    if rule.startswith("+"):
        command = rule[1:].replace("|", " ").upper()
        yield from (" ".join([command, *[permitted] * number]) for number in range(_MOST_ARGUMENTS + 1))
    else:
        kinds = {"&": _ON_CHANNELS, "%": _READING, "~": (*_READING, *_WRITING)}
        for trial in kinds[rule[0]]:
            if f"+{trial.partition(' ')[0].lower()}" in needs:
                yield trial.format(_sample(rule))


def _sample(rule: str) -> str:
    """Return a key or channel that a rule permits."""
    return rule.removeprefix("%R").lstrip("~&").replace("*", "x")


def _refused(connection: redis.Connection, trials: Sequence[tuple[str, str]]) -> list[str]:
    """Send commands, each tried for a rule; return the rules for which one is rejected."""
    connection.send_packed_command(connection.pack_commands([trial.split() for _, trial in trials]))  # type: ignore[no-untyped-call]
    return [rule for rule, trial in trials if _is_refused(connection, rule, trial)]


def _is_refused(connection: redis.Connection, rule: str, trial: str) -> bool:
    """Read a reply; return whether it means that a rule is lacking. Raise errors that no trial causes."""
    try:
        connection.read_response()
    except (*REDIRECTIONS, redis.exceptions.ReadOnlyError):
        return False  # rights are judged first, so another node would do it
    except redis.ResponseError as error:
        said = str(error)
        if said.startswith("unknown command"):
            command = trial.partition(" ")[0]
            raise StoreMisconfigured(f"it does not know the command {command}, which the service needs") from error
        if isinstance(error, redis.exceptions.NoPermissionError) or "NOPERM" in said:
            return ("to run the" in said) == rule.startswith("+") and ("channel" in said) == rule.startswith("&")
        if not any(words in said for words in _OF_TRIALS):
            raise
    return False


# -- check that the configuration of a Redis cannot lose games; if it can, explain how to fix it ------------------


_log = logging.getLogger(__name__)

_DURABLE = {
    "appendonly": ("yes", "events would be lost at a restart"),
    "maxmemory-policy": ("noeviction", "whole games could be dropped when memory runs short"),
}

_SAFER = {
    "aof-load-truncated": ("no", "after a power cut, Redis can start without the last events and without a warning"),
    "appendfsync": ("everysec", "a power cut can lose more than the last second"),
}

_ALL = _DURABLE | _SAFER


def check_configurations(servers: Sequence[tuple[redis.Redis, Server]]) -> tuple[list[str], list[str]]:
    """List the settings that would lose games, and those that could, on all servers that store them."""
    wrong, warnings = list[str](), list[str]()
    for client, server in servers:
        of_node = _check_configuration(client, server.facts)
        for found, texts in zip((wrong, warnings), of_node, strict=True):
            found.extend(f"{server.place}: {text}" if server.place else text for text in texts)
    return wrong, warnings


def _check_configuration(client: redis.Redis, facts: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Check one server; if CONFIG is forbidden, use the ``facts`` of INFO."""
    found = _configuration(client, facts)
    wrong, warnings = (
        [
            _mending(client, facts, name, found[name], *better)
            for name, better in wanted.items()
            if _differs(found, name, better)
        ]
        for wanted in (_DURABLE, _SAFER)
    )
    unread = [f"{name} ({value}; or else {why})" for name, (value, why) in _ALL.items() if name not in found]
    if unread:
        warnings.append(
            f"the server does not allow these settings to be checked; make sure of them: {', '.join(unread)}"
        )
    return wrong, warnings


def _configuration(client: redis.Redis, facts: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    if "aof_enabled" in facts:
        found["appendonly"] = "yes" if facts["aof_enabled"] else "no"
    if "maxmemory_policy" in facts:
        found["maxmemory-policy"] = facts["maxmemory_policy"]
    try:
        found |= cast("dict[str, str]", client.config_get(*_ALL))
    except redis.ResponseError as error:
        _log.debug("CONFIG GET: %s", error)
    return found


def _differs(found: Mapping[str, str], name: str, better: tuple[str, str]) -> bool:
    wanted = ("everysec", "always") if name == "appendfsync" else (better[0],)
    return name in found and found[name] not in wanted


def _mending(client: redis.Redis, facts: Mapping[str, Any], name: str, value: str, wanted: str, why: str) -> str:
    change = redis_cli(client, "CONFIG", "SET", name, wanted)
    if facts.get("config_file") == "":  # CONFIG REWRITE has no file to write to
        keep = f": start the server with --{name} {wanted} from now on"
    else:
        keep = f" with: {redis_cli(client, 'CONFIG', 'REWRITE')}"
    return f"{name} is {value}, so {why}; fix it with: {change}, and make it permanent{keep}"
