"""The course of a hand of Le Plateau: its phases, and what follows from each (rules.md, hand).

Each phase has a module of its own; ``PHASES`` sends every question to the module of the current phase.
"""

from domain.chance import Chance
from domain.le_plateau import bidding, hands, partners, play, scoring
from domain.le_plateau import events as ev
from domain.le_plateau import talon_exchange as exchange
from domain.le_plateau.actions import ACTIONS, Action
from domain.le_plateau.state import State
from domain.phases import Phase, Phases
from domain.table import Outcome


def settle(state: State, chance: Chance) -> list[ev.Event]:
    """Return the events that the rules force now."""
    if state.phase == "deal":
        return hands.deal(state, chance)
    if state.phase != "over" and state.won is not None:
        return hands.finish(state)
    return PHASES.settle(state)


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, once the agreed hands are played."""
    return scoring.final(state) if state.phase == "over" else None


def _settle_bidding(state: State) -> list[ev.Event]:
    if state.hand.contract is not None:
        return _next_phase(state)
    match bidding.result(state):
        case None:
            return []
        case ev.HandPassedOut() as passed_out:
            return [passed_out, *hands.finish(state)]
        case won:
            return [won, *exchange.talon_events(state, won)]


def _settle_discard(state: State) -> list[ev.Event]:
    return _next_phase(state) if state.hand.discard else []


def _settle_gifts(state: State) -> list[ev.Event]:
    if not state.hand.gifts:
        return []
    return _next_phase(state) if state.hand.talon_dealt else exchange.settle_gifts(state)


def _settle_announcement(state: State) -> list[ev.Event]:
    return partners.answer(state) or (_next_phase(state) if partners.is_complete(state) else [])


def _settle_raises(state: State) -> list[ev.Event]:
    return [] if partners.raisers(state) else [ev.PhaseBegan("play")]


def _next_phase(state: State) -> list[ev.Event]:
    """Begin the first of announce, raise and play in which a seat can act."""
    if not partners.is_complete(state):
        return [ev.PhaseBegan("announce")]
    return [ev.PhaseBegan("raise" if partners.raisers(state) else "play")]


PHASES: Phases[State, Action, ev.Event] = Phases(
    ACTIONS,
    {
        "bid": Phase(bidding.RULE, bidding.actors, bidding.legal_actions, bidding.decide, _settle_bidding),
        "exchange": Phase(exchange.RULE, exchange.actors, exchange.legal_discards, exchange.discard, _settle_discard),
        "choose_talon": Phase(
            exchange.RULE, exchange.choosers, exchange.legal_choices, exchange.choose, exchange.settle_choice
        ),
        "give": Phase(exchange.RULE, exchange.actors, exchange.legal_gifts, exchange.give, _settle_gifts),
        "announce": Phase(
            partners.RULE, partners.announcers, partners.legal_announcements, partners.announce, _settle_announcement
        ),
        "raise": Phase(partners.RULE, partners.raisers, partners.legal_raises, partners.raise_or_keep, _settle_raises),
        "play": Phase(play.RULE, play.actors, play.legal_actions, play.decide, play.settle),
    },
    play.RULE,
)
