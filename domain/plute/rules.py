"""The course of a hand of Plute: bidding, then play, which a claim can stop (rules.md, hand)."""

from collections.abc import Sequence

from domain.cardplay.tricks import only
from domain.chance import Chance
from domain.errors import Refusals
from domain.phases import Phase, Phases
from domain.plute import bidding, hands, play, scoring, stopping
from domain.plute import events as ev
from domain.plute.actions import ACTIONS, Action, Claim, Play
from domain.plute.deck import PLAYERS
from domain.plute.state import State
from domain.table import Outcome, Seat

_refuse = Refusals(__package__)


def waiting_for(state: State) -> frozenset[Seat]:
    """Return the seats that the game waits for: the seat in turn, since no seat has to claim."""
    acting = PHASES.to_act(state)
    return acting & {play.turn(state)} if state.phase == "play" else acting


def settle(state: State, chance: Chance) -> list[ev.Event]:
    """Return the events that the rules force now."""
    return hands.deal(state, chance) if state.phase == "deal" else PHASES.settle(state)


def outcome(state: State) -> Outcome | None:
    """Return how the game ended."""
    return scoring.outcome(state) if state.phase == "over" else None


def _settle_bidding(state: State) -> list[ev.Event]:
    won = bidding.result(state)
    return [won, ev.PhaseBegan("play")] if won else []


def _playing(state: State) -> frozenset[Seat]:
    """Return the seat in turn, or every seat while a claim would stop the hand."""
    if state.table.claimed or play.is_over(state):
        return frozenset()
    if stopping.may_claim(state):
        return frozenset(range(PLAYERS))
    return only(play.turn(state))


def _legal_plays(state: State, seat: Seat) -> Sequence[Action]:
    plays = play.legal_actions(state, seat) if seat == play.turn(state) else ()
    return (*plays, Claim()) if stopping.may_claim(state) else plays


def _decide_play(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    match action:
        case Claim():
            return stopping.claim(state, seat)
        case Play():
            return play.decide(state, seat, action)
        case _:
            raise _refuse("wrong-phase.play", play.RULE)


def _settle_play(state: State) -> list[ev.Event]:
    return hands.finish(state) if play.is_over(state) else play.settle(state) or stopping.settle(state)


PHASES: Phases[State, Action, ev.Event] = Phases(
    ACTIONS,
    {
        "bid": Phase(bidding.RULE, bidding.actors, bidding.legal_actions, bidding.decide, _settle_bidding),
        "play": Phase(play.RULE, _playing, _legal_plays, _decide_play, _settle_play),
    },
    play.RULE,
)
