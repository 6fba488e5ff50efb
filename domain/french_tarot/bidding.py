"""Bidding: the contracts, who speaks, who becomes the taker (rules.md, bidding)."""

from collections.abc import Sequence
from typing import Any, get_args

from domain.errors import IllegalAction
from domain.french_tarot import events as ev
from domain.french_tarot.actions import Action, Bid, ContractName, Pass
from domain.french_tarot.state import Spoken, State
from domain.table import Seat

RULE = "4. Bidding"
CONTRACTS: tuple[ContractName, ...] = get_args(ContractName)
"""Low to high."""

MULTIPLIER: dict[ContractName, int] = {"petite": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}


def actors(state: State) -> frozenset[Seat]:
    """Give the seat to speak, if the bidding goes on."""
    seat = _next_speaker(state)
    return frozenset() if seat is None else frozenset({seat})


def legal_actions(state: State, _seat: Seat) -> Sequence[Action]:
    """List every higher contract, lowest first, and the pass."""
    return (*map(Bid, _open_contracts(state)), Pass())


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Bid or pass."""
    if isinstance(action, Pass):
        return [ev.Passed(seat)]
    if not isinstance(action, Bid):
        raise IllegalAction("wrong-phase", "the bidding is on: bid or pass", RULE)
    if action.contract not in _open_contracts(state):
        higher = ", ".join(_open_contracts(state))
        message = f"{action.contract} is too low; you may bid {higher}" if higher else "nothing is left to bid: pass"
        raise IllegalAction("bid-too-low", message, RULE)
    return [ev.BidMade(seat, action.contract)]


def result(state: State) -> ev.ContractWon | ev.DealThrownIn | None:
    """Say how the bidding ended, None while somebody must speak."""
    if _next_speaker(state) is not None:
        return None
    highest = _highest(state.deal.bids)
    if highest is None or highest.contract is None:
        return ev.DealThrownIn("all_passed")
    return ev.ContractWon(highest.seat, highest.contract, MULTIPLIER[highest.contract])


def _open_contracts(state: State) -> tuple[ContractName, ...]:
    """Give the contracts that may still be bid."""
    highest = _highest(state.deal.bids)
    if highest is None or highest.contract is None:
        return CONTRACTS[CONTRACTS.index(state.options.minimum_contract) :]
    return CONTRACTS[CONTRACTS.index(highest.contract) + 1 :]


def _highest(bids: Sequence[Spoken]) -> Spoken | None:
    """Give the last and highest bid, if there is one."""
    return next((spoken for spoken in reversed(bids) if spoken.contract), None)


def _next_speaker(state: State) -> Seat | None:
    """Give the next player to speak; with open bidding, who has passed is out, and the last one in is the taker."""
    players, bids = state.deal.players, state.deal.bids
    if state.options.bidding == "one_round":
        return players[len(bids)] if len(bids) < len(players) else None
    passed = {spoken.seat for spoken in bids if spoken.contract is None}
    turn = players.index(bids[-1].seat) + 1 if bids else 0
    still_in = [seat for seat in (*players[turn:], *players[:turn]) if seat not in passed]
    highest = _highest(bids)
    if not still_in or (highest is not None and still_in == [highest.seat]):
        return None
    return still_in[0]
