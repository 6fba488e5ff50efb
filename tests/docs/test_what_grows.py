"""The page of what is kept names every key of the store, with what bounds it, and no other key."""

import inspect
import re

from service.store import keys
from tests.support.keys_in_use import KINDS, keys_in_use
from tests.support.server import ROOT

SECTION = (ROOT / "docs/operations/growth.md").read_text().partition("## What grows")[2].partition("\n## ")[0]
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in SECTION.splitlines() if row.startswith("| `")]


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
