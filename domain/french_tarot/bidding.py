"""Bidding: the contracts, whose turn it is to bid, and who becomes the taker (rules.md, bidding)."""

from collections.abc import Sequence
from typing import get_args

from domain.cardplay.tricks import next_bidder, only
from domain.errors import Refusals
from domain.french_tarot import events as ev
from domain.french_tarot.actions import Action, Bid, ContractName, Pass
from domain.french_tarot.state import Spoken, State
from domain.sentences import message as msg
from domain.table import Seat

RULE = "4. Bidding"
_refuse = Refusals(__package__)
CONTRACTS: tuple[ContractName, ...] = get_args(ContractName)
"""Low to high."""

MULTIPLIER: dict[ContractName, int] = {"petite": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}


def actors(state: State) -> frozenset[Seat]:
    """Return the seat to bid or pass, until the bidding is over."""
    return only(_to_speak(state))


def legal_actions(state: State, _seat: Seat) -> Sequence[Action]:
    """List every higher contract, lowest first, and the pass."""
    return (*map(Bid, _open_contracts(state)), Pass())


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Bid or pass."""
    if isinstance(action, Pass):
        return [ev.Passed(seat)]
    if not isinstance(action, Bid):
        raise _refuse("wrong-phase.bid", RULE)
    higher = _open_contracts(state)
    if action.contract not in higher:
        if not higher:
            raise _refuse("bid-too-low.nothing-left", RULE)
        allowed = msg.Items(tuple(msg.Message(f"contract.{contract}") for contract in higher))
        raise _refuse("bid-too-low", RULE, contract=msg.Message(f"contract.{action.contract}"), higher=allowed)
    return [ev.BidMade(seat, action.contract)]


def result(state: State) -> ev.ContractWon | ev.DealThrownIn | None:
    """Return how the bidding ended; None while it is running."""
    if _to_speak(state) is not None:
        return None
    highest = _highest(state.deal.bids)
    if highest is None:
        return ev.DealThrownIn("all_passed")
    return ev.ContractWon(highest.seat, highest.contract, MULTIPLIER[highest.contract])


def next_to_speak(players: Sequence[Seat], bids: Sequence[Spoken]) -> Seat | None:
    """Return the next player who has not passed; None once all others have, for then the last one is the taker."""
    passed = {spoken.seat for spoken in bids if spoken.contract is None}
    return next_bidder(players, [spoken.seat for spoken in bids], passed)


def _to_speak(state: State) -> Seat | None:
    """Return the seat to bid or pass: in one round each player has one turn."""
    players, bids = state.deal.players, state.deal.bids
    if state.options.bidding == "one_round" and len(bids) == len(players):
        return None
    return next_to_speak(players, bids)


def _open_contracts(state: State) -> tuple[ContractName, ...]:
    """Return the contracts that can still be bid."""
    highest = _highest(state.deal.bids)
    if highest is None:
        return CONTRACTS[CONTRACTS.index(state.options.minimum_contract) :]
    return CONTRACTS[CONTRACTS.index(highest.contract) + 1 :]


def _highest(bids: Sequence[Spoken]) -> ev.BidMade | None:
    """Return the last and highest bid, if there is one."""
    return next((ev.BidMade(spoken.seat, spoken.contract) for spoken in reversed(bids) if spoken.contract), None)
