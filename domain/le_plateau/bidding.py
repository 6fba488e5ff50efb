"""Bidding: what a bid is worth, who speaks, who wins the contract (rules.md, bidding)."""

from collections.abc import Sequence
from typing import Any

from domain.errors import IllegalAction
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Action, Bid, Pass, Team
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.state import Contract, Spoken, State, deal_of, forehand
from domain.table import Seat

RULE = "4. Bidding"
TEAMS: dict[int, tuple[Team, ...]] = {
    2: ("solo",),
    3: ("solo",),
    4: ("duo", "solo"),
    5: ("duo", "solo"),
    6: ("trio", "duo", "solo"),
}
"""The teams that can be bid with a number of players, cheapest first."""

_LOWEST_VALUE = {2: 3, 3: 1, 4: 3, 5: 1, 6: 3}
_LOWEST_WITHOUT_EXCHANGE_PART = 2
_EXCHANGE_VALUE = {True: 1, False: 2, None: 0}
_STEP = 2


def value_of(seats: int, exchange: bool | None, objective: Objective, team: Team) -> int:
    """Value a bid: 1 with exchange, 2 without, 2 for each step of the objective, and 5 for each smaller team.

    ``exchange`` is None where a bid has no such part.
    """
    return _EXCHANGE_VALUE[exchange] + _STEP * OBJECTIVES.index(objective) + 5 * TEAMS[seats].index(team)


def raised_value(contract: Contract, objective: Objective) -> int:
    """Value a contract with another objective."""
    return contract.value + _STEP * (OBJECTIVES.index(objective) - OBJECTIVES.index(contract.objective))


def actors(state: State) -> frozenset[Seat]:
    """Give the seat to speak, if the bidding goes on."""
    seat = _next_speaker(state)
    return frozenset() if seat is None else frozenset({seat})


def legal_actions(state: State, _seat: Seat) -> Sequence[Action]:
    """List every higher bid, cheapest first, and the pass."""
    beaten = _to_beat(state)
    bids = [
        Bid(exchange, objective, team)
        for team in TEAMS[state.seats]
        for objective in OBJECTIVES
        for exchange in _exchanges(state)
        if value_of(state.seats, exchange, objective, team) > beaten
    ]
    return (*sorted(bids, key=lambda bid: value_of(state.seats, bid.exchange, bid.objective, bid.team)), Pass())


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Bid or pass."""
    if isinstance(action, Pass):
        return [ev.Passed(seat)]
    if not isinstance(action, Bid):
        raise IllegalAction("wrong-phase", "the bidding is on: bid or pass", RULE)
    _check_exchange_part(state, action)
    if action.team not in TEAMS[state.seats]:
        allowed = ", ".join(TEAMS[state.seats])
        raise IllegalAction(
            "no-such-team", f"{action.team} is no team with {state.seats} players; there is: {allowed}", RULE
        )
    value = value_of(state.seats, action.exchange, action.objective, action.team)
    if value <= _to_beat(state):
        raise IllegalAction("bid-too-low", f"the bid is worth {value}; it must exceed {_to_beat(state)}", RULE)
    return [ev.BidMade(seat, action.exchange, action.objective, action.team, value)]


def result(state: State) -> ev.ContractWon | ev.HandPassedOut | None:
    """Say how the bidding ended, None while somebody must speak."""
    if _next_speaker(state) is not None:
        return None
    bid = highest(state.hand.bids)
    if bid is None:
        return ev.HandPassedOut()
    return ev.ContractWon(bid.seat, bool(bid.exchange), bid.objective, bid.team, bid.value)


def highest(bids: Sequence[Spoken]) -> ev.BidMade | None:
    """Give the last and highest bid, if there is one."""
    return next((spoken.bid for spoken in reversed(bids) if spoken.bid), None)


def _exchanges(state: State) -> tuple[bool | None, ...]:
    """Give what the exchange part of a bid may say: nothing, where there is no such part."""
    return (True, False) if deal_of(state).exchange else (None,)


def _check_exchange_part(state: State, bid: Bid) -> None:
    if bid.exchange in _exchanges(state):
        return
    if bid.exchange is None:
        raise IllegalAction("exchange-missing", "a bid says whether you exchange: give exchange, true or false", RULE)
    message = f"there is no exchange with {state.seats} players in edition 2022: leave exchange out of the bid"
    raise IllegalAction("no-exchange-here", message, RULE)


def _to_beat(state: State) -> int:
    bid = highest(state.hand.bids)
    if bid:
        return bid.value
    return (_LOWEST_VALUE[state.seats] if deal_of(state).exchange else _LOWEST_WITHOUT_EXCHANGE_PART) - 1


def _next_speaker(state: State) -> Seat | None:
    """Give the next seat, clockwise, that has not passed; None when only the highest bidder, or nobody, is left."""
    bids = state.hand.bids
    passed = {spoken.seat for spoken in bids if spoken.bid is None}
    first = (bids[-1].seat + 1) % state.seats if bids else forehand(state)
    in_turn = [(first + i) % state.seats for i in range(state.seats)]
    still_in = [seat for seat in in_turn if seat not in passed]
    bid = highest(bids)
    if not still_in or (bid is not None and still_in == [bid.seat]):
        return None
    return still_in[0]
