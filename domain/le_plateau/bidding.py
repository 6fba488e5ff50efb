"""Bidding: what a bid is worth, which seat speaks, which bid becomes the contract (rules.md, bidding)."""

from collections.abc import Sequence

from domain.cardplay.tricks import only
from domain.errors import Refusals
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Action, Bid, Pass, TeamSize
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.state import BidView, Contract, State, shape_of
from domain.le_plateau.turns import bidder
from domain.sentences import message as msg
from domain.table import Seat

RULE = "4. Bidding"
_refuse = Refusals(__package__)
TEAMS: dict[int, tuple[TeamSize, ...]] = {
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
STEP = 2
"""What each step of the objective adds to the value of a bid."""

TEAM_STEP = 5
"""What each smaller team adds."""


def value_of(seats: int, exchange: bool | None, objective: Objective, team: TeamSize) -> int:
    """Value a bid: 1 with exchange, 2 without, 2 for each step of the objective, and 5 for each smaller team.

    ``exchange`` is None where a bid has no such part.
    """
    return _EXCHANGE_VALUE[exchange] + STEP * OBJECTIVES.index(objective) + TEAM_STEP * TEAMS[seats].index(team)


def raised_value(contract: Contract, objective: Objective) -> int:
    """Value a contract with another objective."""
    return contract.value + STEP * (OBJECTIVES.index(objective) - OBJECTIVES.index(contract.objective))


def actors(state: State) -> frozenset[Seat]:
    """Return the seat to speak, if the bidding continues."""
    return only(bidder(state.hand.bids, state.hand.dealer, state.seats))


def legal_actions(state: State, _seat: Seat) -> Sequence[Action]:
    """List every higher bid, cheapest first, and the pass."""
    beaten = _to_beat(state)
    bids = [
        (value, Bid(exchange, objective, team))
        for team in TEAMS[state.seats]
        for objective in OBJECTIVES
        for exchange in _exchanges(state)
        if (value := value_of(state.seats, exchange, objective, team)) > beaten
    ]
    return (*(bid for _, bid in sorted(bids, key=lambda valued: valued[0])), Pass())


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Bid or pass."""
    if isinstance(action, Pass):
        return [ev.Passed(seat)]
    if not isinstance(action, Bid):
        raise _refuse("wrong-phase.bid", RULE)
    _check_exchange_part(state, action)
    teams = TEAMS[state.seats]
    if action.team not in teams:
        team, possible = (
            msg.Message(f"team.{action.team}"),
            msg.Items(tuple(msg.Message(f"team.{each}") for each in teams)),
        )
        raise _refuse("no-such-team", RULE, team=team, seats=msg.Number(state.seats), teams=possible)
    value = value_of(state.seats, action.exchange, action.objective, action.team)
    if value <= _to_beat(state):
        raise _refuse("bid-too-low", RULE, value=msg.Number(value), least=msg.Number(_to_beat(state)))
    return [ev.BidMade(seat, action.exchange, action.objective, action.team, value)]


def result(state: State) -> ev.ContractWon | ev.HandPassedOut | None:
    """Return how the bidding ended, None while a seat must speak."""
    if actors(state):
        return None
    highest = _highest(state)
    if highest is None:
        return ev.HandPassedOut()
    seat, bid, value = highest
    return ev.ContractWon(seat, bool(bid.get("exchange")), bid["objective"], bid["team"], value)


def _highest(state: State) -> tuple[Seat, BidView, int] | None:
    """Return the last and highest bid with its seat and value, if there is one."""
    spoken = ((each.seat, each.bid, each.value) for each in reversed(state.hand.bids))
    return next(((seat, bid, value) for seat, bid, value in spoken if bid and value is not None), None)


def _exchanges(state: State) -> tuple[bool | None, ...]:
    """List what the exchange part of a bid can be: None alone, where there is no such part."""
    return (True, False) if shape_of(state).exchange else (None,)


def _check_exchange_part(state: State, bid: Bid) -> None:
    if bid.exchange in _exchanges(state):
        return
    if bid.exchange is None:
        raise _refuse("exchange-missing", RULE)
    raise _refuse("no-exchange-here", RULE, seats=msg.Number(state.seats))


def _to_beat(state: State) -> int:
    highest = _highest(state)
    if highest:
        return highest[-1]
    return (_LOWEST_VALUE[state.seats] if shape_of(state).exchange else _LOWEST_WITHOUT_EXCHANGE_PART) - 1
