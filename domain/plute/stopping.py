"""Stopping a hand early, once its bid is decided and no Plute is possible (rules.md, early stop).

The rule looks only at the tricks taken so far, which every player has seen. So neither an offered nor a rejected claim
reveals anything about the hands.
"""

from domain.errors import IllegalAction, Refusals
from domain.plute import events as ev
from domain.plute.scoring import standings, verdict
from domain.plute.state import State, contract_of, of_team, other_team
from domain.sentences import message as msg
from domain.table import Seat

RULE = "8. Early stop"
_refuse = Refusals(__package__)


def may_claim(state: State) -> bool:
    """Return whether a claim would stop the hand now."""
    return state.options.early_stop == "claim" and _objection(state) is None


def claim(state: State, seat: Seat) -> list[ev.Event]:
    """Claim that the bid is decided; rejected unless it is."""
    if state.options.early_stop != "claim":
        raise _refuse("no-claims", RULE)
    objection = _objection(state)
    if objection is not None:
        raise objection
    return [ev.HandClaimed(seat)]


def settle(state: State) -> list[ev.Event]:
    """Stop a hand that was claimed, or that stops by itself."""
    stops = state.table.claimed or (state.options.early_stop == "auto" and _objection(state) is None)
    return [ev.HandStopped(len(state.table.tricks))] if stops else []


def _objection(state: State) -> IllegalAction | None:
    """Return why the hand must continue; None if it can stop."""
    if state.table.trick:
        return _refuse("trick-not-complete", RULE)
    if len({trick.team for trick in state.table.tricks}) < 2:
        return _refuse("plute-possible", RULE)
    contract = contract_of(state)
    standing = standings(state)
    bidding, other = of_team(standing, contract.team), of_team(standing, other_team(contract.team))
    if verdict(contract.points, bidding, other) is None:
        team = msg.Message(f"team.{contract.team}")
        return _refuse("bid-undecided", RULE, team=team, points=msg.Number(contract.points))
    return None
