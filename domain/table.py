"""What every game has: seats, and an outcome."""

from dataclasses import dataclass

Seat = int
"""A place at the table, counted from 0; the rules of each game say in which direction."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, who won (ties share), and the final scores by seat."""

    reason: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
