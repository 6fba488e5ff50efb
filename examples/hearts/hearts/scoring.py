"""The points of a hand, and how a game ends (rules.md, sections 4 and 5)."""

from collections.abc import Iterable, Sequence

from domain.table import Outcome, Seat
from hearts import nouns as ev
from hearts.deck import ALL_POINTS, PLAYERS
from hearts.state import State

RULE = "4. Points"
ENDING = "5. The end of the game"


def points_by_seat(tricks: Iterable[ev.TrickTaken]) -> tuple[int, ...]:
    """Return the points that each seat has taken."""
    taken = [0] * PLAYERS
    for trick in tricks:
        taken[trick.winner] += trick.points
    return tuple(taken)


def shooter_of(options: ev.Options, taken: Sequence[int]) -> Seat | None:
    """Return the seat that shot the moon."""
    return taken.index(ALL_POINTS) if options.shoot_the_moon and ALL_POINTS in taken else None


def settle(state: State) -> list[ev.Event]:
    """Score a hand whose tricks are all taken."""
    taken = points_by_seat(state.table.tricks)
    shooter = shooter_of(state.options, taken)
    scores = taken if shooter is None else tuple(ALL_POINTS - points for points in taken)
    totals = tuple(map(sum, zip(state.totals, scores, strict=True)))
    return [ev.HandScored(state.hand.number, taken, shooter, scores, totals)]


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, None while it goes on."""
    if state.phase != "over":
        return None
    winners = tuple(seat for seat, score in enumerate(state.totals) if score == min(state.totals))
    return Outcome("limit_reached", winners, state.totals)
