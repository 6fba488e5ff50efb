"""Onboarding: placing a piece from the reserve where it harms no enemy piece (rules.md, onboarding)."""

from collections.abc import Iterator, Sequence

from domain.errors import Refusals
from domain.plateau import events as ev
from domain.plateau.actions import Onboard, Placed
from domain.plateau.board import INDEX, SQUARES
from domain.plateau.knowledge import bared_by_onboarding, unknown
from domain.plateau.options import Options
from domain.plateau.pieces import FACES, Kind
from domain.plateau.stacks import Stack
from domain.plateau.state import State, token
from domain.sentences import message as msg
from domain.table import Seat

RULE = "4. Onboarding"
_refuse = Refusals(__package__)


def placeable(reserve: Sequence[Kind]) -> tuple[Placed, ...]:
    """List the pieces of a reserve with each face that they can show, without duplicates."""
    return tuple(_PLACED[kind, up] for kind in dict.fromkeys(reserve) for up in FACES[kind])


_PLACED = {(kind, up): Placed(kind, up) for kind, faces in FACES.items() for up in faces}


def check_placeable(reserve: Sequence[Kind], piece: Placed, rule: str) -> None:
    """Reject a piece that is not in the player's own reserve, or that does not have the face."""
    if piece.piece not in reserve:
        raise _refuse("not-in-reserve", rule, piece=msg.Text(piece.piece))
    if piece.up not in FACES[piece.piece]:
        face, faces = (
            msg.Message(f"face.{piece.up}"),
            msg.Items(tuple(msg.Message(f"face.{each}") for each in FACES[piece.piece])),
        )
        raise _refuse("no-such-face", rule, piece=msg.Text(piece.piece), face=face, faces=faces)


def legal_actions(state: State, seat: Seat) -> Iterator[Onboard]:
    """List every piece of the reserve at every height of every square where one can be placed."""
    pieces = placeable(state.reserves[seat])
    if not pieces:
        return
    for square, stack in zip(SQUARES, state.board, strict=True):
        for height in range(len(stack) + 1):
            if objection(stack, height, seat, state.options) is None:
                yield from (Onboard(square, height, piece.piece, piece.up) for piece in pieces)


def decide(state: State, seat: Seat, action: Onboard) -> list[ev.Event]:
    """Return the events of an onboarding; raise ``IllegalAction``."""
    check_placeable(state.reserves[seat], Placed(action.piece, action.up), RULE)
    stack = state.board[INDEX[action.square]]
    code = objection(stack, action.height, seat, state.options)
    if code is not None:
        raise _refuse(code, RULE, square=msg.Text(action.square), height=msg.Number(action.height))
    uncovered = unknown(bared_by_onboarding(stack, action.height))
    name = token(state.placements + 1)
    return [ev.PieceOnboarded(seat, action.square, action.height, name, action.up, uncovered, action.piece)]


def objection(stack: Stack, height: int, seat: Seat, options: Options) -> str | None:
    """Return the code of the reason why a piece cannot be placed at a height of a stack; None if it can."""
    if height not in range(len(stack) + 1):
        return "no-such-height"
    if not stack:
        return None
    if height == len(stack):
        return None if stack[-1].owner == seat else "on-an-enemy"
    if height == 0:
        allowed = options.onboard_under_enemy or stack[0].owner == seat
        return None if allowed else "under-an-enemy"
    if seat in (stack[height - 1].owner, stack[height].owner):
        return None
    return "inside-an-enemy-unit"
