"""What one viewer can know of a game of Plateau.

Everything is public except undersides, covered faces that have not been seen, and reserves. Each player sees their own.
A view shares with the state all values that are public as they stand.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from domain.plateau.board import Square
from domain.plateau.events import PhaseName, PrisonersTendered, TableSeat
from domain.plateau.pieces import Face, Kind
from domain.plateau.stacks import Piece, Token, occupied
from domain.plateau.state import End, LineView, State
from domain.table import EVERYTHING, Viewer


@dataclass(frozen=True)
class PieceView:
    """A piece on the board; null is what the viewer does not know. ``turned``: the other side up than it was placed."""

    owner: TableSeat
    token: Token
    piece: Kind | None
    top: Face | None
    bottom: Face | None
    turned: bool


@dataclass(frozen=True)
class ReserveView:
    """The pieces that a player has not placed: how many, and which (own ones only)."""

    seat: TableSeat
    count: int
    pieces: tuple[Kind, ...] | None


@dataclass(frozen=True)
class PrisonersView:
    """The enemy pieces that a player holds."""

    seat: TableSeat
    pieces: tuple[Kind, ...]


@dataclass(frozen=True)
class View:
    """The ``state`` of a view. ``board``: the stacks by square, the lowest piece first; empty squares are left out."""

    phase: PhaseName
    to_move: TableSeat | None
    board: Mapping[Square, tuple[PieceView, ...]]
    reserves: tuple[ReserveView, ...]
    prisoners: tuple[PrisonersView, ...]
    tender: PrisonersTendered | None
    min_tender: tuple[int, ...]
    plies: int
    quiet_plies: int
    forfeits: int
    repetition: int
    history: tuple[LineView, ...]
    end: End | None


def project(state: State, viewer: Viewer) -> View:
    """Build the view of a viewer."""
    is_over = state.phase == "over"
    sees_all = is_over or viewer == EVERYTHING
    return View(
        phase=state.phase,
        to_move=None if is_over else state.to_move,
        board={
            square: tuple(_piece(piece, is_open=sees_all or piece.owner == viewer) for piece in stack)
            for square, stack in occupied(state.board)
        },
        reserves=tuple(
            ReserveView(seat, len(reserve), reserve if sees_all or seat == viewer else None)
            for seat, reserve in enumerate(state.reserves)
        ),
        prisoners=tuple(PrisonersView(seat, pieces) for seat, pieces in enumerate(state.prisoners)),
        tender=state.tender,
        min_tender=state.min_tender,
        plies=state.plies,
        quiet_plies=state.quiet_plies,
        forfeits=state.forfeits,
        repetition=state.repetition,
        history=tuple(line.own if sees_all or line.own.seat == viewer else line.public for line in state.history),
        end=state.end,
    )


def _piece(piece: Piece, *, is_open: bool) -> PieceView:
    return PieceView(
        owner=piece.owner,
        token=piece.token,
        piece=piece.kind if is_open else None,
        top=piece.top if is_open or piece.top_known else None,
        bottom=piece.bottom if is_open or piece.bottom_known else None,
        turned=piece.turned,
    )
