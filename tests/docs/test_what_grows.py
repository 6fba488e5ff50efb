"""The page of what is kept names every key of the store, with what bounds it, and no other key."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from service.store import keys
from tests.servers import ROOT

SECTION = (ROOT / "docs/operations/growth.md").read_text().partition("## What grows")[2].partition("\n## ")[0]
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in SECTION.splitlines() if row.startswith("| `")]
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


def test_every_key_is_named_once_with_what_it_holds_and_what_bounds_it() -> None:
    named = [key for row in ROWS for key in re.findall("`([^`]+)`", row[0])]
    assert sorted(named) == sorted(keys_in_use())
    assert len(named) > 20
    assert all(len(row) == 3 and all(row) for row in ROWS)


def test_every_function_of_the_module_of_keys_returns_a_key_or_says_what_else() -> None:
    for name, function in inspect.getmembers(keys, inspect.isfunction):
        if function.__module__ == keys.__name__:
            begins = (function.__doc__ or "").split(":")[0]
            assert begins in KINDS or begins.startswith("Return "), f"{name}: begin with {', '.join(KINDS)} or Return"
