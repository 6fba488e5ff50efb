"""Whether a Redis is configured so that it loses no games, and if not, how to mend it."""

from collections.abc import Mapping
from typing import cast

import redis

_DURABLE = {
    "appendonly": ("yes", "events would be lost at a restart"),
    "maxmemory-policy": ("noeviction", "whole games could be dropped when memory runs short"),
}

_SAFER = {
    "aof-load-truncated": ("no", "after a power cut Redis may start without the last events and say nothing"),
    "appendfsync": ("everysec", "a power cut may cost more than the last second"),
}


def check_configuration(client: redis.Redis) -> tuple[list[str], list[str]]:
    """Say what would lose games, and what might."""
    try:
        found = cast("dict[str, str]", client.config_get(*_DURABLE, *_SAFER))
    except redis.ResponseError as error:
        return [], [f"the configuration of Redis cannot be read ({error}): see to appendonly and noeviction yourself"]
    wrong = [_mending(name, found[name], *better) for name, better in _DURABLE.items() if _differs(found, name, better)]
    return wrong, [
        _mending(name, found[name], *better) for name, better in _SAFER.items() if _differs(found, name, better)
    ]


def _differs(found: Mapping[str, str], name: str, better: tuple[str, str]) -> bool:
    wanted = ("everysec", "always") if name == "appendfsync" else (better[0],)
    return found.get(name, better[0]) not in wanted


def _mending(name: str, value: str, wanted: str, why: str) -> str:
    return (
        f"{name} is {value}, so that {why}; mend it with: redis-cli CONFIG SET {name} {wanted}, "
        "and let it last with: redis-cli CONFIG REWRITE"
    )
