"""The size of a benchmark: by its arguments, or just enough to show that it works (``--quick``)."""

import sys
from typing import TypeVar

T = TypeVar("T", int, float, str)
QUICK = "--quick"


def is_quick() -> bool:
    """Return whether the run only shows that the benchmark works; its figures mean nothing."""
    return QUICK in sys.argv


def given() -> list[str]:
    """List the arguments, without the switch."""
    return [argument for argument in sys.argv[1:] if argument != QUICK]


def size(place: int, usual: T, quick: T) -> T:
    """Read the argument at a place, with the type of the default; raise ``SystemExit`` if it has another type."""
    arguments = given()
    if place >= len(arguments):
        return quick if is_quick() else usual
    try:
        return type(usual)(arguments[place])
    except ValueError:
        sys.exit(f"{arguments[place]!r} is not valid: give a {type(usual).__name__} as argument {place + 1}")
