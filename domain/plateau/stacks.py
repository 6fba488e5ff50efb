"""Stacks and units: what lies on a square, who controls it, how far a unit reaches down (rules.md, terms)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from domain.plateau.board import SQUARES, Square
from domain.plateau.pieces import BLANK, UNDER, Face, Kind
from domain.serialization import changed
from domain.table import Seat

Token: TypeAlias = str
"""The name of a piece on the board: new each time the piece is placed, and independent of what it is."""


@dataclass(frozen=True)
class Piece:
    """A piece on the board. ``turned``: it lies the other side up than it was placed."""

    owner: Seat
    token: Token
    kind: Kind = field(repr=False)
    top: Face = field(repr=False)
    bottom: Face = field(repr=False)
    top_known: bool
    """Whether the upper face is public; ``bottom_known``: the same for the lower face."""
    bottom_known: bool = False
    turned: bool = False


Stack: TypeAlias = tuple[Piece, ...]
"""The pieces on one square, the lowest first."""

Board: TypeAlias = tuple[Stack, ...]
"""The stacks of all 16 squares."""


def placed(owner: Seat, token: Token, kind: Kind, up: Face, *, top_known: bool) -> Piece:
    """Return a piece as it comes onto the board."""
    return Piece(owner, token, kind, up, UNDER[kind, up], top_known)


def turned_over(piece: Piece) -> Piece:
    """Turn a piece over; a face that is public stays public."""
    return changed(
        piece,
        top=piece.bottom,
        bottom=piece.top,
        top_known=piece.bottom_known,
        bottom_known=piece.top_known,
        turned=not piece.turned,
    )


def flipped(stack: Stack) -> Stack:
    """Turn over the piece on top of a stack, if there is one."""
    return (*stack[:-1], turned_over(stack[-1])) if stack else stack


def occupied(board: Board) -> Iterator[tuple[Square, Stack]]:
    """List the squares that are not empty, with their stacks."""
    return ((square, stack) for square, stack in zip(SQUARES, board, strict=True) if stack)


def controller(stack: Stack) -> Seat | None:
    """Return who controls a square: the owner of the piece on top; None where it is empty."""
    return stack[-1].owner if stack else None


def top_unit(stack: Stack) -> int:
    """Count the pieces of the top unit, all of one owner."""
    size = 0
    for piece in reversed(stack):
        if piece.owner != stack[-1].owner:
            break
        size += 1
    return size


def shows_marker(piece: Piece) -> bool:
    """Return whether a coloured face is up, which makes the unit a weapon."""
    return piece.top != BLANK


def longest_unit(stack: Stack, seat: Seat) -> int:
    """Count the longest unbroken run of a seat's pieces, wherever it lies in the stack."""
    longest = run = 0
    for piece in stack:
        run = run + 1 if piece.owner == seat else 0
        longest = max(longest, run)
    return longest


def with_stack(board: Board, square: int, stack: Stack) -> Board:
    """Return the board with another stack on one square."""
    return (*board[:square], stack, *board[square + 1 :])
