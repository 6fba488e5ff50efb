"""Libraries of the extra ``research`` that the tests use if they are there: they are large."""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


def needed(name: str) -> Any:
    """Import a library; without it, skip the tests of this module or this test, unless PLATEAU_NEEDS_RESEARCH is 1."""
    if find_spec(name.partition(".")[0]) is None and os.environ.get("PLATEAU_NEEDS_RESEARCH") != "1":
        pytest.skip(f"{name}, of the extra research, is not installed", allow_module_level=True)
    return import_module(name)
