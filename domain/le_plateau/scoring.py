"""Scores of a hand, and the ranking at the end of a game (rules.md, score)."""

from domain.le_plateau.events import Side
from domain.le_plateau.state import State, contract_of, side_of
from domain.ruleset import Outcome

_DECLARER = {
    (2, "solo"): 1,
    (3, "solo"): 2,
    (4, "duo"): 1,
    (4, "solo"): 3,
    (5, "duo"): 2,
    (5, "solo"): 4,
    (6, "trio"): 1,
    (6, "duo"): 2,
    (6, "solo"): 5,
}
"""How many times the value the declarer wins or loses, by players and team."""


def hand_scores(state: State, by: Side) -> tuple[int, ...]:
    """Give what each seat wins or loses by a hand that a side won; the sum is zero."""
    contract = contract_of(state)
    sign = 1 if by == "declarer" else -1
    declarer = _DECLARER[state.seats, contract.team]
    partner = 1 if state.seats == 5 else declarer
    share = dict.fromkeys(contract.partners, partner) | {contract.declarer: declarer}
    return tuple(
        sign * contract.value * (share[seat] if side_of(state, seat) == "declarer" else -1)
        for seat in range(state.seats)
    )


def final(state: State) -> Outcome:
    """Rank the final scores: the highest wins, ties share.

    Where the players agreed to stop and every hand sums to zero, every positive score counts as a winner.
    """
    best = max(state.scores)
    least = 1 if state.stops and state.options.scoring == "zero_sum" and best > 0 else best
    winners = tuple(seat for seat, score in enumerate(state.scores) if score >= least)
    return Outcome("stop_agreed" if state.stops else "hands_played", winners, state.scores)
