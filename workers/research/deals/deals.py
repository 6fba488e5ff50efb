"""The properties of a game's deals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.serialization import Plain
from domain.table import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """How a game consists of deals; the defaults are those of a game that is one deal, won or lost."""

    of_one: Mapping[str, Plain] = field(default_factory=dict)
    """The options with which a game is one deal, if there are any."""
    is_left_after_one: bool = False
    """Whether a game always has several deals, so that it is stopped after the first; its state has ``results``."""
    teams: Sequence[frozenset[Seat]] = ()
    """The seats of each side, if sides are fixed and win or lose together."""
    most_points: int = 0
    """If every deal is scored, the most points that a seat can win or lose in one; the state has the ``scores``."""
    most: Callable[[Any, bool], int] = lambda _options, _whole_game: 1
    """Return the most deals, not counting void ones, with these options in a whole game."""
    spread: float = 1.0
    """Half of the usual difference between the scores of a deal, by which a tree search explores."""
    longest_playout: int | None = None
    """The length in numbers at which a random playout is stopped and counts as a draw, if games can be very long."""
