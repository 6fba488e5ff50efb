"""Whether the store can be reached: every error of Redis becomes one of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import redis


class StoreUnavailable(Exception):
    """The log cannot be reached now; if the reply was lost, the append may or may not have taken effect."""


@contextmanager
def unavailable() -> Iterator[None]:
    """Turn any Redis error into ``StoreUnavailable``."""
    try:
        yield
    except redis.RedisError as error:
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error
