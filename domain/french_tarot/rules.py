"""The course of a deal of French Tarot: its phases, and what follows from each (rules.md, deal).

Each phase has a module of its own; ``PHASES`` sends every question to the module of the current phase.
"""

from typing import Any

from domain.chance import Chance
from domain.french_tarot import announcements, bidding, hands, partners, play, scoring, talon_exchange
from domain.french_tarot import events as ev
from domain.french_tarot.actions import ACTIONS, Action
from domain.french_tarot.state import State, evolve
from domain.phases import Phase, Phases
from domain.table import Outcome


def settle(state: State, chance: Chance) -> list[Any]:
    """Return the events that the rules force now."""
    return hands.deal(state, chance) if state.phase == "deal" else PHASES.settle(state)


def outcome(state: State) -> Outcome | None:
    """Return who won, once the agreed deals are played."""
    return scoring.final(state.scores) if state.phase == "over" else None


def _settle_bidding(state: State) -> list[Any]:
    match bidding.result(state):
        case None:
            return []
        case ev.DealThrownIn() as thrown_in:
            return [thrown_in, ev.PhaseBegan("deal")]
        case won if partners.is_called(state):
            return [won, ev.PhaseBegan("call")]
        case won:
            return [won, *talon_exchange.opening(evolve(state, won))]


def _settle_call(state: State) -> list[Any]:
    return talon_exchange.opening(state) if state.deal.called else []


def _settle_slam(state: State) -> list[Any]:
    if state.deal.slam is None:
        return []
    return [ev.PhaseBegan("poignee" if state.options.poignee_timing == "before_first_lead" else "play")]


def _settle_poignees(state: State) -> list[Any]:
    return [] if announcements.poignee_actors(state) else [ev.PhaseBegan("play")]


PHASES: Phases[State, Action] = Phases(
    ACTIONS,
    {
        "bid": Phase(bidding.RULE, bidding.actors, bidding.legal_actions, bidding.decide, _settle_bidding),
        "call": Phase(partners.RULE, partners.actors, partners.legal_actions, partners.decide, _settle_call),
        "discard": Phase(
            talon_exchange.RULE,
            talon_exchange.actors,
            talon_exchange.legal_actions,
            talon_exchange.decide,
            talon_exchange.settle,
        ),
        "slam": Phase(
            announcements.RULE,
            announcements.slam_actors,
            announcements.legal_slams,
            announcements.decide_slam,
            _settle_slam,
        ),
        "poignee": Phase(
            announcements.RULE,
            announcements.poignee_actors,
            announcements.legal_showings_or_pass,
            announcements.decide_showing_or_pass,
            _settle_poignees,
        ),
        "play": Phase(play.RULE, play.actors, play.legal_actions, play.decide, play.settle),
    },
    play.RULE,
)
