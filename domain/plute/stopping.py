"""Stopping a hand early, once its bid is decided and no Plute is possible (rules.md, early stop).

The rule looks only at the tricks taken so far, which every player has seen. So neither an offered nor a rejected claim
reveals anything about the hands.
"""

from domain.errors import IllegalAction
from domain.plute import events as ev
from domain.plute.scoring import standings, verdict
from domain.plute.state import State, contract_of, of_team, other_team
from domain.table import Seat

RULE = "8. Early stop"


def may_claim(state: State) -> bool:
    """Return whether a claim would stop the hand now."""
    return state.options.early_stop == "claim" and _objection(state) is None


def claim(state: State, seat: Seat) -> list[ev.Event]:
    """Claim that the bid is decided; rejected unless it is."""
    if state.options.early_stop != "claim":
        message = f"hands cannot be claimed in this game: early_stop is {state.options.early_stop!r}"
        raise IllegalAction("no-claims", message, RULE)
    objection = _objection(state)
    if objection is not None:
        raise IllegalAction(*objection, RULE)
    return [ev.HandClaimed(seat)]


def settle(state: State) -> list[ev.Event]:
    """Stop a hand that was claimed, or that stops by itself."""
    stops = state.table.claimed or (state.options.early_stop == "auto" and _objection(state) is None)
    return [ev.HandStopped(len(state.table.tricks))] if stops else []


def _objection(state: State) -> tuple[str, str] | None:
    """Return why the hand must go on: a code and a message; None if it can stop."""
    if state.table.trick:
        return "trick-not-complete", "a hand stops only between tricks: wait until this one is complete"
    if len({trick.team for trick in state.table.tricks}) < 2:
        return "plute-possible", "a Plute is possible until both teams have taken a trick"
    contract = contract_of(state)
    standing = standings(state)
    bidding, other = of_team(standing, contract.team), of_team(standing, other_team(contract.team))
    if verdict(contract.points, bidding, other) is None:
        return "bid-undecided", f"the {contract.team} team can still make its bid of {contract.points}, or miss it"
    return None
