"""What one viewer may know of a game of Plateau: built field by field, from nothing.

Everything is public but undersides, covered faces that nobody has seen, and reserves; of these a player sees their own.
"""

from typing import TypedDict, cast

from domain.plateau import events as ev
from domain.plateau import lines
from domain.plateau.board import SQUARES, Square
from domain.plateau.events import Phase, TableSeat
from domain.plateau.knowledge import seen
from domain.plateau.pieces import Face, Kind
from domain.plateau.stacks import Piece, Token
from domain.plateau.state import Line, State
from domain.serialization import Plain
from domain.table import Seat


class PieceView(TypedDict):
    """A piece on the board; null is what the viewer does not know. ``turned``: the other side up than it was placed."""

    owner: TableSeat
    token: Token
    piece: Kind | None
    top: Face | None
    bottom: Face | None
    turned: bool


class ReserveView(TypedDict):
    """The pieces that a player has not placed: how many, and which (own ones only)."""

    seat: TableSeat
    count: int
    pieces: list[Kind] | None


class PrisonersView(TypedDict):
    """The enemy pieces that a player holds."""

    seat: TableSeat
    pieces: list[Kind]


class TenderView(TypedDict):
    """A tender that waits for its answer."""

    seat: TableSeat
    to: TableSeat
    pieces: list[Kind]
    total: int


class CapturedView(TypedDict):
    """A piece that was captured, as it lay."""

    token: Token
    piece: Kind
    top: Face
    bottom: Face
    turned: bool


class LineView(TypedDict):
    """What a player did, in the notation: hidden faces are ``?`` but for its own player; and what it captured."""

    seat: TableSeat
    line: str
    captured: list[CapturedView]


class EndView(TypedDict):
    """How the game ended; a draw has no winner."""

    reason: ev.Reason
    winner: TableSeat | None


class View(TypedDict):
    """The ``state`` of a view. ``board``: the stacks by square, the lowest piece first; empty squares are left out."""

    phase: Phase
    to_move: TableSeat | None
    board: dict[str, list[PieceView]]
    reserves: list[ReserveView]
    prisoners: list[PrisonersView]
    tender: TenderView | None
    min_tender: list[int]
    plies: int
    quiet_plies: int
    forfeits: int
    repetition: int
    history: list[LineView]
    end: EndView | None


def project(state: State, viewer: Seat | None) -> dict[str, Plain]:
    """Build the view of a seat, or of a spectator (None)."""
    is_over = state.phase == "over"
    view: View = {
        "phase": state.phase,
        "to_move": None if is_over else state.to_move,
        "board": _board(state, viewer, everything=is_over),
        "reserves": [
            {
                "seat": seat,
                "count": len(reserve),
                "pieces": list(reserve) if is_over or seat == viewer else None,
            }
            for seat, reserve in enumerate(state.reserves)
        ],
        "prisoners": [{"seat": seat, "pieces": list(pieces)} for seat, pieces in enumerate(state.prisoners)],
        "tender": _tender(state.tender),
        "min_tender": list(state.min_tender),
        "plies": state.plies,
        "quiet_plies": state.quiet_plies,
        "forfeits": state.forfeits,
        "repetition": state.repetition,
        "history": [_line(line, is_open=is_over or line.seat == viewer) for line in state.history],
        "end": {"reason": state.end.reason, "winner": state.end.winner} if state.end else None,
    }
    return cast("dict[str, Plain]", view)


def _board(state: State, viewer: Seat | None, *, everything: bool) -> dict[str, list[PieceView]]:
    stacks: list[tuple[Square, list[PieceView]]] = [
        (square, [_piece(piece, viewer, everything=everything) for piece in stack])
        for square, stack in zip(SQUARES, state.board, strict=True)
        if stack
    ]
    return dict(stacks)


def _piece(piece: Piece, viewer: Seat | None, *, everything: bool) -> PieceView:
    kind, top, bottom = seen(piece, viewer, everything=everything)
    return {
        "owner": piece.owner,
        "token": piece.token,
        "piece": kind,
        "top": top,
        "bottom": bottom,
        "turned": piece.turned,
    }


def _tender(tender: ev.PrisonersTendered | None) -> TenderView | None:
    if tender is None:
        return None
    return {"seat": tender.seat, "to": tender.to, "pieces": list(tender.pieces), "total": tender.total}


def _line(line: Line, *, is_open: bool) -> LineView:
    return {
        "seat": line.seat,
        "line": lines.line(line.seat, line.own if is_open else line.public),
        "captured": [
            {"token": p.token, "piece": p.piece, "top": p.top, "bottom": p.bottom, "turned": p.turned}
            for p in line.captured
        ],
    }
