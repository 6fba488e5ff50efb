"""Whether the store can be reached, and a game served: every error of Redis becomes one of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import redis

from service.store.redis.replicas import TooFew

_AFTER_COMMAND = " of pipeline caused error: "


class StoreUnavailable(Exception):
    """The log cannot be reached now; if the reply was lost, the append may or may not have taken effect."""


class NotReplicated(StoreUnavailable):
    """A write is in the log of the primary, but too few replicas have confirmed it; a fail-over could lose it."""

    code = "not-replicated"


def said(error: Exception) -> str:
    """Return an error of Redis without the command that the library quotes of a pipeline, which can be private."""
    return f"{type(error).__name__}: {str(error).rpartition(_AFTER_COMMAND)[2]}"


class NotServed(Exception):
    """A game that the service cannot serve, while others go on. Trying again does not help; the operator can."""

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


@contextmanager
def unavailable() -> Iterator[None]:
    """Turn any Redis error into ``StoreUnavailable``."""
    try:
        yield
    except TooFew as error:
        raise NotReplicated(str(error)) from error
    except redis.RedisError as error:
        raise StoreUnavailable(said(error)) from error
