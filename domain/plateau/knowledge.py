"""What is public of the pieces on the board (rules.md, what is hidden), which is the same for both players.

Pieces are handled with one hand, in full view. What a piece shows when it is bared, turned over or taken off becomes
public, and stays public while the piece is on the board.
"""

from collections.abc import Iterable
from itertools import pairwise

from domain.plateau import events as ev
from domain.plateau.stacks import Board, Piece, Stack, Token, occupied, turned_over


def unknown(pieces: Iterable[Piece]) -> tuple[Token, ...]:
    """List, without duplicates, the bared pieces whose upper face was not public."""
    return tuple(dict.fromkeys(piece.token for piece in pieces if not piece.top_known))


def bared_by_onboarding(stack: Stack, height: int) -> tuple[Piece, ...]:
    """Return the piece on which another is laid, once those above are lifted; none below a whole stack."""
    return stack[:height][-1:]


def bared_by_flip(stack: Stack) -> tuple[Piece, ...]:
    """Return the top piece, turned over, and the piece that it lay on."""
    return (turned_over(stack[-1]), *stack[-2:-1])


def bared_by_lift(stack: Stack, lifted: int) -> tuple[Piece, ...]:
    """Return the piece that is on top once some have been lifted."""
    return stack[-lifted - 1 : -lifted]


def bared_by_capture(stack: Stack, captured: Iterable[Token]) -> tuple[Piece, ...]:
    """Return the remaining pieces on which a captured one lay."""
    gone = set(captured)
    return tuple(below for below, above in pairwise(stack) if above.token in gone and below.token not in gone)


def faces(board: Board, tokens: Iterable[Token]) -> tuple[ev.ShownFace, ...]:
    """List the upper faces of pieces as they lie now."""
    lying = {piece.token: (square, piece) for square, stack in occupied(board) for piece in stack}
    return tuple(ev.ShownFace(square, token, piece.top) for token in tokens for square, piece in (lying[token],))
