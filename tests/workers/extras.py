"""Libraries of the extras ``research`` and ``fast-bots``, which tests use if they are there: they are large.

With ``PLATEAU_NEEDS_RESEARCH=1``, as ``make long`` sets it, tests fail without them.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

_ARE_NEEDED = os.environ.get("PLATEAU_NEEDS_RESEARCH") == "1"

needs_numba = pytest.mark.skipif(
    find_spec("numba") is None and not _ARE_NEEDED, reason="numba, of the extra fast-bots, is not installed"
)


def needed(name: str) -> Any:
    """Import a library of the extra ``research``; without it, skip the tests of this module, or this test."""
    if find_spec(name.partition(".")[0]) is None and not _ARE_NEEDED:
        pytest.skip(f"{name}, of the extra research, is not installed", allow_module_level=True)
    return import_module(name)
