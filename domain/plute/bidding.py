"""Bidding: one turn each, the dealer last, who must not let a hand go unbid (rules.md, bidding)."""

from collections.abc import Sequence

from domain.cardplay.tricks import only
from domain.errors import Refusals
from domain.plute import events as ev
from domain.plute.actions import Action, Bid, Pass
from domain.plute.deck import PLAYERS
from domain.plute.state import Spoken, State, team_of
from domain.sentences import message as msg
from domain.table import Seat

RULE = "3. Bidding"
_refuse = Refusals(__package__)
LOWEST, HIGHEST = 4, 7


def actors(state: State) -> frozenset[Seat]:
    """Return the seat to speak, if the bidding continues."""
    return only(None if _is_over(state) else next_speaker(state.hand.dealer, state.hand.bids))


def next_speaker(dealer: Seat, bids: Sequence[Spoken]) -> Seat:
    """Return the seat that speaks next: clockwise from the dealer's left."""
    return (dealer + 1 + len(bids)) % PLAYERS


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List the bids that a seat can make, lowest first, and the pass."""
    passes = () if _is_stuck(state, seat) else (Pass(),)
    return (*map(Bid, _legal_points(state, seat)), *passes)


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Bid or pass."""
    if isinstance(action, Pass):
        if _is_stuck(state, seat):
            raise _refuse("dealer-must-bid", RULE, least=msg.Number(LOWEST))
        return [ev.Passed(seat)]
    if not isinstance(action, Bid):
        raise _refuse("wrong-phase.bid", RULE)
    legal = _legal_points(state, seat)
    if action.points in legal:
        return [ev.BidMade(seat, action.points)]
    if action.points not in range(LOWEST, HIGHEST + 1):
        least, most = msg.Number(LOWEST), msg.Number(HIGHEST)
        raise _refuse("no-such-bid", RULE, least=least, most=most, points=msg.Number(action.points))
    if _is_stuck(state, seat):
        raise _refuse("dealer-bids-four", RULE, least=msg.Number(LOWEST))
    raise _refuse("bid-too-low", RULE, points=msg.Number(action.points), least=msg.Number(legal[0]))


def result(state: State) -> ev.ContractWon | None:
    """Return the contract, None while a seat must still speak."""
    if not _is_over(state):
        return None
    bidder, points = next((spoken.seat, spoken.points) for spoken in reversed(state.hand.bids) if spoken.points)
    return ev.ContractWon(bidder, team_of(bidder), points)


def highest(bids: Sequence[Spoken]) -> int | None:
    """Return the last bid, which is the highest, if there is one."""
    return next((spoken.points for spoken in reversed(bids) if spoken.points), None)


def _legal_points(state: State, seat: Seat) -> range:
    """Return the points that a seat can bid."""
    if _is_stuck(state, seat) and not state.options.stuck_dealer_may_raise:
        return range(LOWEST, LOWEST + 1)
    bid = highest(state.hand.bids)
    if bid is None:
        return range(LOWEST, HIGHEST + 1)
    steals = seat == state.hand.dealer and state.options.dealer_may_steal
    return range(bid if steals else bid + 1, HIGHEST + 1)


def _is_stuck(state: State, seat: Seat) -> bool:
    """Return whether a seat is the dealer to whom all the others have passed."""
    return seat == state.hand.dealer and highest(state.hand.bids) is None


def _is_over(state: State) -> bool:
    return len(state.hand.bids) == PLAYERS or highest(state.hand.bids) == HIGHEST
