"""Whether the store can be reached: every error of Redis becomes one of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import redis

from service.store.replicas import TooFew

_AFTER_COMMAND = " of pipeline caused error: "


class StoreUnavailable(Exception):
    """The log cannot be reached now; if the reply was lost, the append may or may not have taken effect."""


class NotReplicated(StoreUnavailable):
    """A write is in the log of the primary, but too few replicas have confirmed it; a fail-over could lose it."""

    code = "not-replicated"


def said(error: Exception) -> str:
    """Return an error of Redis without the command that the library quotes of a pipeline, which can be private."""
    return f"{type(error).__name__}: {str(error).rpartition(_AFTER_COMMAND)[2]}"


@contextmanager
def unavailable() -> Iterator[None]:
    """Turn any Redis error into ``StoreUnavailable``."""
    try:
        yield
    except TooFew as error:
        raise NotReplicated(str(error)) from error
    except redis.RedisError as error:
        raise StoreUnavailable(said(error)) from error
