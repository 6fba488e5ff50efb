"""The course of a deal of French Tarot: its phases, and what follows from each (rules.md, deal).

Each phase has a module of its own; ``PHASES`` sends every question to the module of the current phase.
"""

from domain.cardplay.ranking import best_seats
from domain.chance import Chance
from domain.french_tarot import announcements, bidding, chien, hands, partners, play
from domain.french_tarot.actions import ACTIONS, Action
from domain.french_tarot.events import DealThrownIn, Event, PhaseBegan
from domain.french_tarot.state import State, evolve
from domain.phases import Phase, Phases
from domain.table import Outcome


def settle(state: State, chance: Chance) -> list[Event]:
    """Return the events that the rules force now."""
    return hands.deal(state, chance) if state.phase == "deal" else PHASES.settle(state)


def outcome(state: State) -> Outcome | None:
    """Return who won, once the agreed deals are played."""
    if state.phase != "over":
        return None
    return Outcome("deals_played", best_seats(state.scores), state.scores)


def _settle_bidding(state: State) -> list[Event]:
    match bidding.result(state):
        case None:
            return []
        case DealThrownIn(reason):
            return hands.thrown_in(state, reason, state.deal.number)
        case won if len(state.deal.players) == partners.CALLING:
            return [won, PhaseBegan("call")]
        case won:
            return [won, *chien.turn_up(evolve(state, won))]


def _settle_call(state: State) -> list[Event]:
    return chien.turn_up(state) if state.deal.called else []


def _settle_slam(state: State) -> list[Event]:
    if state.deal.slam is None:
        return []
    return [PhaseBegan("poignee" if state.options.poignee_timing == "before_first_lead" else "play")]


def _settle_poignees(state: State) -> list[Event]:
    return [] if announcements.poignee_actors(state) else [PhaseBegan("play")]


PHASES: Phases[State, Action, Event] = Phases(
    ACTIONS,
    {
        "bid": Phase(bidding.RULE, bidding.actors, bidding.legal_actions, bidding.decide, _settle_bidding),
        "call": Phase(partners.RULE, partners.actors, partners.legal_actions, partners.decide, _settle_call),
        "discard": Phase(chien.RULE, chien.actors, chien.legal_actions, chien.decide, chien.settle),
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
