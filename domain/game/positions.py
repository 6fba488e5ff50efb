"""The latest positions of a game, to which a take-back can return.

A position is kept from the end of one request to the first event that is not open (``Ruleset.open_events``). What is
kept follows from the log and the ruleset alone, so every fold of a log keeps the same.
"""

from collections.abc import Set
from typing import NamedTuple, TypeAlias

from domain.table import Seat

MOST = 32
"""How many positions are kept when a seat acts. This can be raised, but never lowered: stored games rely on it."""


class Position(NamedTuple):
    """The ruleset's state at a version at which a seat was to act, and the seats whose events led to it."""

    version: int
    state: object
    acted: tuple[Seat, ...]


Positions: TypeAlias = tuple[Position, ...]
"""Positions from the earliest to the latest; the last one is that of the last request."""


def with_latest(positions: Positions, version: int, state: object, acted: Set[Seat | None]) -> Positions:
    """Add the position at the end of a request, by the seats that acted in it; how the first came about is the past."""
    seats = tuple(sorted(seat for seat in acted if seat is not None)) if positions else ()
    return (*positions, Position(version, state, seats))


def following(positions: Positions, kinds: Set[type], open_events: Set[type]) -> Positions:
    """Return the positions that are kept after events of some kinds of the ruleset."""
    return positions[-MOST:] if positions and kinds <= open_events else ()


def up_to(positions: Positions, version: int) -> Positions:
    """Return the positions up to a version at which there is one; raise ``LookupError`` if there is none."""
    for index, position in enumerate(positions):
        if position.version == version:
            return positions[: index + 1]
    raise LookupError(f"there is no position at version {version}")
