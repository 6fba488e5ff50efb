"""How each game is made of deals, for what plays a single one or weighs scores."""

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


DEALS: Mapping[str, Deals] = {
    "french-tarot": Deals(
        of_one={"deals": 1},
        most_points=7000,
        most=lambda options, _whole_game: int(options.deals),
        spread=100.0,
    ),
    "le-plateau": Deals(
        is_left_after_one=True,
        most_points=120,
        most=lambda options, whole_game: options.hands if whole_game else 1,
        spread=10.0,
    ),
    "plateau": Deals(longest_playout=60),
    "plute": Deals(
        of_one={"win_at": 1, "lose_at": 1},
        teams=(frozenset({0, 2, 4}), frozenset({1, 3, 5})),
        # Each of the two teams can be one short of both ends before the last deal.
        most=lambda options, _whole_game: 2 * (options.win_at + options.lose_at) - 3,
    ),
}
