"""Turns: who acts, what may be done, when a turn is forfeited, and what follows (rules.md, turns).

Each kind of action has a module of its own; this one sends a question to the one that the phase and the action ask for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.chance import Chance
from domain.errors import IllegalAction
from domain.plateau import capture, endings, moving, onboarding, opening, prisoner_exchange
from domain.plateau import events as ev
from domain.plateau.actions import ACTIONS, Action, Move, Onboard, Open, Pass, Respond, Stomp, Tender
from domain.plateau.events import Phase
from domain.plateau.knowledge import faces
from domain.plateau.state import State
from domain.table import Seat
from domain.wellformed import check_action

RULE = "2. Turns"


def to_act(state: State) -> frozenset[Seat]:
    """Say which seat must act now; none while something is forced, or once the game is over."""
    is_forced = state.deed is not None or (state.phase == "play" and endings.drawn(state) is not None)
    return frozenset() if is_forced or state.phase == "over" else frozenset({state.to_move})


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List every legal action of a seat."""
    return _PHASES[state.phase].legal_actions(state, seat) if seat in to_act(state) else ()


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Turn an action into the event that says what the player did."""
    check_action(ACTIONS, seat, action, RULE)
    if seat not in to_act(state):
        raise IllegalAction("not-your-turn", f"seat {seat} is not to act", RULE)
    return _PHASES[state.phase].decide(state, seat, action)


def settle(state: State, _chance: Chance) -> list[Any]:
    """Return what follows from a deed, one step after the other: faces shown, captures, the end of the turn."""
    if state.phase == "over":
        return []
    deed = state.deed
    if deed is None:
        why = endings.drawn(state) if state.phase == "play" else None
        return [ev.GameDrawn(why), endings.revealed(state)] if why else []
    uncovered = getattr(deed.event, "uncovered", ())
    if uncovered and not deed.is_shown:
        return [ev.FacesShown(faces(state.board, uncovered))]
    if isinstance(deed.event, ev.UnitMoved | ev.UnitStomped) and not deed.has_captured:
        captured = capture.captures(state, deed.event)
        if captured is not None:
            return [captured]
    return endings.turn_end(state)


def _legal_turn(state: State, seat: Seat) -> Sequence[Action]:
    """List onboardings, moves, stomps and tenders; the pass if there is none of them."""
    return tuple(_choices(state, seat)) or (Pass(),)


def _choices(state: State, seat: Seat) -> Iterator[Action]:
    yield from onboarding.legal_actions(state, seat)
    yield from moving.legal_actions(state, seat)
    yield from capture.legal_actions(state, seat)
    yield from prisoner_exchange.legal_tenders(state, seat)


def _turn(state: State, seat: Seat, action: Action) -> list[Any]:
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
            raise IllegalAction("wrong-phase", "it is your turn: onboard, move, stomp or tender", RULE)


def _forfeit(state: State, seat: Seat) -> list[Any]:
    if next(_choices(state, seat), None) is not None:
        raise IllegalAction("not-forced", "there is something you can do; a turn is forfeited only if not", RULE)
    return [ev.TurnForfeited(seat)]


@dataclass(frozen=True, slots=True)
class _Phase:
    """The questions that a phase answers."""

    legal_actions: Callable[[State, Seat], Sequence[Action]]
    decide: Callable[[State, Seat, Action], list[Any]]


_PHASES: Mapping[Phase, _Phase] = {
    "opening": _Phase(opening.legal_actions, opening.decide),
    "play": _Phase(_legal_turn, _turn),
    "response": _Phase(prisoner_exchange.legal_responses, prisoner_exchange.respond),
}
