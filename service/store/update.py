"""Changes that read before they write, in one atomic step (WATCH)."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import redis

T = TypeVar("T")


def update(client: redis.Redis, watched: tuple[str, ...], change: Callable[[Any], T]) -> T:
    """Let ``change`` read with a pipeline, call its ``multi`` and write; return what it returns.

    It is called again if another process changed a watched key in between. What it raises leaves everything as it was.
    """
    return cast("T", client.transaction(cast("Any", change), *watched, value_from_callable=True))
