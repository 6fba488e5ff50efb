"""Capture: which enemy pieces a weapon takes where it lands or stomps (rules.md, capture)."""

from collections.abc import Iterator

from domain.errors import Refusals
from domain.plateau import events as ev
from domain.plateau.actions import Stomp
from domain.plateau.board import INDEX
from domain.plateau.knowledge import bared_by_capture, bared_by_flip, faces, unknown
from domain.plateau.moving import check_controlled
from domain.plateau.stacks import Piece, Stack, controller, flipped, occupied, shows_marker, top_unit
from domain.plateau.state import State
from domain.sentences import message as msg
from domain.table import Seat

RULE = "6. Capture"
_refuse = Refusals(__package__)


def legal_actions(state: State, seat: Seat) -> Iterator[Stomp]:
    """List every stomp by square, first with the top piece as it lies, then turned over."""
    for square, stack in occupied(state.board):
        if controller(stack) == seat and _has_enemy(stack, seat):
            if shows_marker(stack[-1]):
                yield Stomp(square=square)
            if shows_marker(flipped(stack)[-1]):
                yield Stomp(square=square, flip=True)


def decide(state: State, seat: Seat, action: Stomp) -> list[ev.Event]:
    """Return the events of a stomp; raise ``IllegalAction``."""
    stack = state.board[INDEX[action.square]]
    check_controlled(stack, action.square, seat, RULE)
    if not _has_enemy(stack, seat):
        raise _refuse("nobody-below", RULE, square=msg.Text(action.square))
    if not shows_marker((flipped(stack) if action.flip else stack)[-1]):
        raise _refuse("blank-stomps", RULE, square=msg.Text(action.square))
    uncovered = unknown(bared_by_flip(stack) if action.flip else ())
    return [ev.UnitStomped(seat, action.square, action.flip, top_unit(stack), uncovered)]


def captures(state: State, event: ev.UnitMoved | ev.UnitStomped) -> ev.PiecesCaptured | None:
    """Return the capture where a unit has landed or stomped; None if nothing is captured."""
    square, landed = (event.to, event.landed) if isinstance(event, ev.UnitMoved) else (event.square, event.unit)
    stack = state.board[INDEX[square]]
    if not shows_marker(stack[-1]):
        return None
    strength = top_unit(stack) if state.options.merged_strength else landed
    taken = [piece for piece in reversed(stack) if piece.owner != event.seat][:strength]
    if not taken:
        return None
    bared = unknown(bared_by_capture(stack, [piece.token for piece in taken]))
    return ev.PiecesCaptured(event.seat, square, tuple(map(_captured, taken)), faces(state.board, bared))


def _has_enemy(stack: Stack, seat: Seat) -> bool:
    return any(piece.owner != seat for piece in stack)


def _captured(piece: Piece) -> ev.CapturedPiece:
    return ev.CapturedPiece(piece.token, piece.kind, piece.top, piece.bottom, piece.turned)
