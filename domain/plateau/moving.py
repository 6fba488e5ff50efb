"""Moving: flip, lift, way, stops and landing (rules.md, moving).

A route is the squares after the one where the move begins. Moves along the same route differ by which squares are
stops, the others being passed over, and by how many pieces continue from each stop.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from domain.errors import Refusals
from domain.plateau import events as ev
from domain.plateau.actions import Move, Stop
from domain.plateau.board import INDEX, RAYS, ROUTES, SQUARES, Path, Square
from domain.plateau.knowledge import bared_by_flip, bared_by_lift, unknown
from domain.plateau.pieces import BLANK
from domain.plateau.stacks import Piece, Stack, controller, flipped, shows_marker, top_unit
from domain.plateau.state import State
from domain.sentences import message as msg
from domain.table import Seat

RULE = "5. Moving"
_refuse = Refusals(__package__)


def check_controlled(stack: Stack, square: Square, seat: Seat, rule: str) -> None:
    """Reject a square that the player does not control."""
    if controller(stack) != seat:
        if not stack:
            raise _refuse("not-controlled.empty", rule, square=msg.Text(square))
        raise _refuse("not-controlled.other", rule, square=msg.Text(square))


# -- one move -------------------------------------------------------------------------------------------------------


def decide(state: State, seat: Seat, action: Move) -> list[ev.Event]:
    """Return the events of a move; raise ``IllegalAction``."""
    start = state.board[INDEX[action.from_]]
    check_controlled(start, action.from_, seat, RULE)
    unit = top_unit(start)
    if action.lift not in range(1, unit + 1):
        most, here = msg.Number(unit), msg.Text(action.from_)
        raise _refuse("lift-out-of-range", RULE, most=most, square=here, lift=msg.Number(action.lift))
    stack = flipped(start) if action.flip else start
    bared = [*(bared_by_flip(start) if action.flip else ()), *bared_by_lift(stack, action.lift)]
    route = _route(stack, unit, action)
    carried = stack[-action.lift :]
    for square, stop in zip(_stop_squares(route, action), action.stops, strict=True):
        pile = state.board[square] + carried
        _check_stop(state, state.board[square], carried, stop, seat)
        bared += bared_by_lift(pile, stop.carry)
        carried = pile[-stop.carry :]
    if controller(state.board[route[-1]]) == 1 - seat and not shows_marker(carried[-1]):
        raise _refuse("blank-on-enemy", RULE, square=msg.Text(action.to))
    return [
        ev.UnitMoved(
            seat=seat,
            from_=action.from_,
            flipped=action.flip,
            unit=unit,
            lift=action.lift,
            stops=action.stops,
            to=action.to,
            landed=len(carried),
            uncovered=unknown(bared),
        )
    ]


def _route(stack: Stack, unit: int, action: Move) -> Path:
    """Return the squares of the route; reject an end that the face on top cannot reach, or that is too far."""
    face = stack[-1].top
    if action.from_ == action.to:
        raise _refuse("no-way.same-square", RULE, square=msg.Text(action.from_))
    route = ROUTES[face].get((INDEX[action.from_], INDEX[action.to]))
    if route is None:
        raise _refuse(
            "no-way", RULE, way=msg.Message(f"way.{face}"), start=msg.Text(action.from_), to=msg.Text(action.to)
        )
    if face != "o" and len(route) > unit:
        raise _refuse(
            "out-of-range", RULE, to=msg.Text(action.to), distance=msg.Number(len(route)), most=msg.Number(unit)
        )
    return route


def _stop_squares(route: Path, action: Move) -> list[int]:
    """Return the squares of the stops; reject any that are not on the route, in its order, each once."""
    squares = [INDEX[stop.square] for stop in action.stops]
    for square in squares:
        if square not in route[:-1]:
            start, to = msg.Text(action.from_), msg.Text(action.to)
            raise _refuse("stop-off-the-way", RULE, square=msg.Text(SQUARES[square]), start=start, to=to)
    if squares != [square for square in route if square in squares]:
        raise _refuse("stops-out-of-order", RULE)
    return squares


def _check_stop(state: State, pile: Stack, carried: Stack, stop: Stop, seat: Seat) -> None:
    """Reject a stop that changes nothing, lifts pieces that are not there, or pins without a needed marker."""
    if stop.carry == len(carried):
        raise _refuse("stop-without-change", RULE, square=msg.Text(stop.square), carry=msg.Number(stop.carry))
    own = top_unit(pile) if controller(pile) == seat else 0
    if stop.carry not in range(1, len(carried) + own + 1):
        square, most = msg.Text(stop.square), msg.Number(len(carried) + own)
        raise _refuse("carry-out-of-range", RULE, square=square, most=most, carry=msg.Number(stop.carry))
    only_weapons = state.options.pin == "weapons"
    if only_weapons and controller(pile) == 1 - seat and not shows_marker(carried[-stop.carry - 1]):
        raise _refuse("blank-pins", RULE, square=msg.Text(stop.square))


# -- all moves ------------------------------------------------------------------------------------------------------


Marks: TypeAlias = tuple[bool, ...]
"""Whether each of some pieces shows a marker, the lowest first."""


@dataclass(frozen=True, slots=True)
class _Start:
    """How a move begins, and what is on the squares: own units as marks, None where the enemy is on top."""

    sites: tuple[Marks | None, ...]
    square: Square
    flip: bool
    lift: int
    only_weapons_pin: bool

    def to(self, square: int, stops: tuple[Stop, ...]) -> Move:
        return Move(from_=self.square, flip=self.flip, lift=self.lift, stops=stops, to=SQUARES[square])


def legal_actions(state: State, seat: Seat) -> Iterator[Move]:
    """List every move: by square, as the unit lies and flipped, along each ray, from the whole unit to its top."""
    sites = tuple(_site(stack, seat) for stack in state.board)
    for square, stack in enumerate(state.board):
        if controller(stack) == seat:
            unit = stack[-top_unit(stack) :]
            yield from _moves_of(state, sites, square, unit, flip=False)
            yield from _moves_of(state, sites, square, flipped(unit), flip=True)


def _site(stack: Stack, seat: Seat) -> Marks | None:
    if not stack:
        return ()
    return _marks(stack[-top_unit(stack) :]) if stack[-1].owner == seat else None


def _marks(pieces: tuple[Piece, ...]) -> Marks:
    return tuple(piece.top != BLANK for piece in pieces)


def _moves_of(state: State, sites: tuple[Marks | None, ...], square: int, unit: Stack, *, flip: bool) -> Iterator[Move]:
    face, marks, only_weapons = unit[-1].top, _marks(unit), state.options.pin == "weapons"
    for ray in RAYS[face][square]:
        way = ray if face == "o" else ray[: len(unit)]
        for lift in range(len(unit), 0, -1):
            start = _Start(sites, SQUARES[square], flip, lift, only_weapons)
            yield from _on(start, way, marks[-lift:], (), is_bent=face == "o")


def _on(start: _Start, way: Path, carried: Marks, stops: tuple[Stop, ...], *, is_bent: bool) -> Iterator[Move]:
    """List the moves that land on the first square of the way, pass over it, or stop there."""
    square, further = way[0], way[1:]
    site = start.sites[square]
    if (carried[-1] or site is not None) and not (is_bent and further):
        yield start.to(square, stops)
    if not further:
        return
    yield from _on(start, further, carried, stops, is_bent=is_bent)
    pile = (site or ()) + carried
    for carry in range(len(pile), 0, -1):
        pins = site is None
        if carry != len(carried) and not (pins and start.only_weapons_pin and not carried[-carry - 1]):
            stop = Stop(SQUARES[square], carry)
            yield from _on(start, further, pile[-carry:], (*stops, stop), is_bent=is_bent)
