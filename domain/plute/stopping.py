"""Stopping a hand early, once its bid is decided and no Plute is possible (rules.md, early stop).

Judged by the tricks taken so far alone, which everybody has seen: neither that a claim may be made nor that it is
refused tells anything of the hands.
"""

from typing import Any

from domain.errors import IllegalAction
from domain.plute import events as ev
from domain.plute.scoring import standings, verdict
from domain.plute.state import State, contract_of, other_team
from domain.table import Seat

RULE = "8. Early stop"


def may_claim(state: State) -> bool:
    """Say whether a claim would stop the hand now."""
    return state.options.early_stop == "claim" and _objection(state) is None


def claim(state: State, seat: Seat) -> list[Any]:
    """Claim that the bid is decided; refused unless it is."""
    if state.options.early_stop != "claim":
        message = f"hands are not claimed here: early_stop is {state.options.early_stop!r}"
        raise IllegalAction("no-claims", message, RULE)
    objection = _objection(state)
    if objection is not None:
        raise IllegalAction(*objection, RULE)
    return [ev.HandClaimed(seat)]


def settle(state: State) -> list[Any]:
    """Stop a hand that was claimed, or that stops by itself."""
    stops = state.table.claimed or (state.options.early_stop == "auto" and _objection(state) is None)
    return [ev.HandStopped(len(state.table.tricks))] if stops else []


def _objection(state: State) -> tuple[str, str] | None:
    """Say why the hand must go on: a code and a message; None if it may stop."""
    if state.table.trick:
        return "trick-not-complete", "a hand stops only between tricks: wait until this one is complete"
    if len({trick.team for trick in state.table.tricks}) < 2:
        return "plute-possible", "a Plute is possible as long as not both teams have taken a trick"
    contract = contract_of(state)
    standing = standings(state)
    if verdict(contract.points, standing[contract.team], standing[other_team(contract.team)]) is None:
        return "bid-undecided", f"the {contract.team} team may still make its bid of {contract.points}, or miss it"
    return None
