"""Lua scripts, each in a file beside the module that runs it; optimistic updates; messages of a subscription."""

from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, TypeVar, cast

import redis
from redis.commands.core import Script


def script(client: redis.Redis, module: str, name: str) -> Script:
    """Return the script ``name.lua`` beside a module (its ``__name__``), for a client."""
    return client.register_script(script_text(module, name))


def script_text(module: str, name: str) -> str:
    return files(module.rpartition(".")[0]).joinpath(f"{name}.lua").read_text()


T = TypeVar("T")


def update(client: redis.Redis, watched: tuple[str, ...], change: Callable[[Any], T]) -> T:
    """Let ``change`` read with a pipeline, call its ``multi`` and write; return its result.

    It is called again if another process changed a watched key in between. If it raises, nothing is changed.
    """
    return cast("T", client.transaction(cast("Any", change), *watched, value_from_callable=True))


def messages(subscription: Any, seconds: float) -> Iterator[dict[str, Any] | None]:
    """Yield messages, and None after so many seconds without one; raise ``TimeoutError`` if a ping is not answered."""
    is_pinged = False
    while True:
        message = subscription.get_message(timeout=seconds)
        if message is None and is_pinged:
            raise redis.TimeoutError("a ping was not answered")
        if message is None:
            subscription.ping()
        is_pinged = message is None
        yield message
