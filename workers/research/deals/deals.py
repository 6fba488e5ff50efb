"""What a game says of its deals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.serialization import Plain
from domain.table import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """How a game is made of deals; what is not stated is as in a game that is one deal, won or lost."""

    of_one: Mapping[str, Plain] = field(default_factory=dict)
    """The options with which a game is one deal, where there are any."""
    is_left_after_one: bool = False
    """Whether a game always has several deals, so that it is left after the first; its state has ``results``."""
    teams: Sequence[frozenset[Seat]] = ()
    """Where sides are fixed and win or lose together, their seats."""
    most_points: int = 0
    """Where every deal is scored, how many points a seat can win or lose in it; the state has the ``scores`` so far."""
    most: Callable[[Any, bool], int] = lambda _options, _whole_game: 1
    """Return how many deals there can be, not counting those that are void, with these options in a whole game."""
    spread: float = 1.0
    """Half of how far the scores of a deal usually lie apart: a tree search explores by so much."""
    longest_playout: int | None = None
    """After how many numbers a random playout is broken off and counts as a draw, where games can be very long."""
