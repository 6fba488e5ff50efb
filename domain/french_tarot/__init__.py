"""French Tarot for 3, 4 and 5 players, after the rules of the Fédération Française de Tarot.

The phases of a deal each have a module; this one sends every question to the module of the current phase.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.chance import Chance
from domain.french_tarot import announcements, bidding, hands, notation, partners, play, scoring, talon_exchange
from domain.french_tarot import events as ev
from domain.french_tarot.actions import ACTIONS, Action
from domain.french_tarot.agreements import PROPOSALS, agree, proposals, resign
from domain.french_tarot.events import EVENTS, Phase
from domain.french_tarot.option_rules import choices, complete
from domain.french_tarot.options import Options
from domain.french_tarot.picture.drawing import svg, text
from domain.french_tarot.sampling import sample
from domain.french_tarot.state import State, evolve, initial
from domain.french_tarot.view import View, project
from domain.ruleset import IllegalAction, Notation, Outcome, Seat
from domain.serialization import Plain
from domain.wellformed import check_action, check_options

ID = "french-tarot"
NAME = "French Tarot"
SUMMARY = "The French tricks-and-trumps classic: bid, take the chien, lay aside your écart, and bring the oudlers home."
RULES_VERSION = 1
SEATS = range(3, 6)
OPTIONS = Options
VIEW = View
NOTATION: Notation | None = notation

setup = initial


@dataclass(frozen=True, slots=True)
class _Phase:
    """The questions that a phase answers, and the section of its rules."""

    rule: str
    actors: Callable[[State], frozenset[Seat]]
    legal_actions: Callable[[State, Seat], Sequence[Action]]
    decide: Callable[[State, Seat, Action], list[Any]]
    settle: Callable[[State], list[Any]]


def options(given: Mapping[str, Plain], seats: int) -> Options:
    """Complete and check options for a number of seats."""
    check_options(Options, given, SEATS, seats)
    return complete(given, seats)


def to_act(state: State) -> frozenset[Seat]:
    """Say which seat must act now; none while something is forced, or once the game is over."""
    phase = _PHASES.get(state.phase)
    return phase.actors(state) if phase else frozenset()


awaited = to_act


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List every legal action of a seat."""
    return _PHASES[state.phase].legal_actions(state, seat) if seat in to_act(state) else ()


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Turn an action into the events that say what the player did."""
    phase = _PHASES.get(state.phase)
    rule = phase.rule if phase else play.RULE
    check_action(ACTIONS, seat, action, rule)
    if phase is None or seat not in phase.actors(state):
        raise IllegalAction("not-your-turn", f"seat {seat} is not to act", rule)
    return phase.decide(state, seat, action)


def settle(state: State, chance: Chance) -> list[Any]:
    """Give the events that the rules force now."""
    if state.phase == "over":
        return []
    if state.phase == "deal":
        return hands.deal(state, chance)
    return _PHASES[state.phase].settle(state)


def outcome(state: State) -> Outcome | None:
    """Say who won, once the agreed deals are played."""
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


_PHASES: Mapping[Phase, _Phase] = {
    "bid": _Phase(bidding.RULE, bidding.actors, bidding.legal_actions, bidding.decide, _settle_bidding),
    "call": _Phase(partners.RULE, partners.actors, partners.legal_actions, partners.decide, _settle_call),
    "discard": _Phase(
        talon_exchange.RULE,
        talon_exchange.actors,
        talon_exchange.legal_actions,
        talon_exchange.decide,
        talon_exchange.settle,
    ),
    "slam": _Phase(
        announcements.RULE,
        announcements.slam_actors,
        announcements.legal_slams,
        announcements.decide_slam,
        _settle_slam,
    ),
    "poignee": _Phase(
        announcements.RULE,
        announcements.poignee_actors,
        announcements.legal_showings_or_pass,
        announcements.decide_showing_or_pass,
        _settle_poignees,
    ),
    "play": _Phase(play.RULE, play.actors, play.legal_actions, play.decide, play.settle),
}

__all__ = [
    "ACTIONS",
    "EVENTS",
    "ID",
    "NAME",
    "NOTATION",
    "OPTIONS",
    "PROPOSALS",
    "RULES_VERSION",
    "SEATS",
    "SUMMARY",
    "VIEW",
    "agree",
    "awaited",
    "choices",
    "decide",
    "evolve",
    "legal_actions",
    "options",
    "outcome",
    "project",
    "proposals",
    "resign",
    "sample",
    "settle",
    "setup",
    "svg",
    "text",
    "to_act",
]
