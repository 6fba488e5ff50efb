"""The keys of the store, as the module that makes them says."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from service.store import keys

KINDS = ("Hash", "Sorted set", "Stream", "String")
"""How the docstring of a function that returns a key begins; that of any other function begins with Return."""


def filled(function: Callable[..., Any]) -> str:
    """Return a key whose variable parts are x, also where it has a hash of them."""
    return re.sub("[0-9a-f]{64}", "x", str(function(*["x" for _ in inspect.signature(function).parameters])))


def keys_in_use() -> Iterator[str]:
    """List the keys that the module makes; variable parts are x, and the shard is the seventh."""
    for name, value in vars(keys).items():
        if name.isupper() and isinstance(value, str) and not value.endswith("-changed"):  # these are channels
            yield value
        elif inspect.isfunction(value) and (value.__doc__ or "").split(":")[0] in KINDS:
            yield filled(value)
    shard = keys.Shard(7)
    game = keys.GameKeys("x", shard)
    for owner in (shard, game):
        yield from (value for name, value in vars(owner).items() if name not in ("tag", "shard") and name[0] != "_")
        yield from (
            filled(method) for _, method in inspect.getmembers(owner, inspect.ismethod) if method.__name__[0] != "_"
        )
