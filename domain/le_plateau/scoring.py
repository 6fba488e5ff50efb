"""Scores of a hand, and the ranking at the end of a game (rules.md, score)."""

from collections.abc import Mapping
from dataclasses import dataclass

from domain.cardplay.ranking import best_seats
from domain.le_plateau.actions import TeamSize
from domain.le_plateau.events import Side
from domain.le_plateau.state import State, contract_of
from domain.table import Outcome


@dataclass(frozen=True, slots=True)
class _Shares:
    """How many times the value the declarer, each partner and each opposing player win or lose."""

    declarer: int
    partner: int
    opposing: int


_DECLARER: Mapping[tuple[int, TeamSize], int] = {
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
"""Zero-sum: how many times the value the declarer wins or loses, by players and team."""

_WINNER: Mapping[tuple[int, TeamSize], int] = {
    (2, "solo"): 1,
    (3, "solo"): 1,
    (4, "duo"): 1,
    (4, "solo"): 2,
    (5, "duo"): 1,
    (5, "solo"): 2,
    (6, "trio"): 2,
    (6, "duo"): 3,
    (6, "solo"): 6,
}
"""Positive only: how many times the value each player of the winning side wins, by players and team."""

_WITH_ABDICATION: Mapping[TeamSize, _Shares] = {"duo": _Shares(2, 1, 1), "solo": _Shares(3, 0, 3)}
"""Positive only with 5 players, where abdication is possible: what the players of the winning side win."""


def hand_scores(state: State, by: Side) -> tuple[int, ...]:
    """Return what each seat wins or loses by a hand that a side won."""
    contract = contract_of(state)
    shares = _zero_sum(state, by) if state.options.scoring == "zero_sum" else _positive(state, by)
    share = dict.fromkeys(contract.partners, shares.partner) | {contract.declarer: shares.declarer}
    return tuple(contract.value * share.get(seat, shares.opposing) for seat in range(state.seats))


def _zero_sum(state: State, by: Side) -> _Shares:
    sign = 1 if by == "declarer" else -1
    declarer = _DECLARER[state.seats, contract_of(state).team]
    partner = 1 if state.seats == 5 else declarer
    return _Shares(sign * declarer, sign * partner, -sign)


def _positive(state: State, by: Side) -> _Shares:
    """Return the shares of the winning side; the other side gets nothing."""
    team = contract_of(state).team
    each = _WINNER[state.seats, team]
    shares = _WITH_ABDICATION[team] if state.options.abdication == "on" else _Shares(each, each, each)
    return _Shares(shares.declarer, shares.partner, 0) if by == "declarer" else _Shares(0, 0, shares.opposing)


def final(state: State) -> Outcome:
    """Return the result of the game, and the winners."""
    every_positive = state.stops and state.options.scoring == "zero_sum"
    winners = best_seats(state.scores, every_positive=every_positive)
    return Outcome("stop_agreed" if state.stops else "hands_played", winners, state.scores)
