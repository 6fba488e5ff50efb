"""The course of a hand of Le Plateau: its phases, and what follows from each (rules.md, hand).

Each phase has a module of its own; ``PHASES`` sends every question to the module of the current phase.
"""

from typing import Any

from domain.chance import Chance
from domain.le_plateau import bidding, hands, partners, play, scoring, talon_exchange
from domain.le_plateau import events as ev
from domain.le_plateau.actions import ACTIONS, Action
from domain.le_plateau.state import State
from domain.phases import Phase, Phases
from domain.table import Outcome


def settle(state: State, chance: Chance) -> list[Any]:
    """Return the events that the rules force now."""
    if state.phase == "deal":
        return hands.deal(state, chance)
    if state.phase != "over" and is_decided(state):
        return hands.finish(state)
    return PHASES.settle(state)


def outcome(state: State) -> Outcome | None:
    """Return who won, once the agreed hands are played."""
    return scoring.final(state) if state.phase == "over" else None


def is_decided(state: State) -> bool:
    """Return whether a side has won the hand, so that nothing is left to play."""
    return state.won is not None


def _settle_bidding(state: State) -> list[Any]:
    if state.hand.contract is not None:
        return _next_phase(state)
    match bidding.result(state):
        case None:
            return []
        case ev.HandPassedOut() as passed_out:
            return [passed_out, *hands.finish(state)]
        case won:
            return [won, *talon_exchange.opening(state, won)]


def _settle_exchange(state: State) -> list[Any]:
    return _next_phase(state) if state.hand.discard else []


def _settle_gifts(state: State) -> list[Any]:
    if not state.hand.gifts:
        return []
    return _next_phase(state) if state.hand.talon_dealt else talon_exchange.settle_gifts(state)


def _settle_announcement(state: State) -> list[Any]:
    return partners.answer(state) or (_next_phase(state) if partners.is_complete(state) else [])


def _settle_raises(state: State) -> list[Any]:
    return [] if partners.raisers(state) else [ev.PhaseBegan("play")]


def _next_phase(state: State) -> list[Any]:
    """Begin the first of announce, raise and play in which somebody has something to say."""
    if not partners.is_complete(state):
        return [ev.PhaseBegan("announce")]
    return [ev.PhaseBegan("raise" if partners.raisers(state) else "play")]


PHASES: Phases[State, Action] = Phases(
    ACTIONS,
    {
        "bid": Phase(bidding.RULE, bidding.actors, bidding.legal_actions, bidding.decide, _settle_bidding),
        "exchange": Phase(
            talon_exchange.RULE,
            talon_exchange.actors,
            talon_exchange.legal_actions,
            talon_exchange.decide,
            _settle_exchange,
        ),
        "choose_talon": Phase(
            talon_exchange.RULE,
            talon_exchange.choosers,
            talon_exchange.legal_choices,
            talon_exchange.choose,
            talon_exchange.settle_choice,
        ),
        "give": Phase(
            talon_exchange.RULE,
            talon_exchange.actors,
            talon_exchange.legal_actions,
            talon_exchange.decide,
            _settle_gifts,
        ),
        "announce": Phase(
            partners.RULE, partners.announcers, partners.legal_announcements, partners.announce, _settle_announcement
        ),
        "raise": Phase(partners.RULE, partners.raisers, partners.legal_raises, partners.raise_or_keep, _settle_raises),
        "play": Phase(play.RULE, play.actors, play.legal_actions, play.decide, play.settle),
    },
    play.RULE,
    is_decided,
)
