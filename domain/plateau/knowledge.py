"""What is public of the pieces on the board (rules.md, what is hidden): one state of knowledge for both players.

Everything is done with one hand in full view: a piece that is laid bare, turned over or taken off shows what it shows
to everyone, and what was once shown stays known while the piece stays on the board.
"""

from collections.abc import Iterable
from itertools import pairwise

from domain.plateau import events as ev
from domain.plateau.board import SQUARES
from domain.plateau.pieces import Face, Kind
from domain.plateau.stacks import Board, Piece, Stack, Token, turned_over
from domain.table import Seat


def unknown(pieces: Iterable[Piece]) -> tuple[Token, ...]:
    """Name, each once, the pieces laid bare whose upper face was not public."""
    return tuple(dict.fromkeys(piece.token for piece in pieces if not piece.top_known))


def bared_by_onboarding(stack: Stack, height: int) -> tuple[Piece, ...]:
    """Give the piece on which another is laid, once those above are lifted; none below a whole stack."""
    return stack[:height][-1:]


def bared_by_flip(stack: Stack) -> tuple[Piece, ...]:
    """Give the top piece, turned over, and the one that it lay on."""
    return (turned_over(stack[-1]), *stack[-2:-1])


def bared_by_lift(stack: Stack, lifted: int) -> tuple[Piece, ...]:
    """Give the piece that is on top when some have been lifted."""
    return stack[-lifted - 1 : -lifted]


def bared_by_capture(stack: Stack, captured: Iterable[Token]) -> tuple[Piece, ...]:
    """Give the pieces that stay and on which a captured one lay."""
    gone = set(captured)
    return tuple(below for below, above in pairwise(stack) if above.token in gone and below.token not in gone)


def faces(board: Board, tokens: Iterable[Token]) -> tuple[ev.ShownFace, ...]:
    """Tell the upper faces of pieces, as they lie now."""
    lying = {piece.token: (square, piece) for square, stack in zip(SQUARES, board, strict=True) for piece in stack}
    return tuple(ev.ShownFace(square, token, piece.top) for token in tokens for square, piece in (lying[token],))


def seen(piece: Piece, viewer: Seat | None, *, everything: bool) -> tuple[Kind | None, Face | None, Face | None]:
    """Tell what a viewer knows of a piece on the board: which it is, its upper and its lower face."""
    if everything or piece.owner == viewer:
        return piece.kind, piece.top, piece.bottom
    return None, piece.top if piece.top_known else None, piece.bottom if piece.bottom_known else None
