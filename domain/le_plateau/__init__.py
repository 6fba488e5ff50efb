"""Le Plateau, a game by Raymond Gallardo: tarot tricks on a hexagonal board, for 2 to 6 players.

The phases of a hand each have a module; this one sends every question to the module of the current phase.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.chance import Chance
from domain.le_plateau import bidding, hands, notation, partners, play, scoring, talon_exchange
from domain.le_plateau import events as ev
from domain.le_plateau.actions import ACTIONS, Action
from domain.le_plateau.agreements import PROPOSALS, agree, proposals, resign
from domain.le_plateau.events import EVENTS, Phase
from domain.le_plateau.option_rules import choices, complete
from domain.le_plateau.options import Options
from domain.le_plateau.picture.drawing import svg, text
from domain.le_plateau.sampling import sample
from domain.le_plateau.state import State, evolve, initial
from domain.le_plateau.view import View, project
from domain.ruleset import IllegalAction, Notation, Outcome, Seat
from domain.serialization import Plain
from domain.wellformed import check_action, check_options

ID = "le-plateau"
NAME = "Le Plateau"
SUMMARY = "Tarot tricks on a hexagonal board: bid for a formation, find your partner, connect the sides."
RULES_VERSION = 1
SEATS = range(2, 7)
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
    return phase.actors(state) if phase and not _is_decided(state) else frozenset()


awaited = to_act


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List every legal action of a seat."""
    return _PHASES[state.phase].legal_actions(state, seat) if seat in to_act(state) else ()


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Turn an action into the events that say what the player did."""
    rule = _PHASES[state.phase].rule if state.phase in _PHASES else play.RULE
    check_action(ACTIONS, seat, action, rule)
    if seat not in to_act(state):
        raise IllegalAction("not-your-turn", f"seat {seat} is not to act", rule)
    return _PHASES[state.phase].decide(state, seat, action)


def settle(state: State, chance: Chance) -> list[Any]:
    """Give the events that the rules force now."""
    if state.phase == "over":
        return []
    if state.phase == "deal":
        return hands.deal(state, chance)
    if _is_decided(state):
        return hands.finish(state)
    return _PHASES[state.phase].settle(state)


def outcome(state: State) -> Outcome | None:
    """Say who won, once the agreed hands are played."""
    return scoring.final(state) if state.phase == "over" else None


def _is_decided(state: State) -> bool:
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


_PHASES: Mapping[Phase, _Phase] = {
    "bid": _Phase(bidding.RULE, bidding.actors, bidding.legal_actions, bidding.decide, _settle_bidding),
    "exchange": _Phase(
        talon_exchange.RULE,
        talon_exchange.actors,
        talon_exchange.legal_actions,
        talon_exchange.decide,
        _settle_exchange,
    ),
    "choose_talon": _Phase(
        talon_exchange.RULE,
        talon_exchange.choosers,
        talon_exchange.legal_choices,
        talon_exchange.choose,
        talon_exchange.settle_choice,
    ),
    "give": _Phase(
        talon_exchange.RULE, talon_exchange.actors, talon_exchange.legal_actions, talon_exchange.decide, _settle_gifts
    ),
    "announce": _Phase(
        partners.RULE, partners.announcers, partners.legal_announcements, partners.announce, _settle_announcement
    ),
    "raise": _Phase(partners.RULE, partners.raisers, partners.legal_raises, partners.raise_or_keep, _settle_raises),
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
