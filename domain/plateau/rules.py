"""Turns: who acts, which actions are legal, when a turn is forfeited, and what follows (rules.md, turns).

Each kind of action has a module of its own; ``PHASES`` sends every question to the module that answers it.
"""

from collections.abc import Iterator, Sequence

from domain.chance import Chance
from domain.errors import Refusals
from domain.phases import Phase, Phases
from domain.plateau import capture, endings, moving, onboarding, opening, prisoner_exchange
from domain.plateau import events as ev
from domain.plateau.actions import ACTIONS, Action, Move, Onboard, Open, Pass, Respond, Stomp, Tender
from domain.plateau.knowledge import faces
from domain.plateau.state import State
from domain.table import Seat

RULE = "2. Turns"
_refuse = Refusals(__package__)


def settle(state: State, _chance: Chance) -> list[ev.Event]:
    """Return the events that the rules force now; none of them depends on chance."""
    return PHASES.settle(state)


def _mover(state: State) -> frozenset[Seat]:
    return frozenset() if state.deed else frozenset({state.to_move})


def _mover_unless_drawn(state: State) -> frozenset[Seat]:
    return frozenset() if endings.drawn(state) else _mover(state)


def _legal_turn(state: State, seat: Seat) -> Sequence[Action]:
    """List onboardings, moves, stomps and tenders; the pass if there are none."""
    return tuple(_choices(state, seat)) or (Pass(),)


def _choices(state: State, seat: Seat) -> Iterator[Action]:
    yield from onboarding.legal_actions(state, seat)
    yield from moving.legal_actions(state, seat)
    yield from capture.legal_actions(state, seat)
    yield from prisoner_exchange.legal_tenders(state, seat)


def _decide_turn(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    match action:
        case Onboard():
            return onboarding.decide(state, seat, action)
        case Move():
            return moving.decide(state, seat, action)
        case Stomp():
            return capture.decide(state, seat, action)
        case Tender():
            return prisoner_exchange.tender(state, seat, action)
        case Pass():
            return _forfeit(state, seat)
        case Open() | Respond():
            raise _refuse("wrong-phase.turn", RULE)


def _forfeit(state: State, seat: Seat) -> list[ev.Event]:
    if next(_choices(state, seat), None) is not None:
        raise _refuse("not-forced", RULE)
    return [ev.TurnForfeited(seat)]


def _settle_deed(state: State) -> list[ev.Event]:
    """Return what follows from a deed, one step at a time: faces shown, captures, the end of the turn."""
    if state.deed is None:
        return []
    event = state.deed.event
    if isinstance(event, ev.UncoveringEvent) and event.uncovered and not state.deed.is_shown:
        return [ev.FacesShown(faces(state.board, event.uncovered))]
    if isinstance(event, ev.UnitMoved | ev.UnitStomped) and not state.deed.has_captured:
        captured = capture.captures(state, event)
        if captured is not None:
            return [captured]
    return endings.turn_end(state, state.deed)


def _settle_play(state: State) -> list[ev.Event]:
    reason = None if state.deed else endings.drawn(state)
    return [ev.GameDrawn(reason), endings.revealed(state)] if reason else _settle_deed(state)


PHASES: Phases[State, Action, ev.Event] = Phases(
    ACTIONS,
    {
        "opening": Phase(RULE, _mover, opening.legal_actions, opening.decide, _settle_deed),
        "play": Phase(RULE, _mover_unless_drawn, _legal_turn, _decide_turn, _settle_play),
        "response": Phase(RULE, _mover, prisoner_exchange.legal_responses, prisoner_exchange.respond, _settle_deed),
    },
    RULE,
)
