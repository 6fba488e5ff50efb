"""Errors of the store: it is unavailable, or it cannot serve a game."""

from functools import partial
from typing import Any, ClassVar

import redis
from redis.client import Pipeline

from service.common.greenlets import in_thread

StoreUnavailable = redis.RedisError
"""Any error of Redis: the store cannot be used now. If the reply was lost, a write may or may not have taken effect.

Packages that do not know Redis handle it by this name.
"""


class NotReplicated(StoreUnavailable):
    """A write is in the log of the primary, but too few replicas have confirmed it; a fail-over could lose it."""

    code = "not-replicated"


class DiscreetPipeline(Pipeline):
    """A pipeline whose errors are as the server sent them: the library would quote commands, which can be private.

    An event loop never waits for it.
    """

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Carry out all commands; return the replies."""
        return in_thread(partial(super().execute, raise_on_error))

    def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry out a command at once, such as WATCH."""
        return in_thread(partial(super().immediate_execute_command, *args, **options))

    def reset(self) -> None:  # type: ignore[override]  # as in the library
        """Drop all commands, and the watched keys."""
        if self.watching:
            in_thread(super().reset)
        else:
            super().reset()

    def annotate_exception(self, *_: Any) -> None:
        """Leave the error unchanged."""


class Client(redis.Redis):
    """A client whose pipelines are discreet, and for which an event loop never waits."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry out a command; return the reply."""
        return in_thread(partial(super().execute_command, *args, **options))

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        """Collect commands."""
        return DiscreetPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)


class NotServed(Exception):
    """A game that the service cannot serve, while it serves others. Retrying does not help; only an operator can."""

    code: ClassVar[str]
    detail: ClassVar[str]
    """The text that clients read."""

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
