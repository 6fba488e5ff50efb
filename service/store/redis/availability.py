"""Errors of the store: what it cannot do now, and which games it cannot serve."""

from typing import Any, ClassVar

import redis
from redis.client import Pipeline

StoreUnavailable = redis.RedisError
"""Any error of Redis: the store cannot be used now. If the reply was lost, a write may or may not have taken effect.

Rooms that do not know Redis handle it by this name.
"""


class NotReplicated(StoreUnavailable):
    """A write is in the log of the primary, but too few replicas have confirmed it; a fail-over could lose it."""

    code = "not-replicated"


class DiscreetPipeline(Pipeline):
    """A pipeline whose errors are as the server said them: the library would quote commands, which can be private."""

    def annotate_exception(self, *_: Any) -> None:
        """Leave the error as it is."""


class Client(redis.Redis):
    """A client whose pipelines are discreet."""

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        """Collect commands."""
        return DiscreetPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)


class NotServed(Exception):
    """A game that the service cannot serve, while others can be. Trying again does not help; the operator can."""

    code: ClassVar[str]
    detail: ClassVar[str]
    """What clients read."""

    def __init__(self, game_id: str, version: int, message: str) -> None:
        super().__init__(message)
        self.game_id = game_id
        self.version = version


class LogDamaged(NotServed):
    """A log is not as it was written: events are missing in the middle, or were changed."""

    code = "log-damaged"
    detail = "the log of this game is damaged; the game is not served"

    def __init__(self, game_id: str, version: int, reason: str) -> None:
        super().__init__(game_id, version, f"the log of {game_id} is damaged at version {version}: {reason}")
