"""Counters of what the workers have done, kept in Redis so that every process can read them."""

import logging
from collections.abc import Mapping
from typing import cast

import redis

from service.store import keys

_log = logging.getLogger(__name__)


class Counters:
    """The counters in one Redis. A counter has a name, and can have a label."""

    def __init__(self, client: redis.Redis) -> None:
        self._redis = client

    def count(self, name: str, by: str = "", times: int = 1) -> None:
        """Count one more, or several; if Redis does not answer, only log that."""
        try:
            self._redis.hincrby(keys.COUNTERS, f"{name} {by}".strip(), times)
        except redis.RedisError as error:
            _log.warning("not counted: %s", type(error).__name__)

    def read(self) -> Mapping[tuple[str, str], int]:
        """Read all counters, by name and label."""
        found = cast("dict[bytes, bytes]", self._redis.hgetall(keys.COUNTERS))
        return {(name, by): int(n) for key, n in found.items() for name, _, by in [key.decode().partition(" ")]}
