"""What every game has: seats, viewers, and an outcome."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Seat = int
"""A place at the table, counted from 0; the rules of each game say in which direction."""

MOST_SEATS: Final = 12
"""The most seats that a table has room for; the fewest are two."""

EVERYTHING: Final = "everything"

Viewer: TypeAlias = Seat | Literal["everything"] | None
"""For whom a view is made: a seat, a spectator (None), or, once a game is over, readers who can see ``EVERYTHING``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, who won (ties share), and the final scores by seat."""

    reason: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
