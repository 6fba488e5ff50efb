"""Check that the configuration of a Redis cannot lose games; if it can, explain how to fix it."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, cast

import redis

from service.store.redis.redis_server import Server, redis_cli

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
    """List what would lose games, and what could, on all servers that keep them."""
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
