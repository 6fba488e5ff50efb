"""The opening: two pieces as one unit on an empty square at the edge (rules.md, opening)."""

from collections.abc import Sequence

from domain.errors import Refusals
from domain.plateau import events as ev
from domain.plateau.actions import Action, Open, Placed
from domain.plateau.board import INDEX, PERIMETER, SQUARES, Square
from domain.plateau.onboarding import check_placeable, placeable
from domain.plateau.pieces import without
from domain.plateau.state import State, token
from domain.sentences import message as msg
from domain.sequences import Mapped, Pairs
from domain.table import Seat

RULE = "3. Opening"
_refuse = Refusals(__package__)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List every unit on every empty square at the edge."""
    reserve = state.reserves[seat]
    lowers = placeable(reserve)
    units = tuple((lower, upper) for lower in lowers for upper in placeable(without(reserve, (lower.piece,))))
    squares = tuple(SQUARES[square] for square in PERIMETER if not state.board[square])
    return Mapped(_open, Pairs(squares, units))


def _open(pair: tuple[Square, tuple[Placed, ...]]) -> Open:
    return Open(*pair)


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Return the events of an opening; raise ``IllegalAction``."""
    if not isinstance(action, Open):
        raise _refuse("wrong-phase.open", RULE)
    _check_square(state, action)
    if len(action.pieces) != 2:
        raise _refuse("wrong-number-of-pieces", RULE, given=msg.Number(len(action.pieces)))
    lower, upper = action.pieces
    check_placeable(state.reserves[seat], lower, RULE)
    left = without(state.reserves[seat], (lower.piece,))
    if upper.piece == lower.piece and upper.piece not in left:
        raise _refuse("not-in-reserve.only-one", RULE, piece=msg.Text(upper.piece))
    check_placeable(left, upper, RULE)
    tokens = token(state.placements + 1), token(state.placements + 2)
    return [ev.UnitOpened(seat, action.square, *tokens, upper.up, Placed(lower.piece, lower.up), upper.piece)]


def _check_square(state: State, action: Open) -> None:
    if INDEX[action.square] not in PERIMETER:
        raise _refuse("not-at-the-edge", RULE, square=msg.Text(action.square))
    if state.board[INDEX[action.square]]:
        raise _refuse("square-taken", RULE, square=msg.Text(action.square))
