"""The course of a hand: the deal, passing, play, and the score."""

from domain.chance import Chance
from domain.phases import Phase, Phases
from hearts import dealing, passing, play, scoring
from hearts import nouns as ev
from hearts.state import State


def settle(state: State, chance: Chance) -> list[ev.Event]:
    """Return the events that the rules force now."""
    return dealing.settle(state, chance) if state.phase == "deal" else PHASES.settle(state)


def _settle_play(state: State) -> list[ev.Event]:
    return scoring.settle(state) if state.is_played_out else play.settle(state)


PHASES: Phases[State, ev.Action, ev.Event] = Phases(
    ev.ACTIONS,
    {
        "pass": Phase(passing.RULE, passing.actors, passing.legal_actions, passing.decide, passing.settle),
        "play": Phase(play.RULE, play.actors, play.legal_actions, play.decide, _settle_play),
    },
    play.RULE,
)
