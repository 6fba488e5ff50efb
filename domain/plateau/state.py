"""The state of a game of Plateau, and ``evolve``, which records events one by one and never judges them.

``deed`` holds what a player just did until its consequences are settled; between turns it is None.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from domain.field_types import fields_of
from domain.plateau import events as ev
from domain.plateau import lines
from domain.plateau.board import INDEX, SQUARES
from domain.plateau.events import PhaseName
from domain.plateau.options import Options
from domain.plateau.pieces import SET, Kind, in_order, without
from domain.plateau.stacks import Board, Token, flipped, placed, with_stack
from domain.recording import Recorder, recorded_by, replaced, unchanged
from domain.serialization import Plain, changed, to_plain
from domain.table import Seat

BLACK: Seat = 0
WHITE: Seat = 1

Holdings: TypeAlias = tuple[tuple[Kind, ...], ...]
"""The pieces that each seat has beside the board."""


@dataclass(frozen=True)
class LineView:
    """What a player did, in the notation: hidden faces are ``?`` but for its own player; and what it captured."""

    seat: ev.TableSeat
    line: str
    captured: tuple[ev.CapturedPiece, ...]


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A line of the history, as its own player sees it and as all others do."""

    public: LineView
    own: LineView = field(repr=False)


@dataclass(frozen=True)
class Deed:
    """What a player just did, and which of its consequences have been recorded."""

    event: ev.PlayerEvent
    is_shown: bool = False
    has_captured: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """How the game ended; a draw has no winner."""

    reason: ev.Reason
    winner: ev.TableSeat | None


@dataclass(frozen=True)
class State:
    """A game of Plateau. ``prisoners`` are by the seat that holds them; all pieces are listed by falling worth."""

    options: Options
    phase: PhaseName = "opening"
    to_move: Seat = BLACK
    board: Board = ((),) * len(SQUARES)
    reserves: Holdings = field(default=(SET, SET), repr=False)
    prisoners: Holdings = ((), ())
    tender: ev.PrisonersTendered | None = None
    min_tender: tuple[int, ...] = (0, 0)
    placements: int = 0
    """How many pieces have been placed so far; tokens are numbered by it."""
    plies: int = 0
    quiet_plies: int = 0
    forfeits: int = 0
    seen: tuple[str, ...] = ()
    """The positions at the starts of turns since the last irreversible one."""
    repetition: int = 0
    history: tuple[HistoryLine, ...] = ()
    deed: Deed | None = None
    end: End | None = None


def initial(options: Options, _seats: int) -> State:
    """Return the state before the first piece is placed."""
    return State(options)


def token(number: int) -> Token:
    """Return the token of the piece that was placed as the given one of all, counted from 1."""
    return f"p{number}"


_NAMES: Mapping[type, str] = {cls: name for name, cls in ev.EVENTS.items()}


def _done(state: State, event: ev.PlayerEvent, **changes: object) -> State:
    """Record what a player did: add its line to the history, and keep it to be settled."""
    cls: type = type(event)
    data = to_plain(event)
    own = public = _line(event, data)
    secrets = {part.key for part in fields_of(cls) if part.secret_to is not None}
    if secrets:
        public = _line(event, {key: value for key, value in data.items() if key not in secrets})
    return changed(state, history=(*state.history, HistoryLine(public, own)), **{"deed": Deed(event), **changes})


def _line(event: ev.PlayerEvent, data: Mapping[str, Plain]) -> LineView:
    return LineView(event.seat, lines.line(event.seat, lines.write(_NAMES[type(event)], data) or ""), ())


def _unit_opened(state: State, event: ev.UnitOpened) -> State:
    seat, lower = event.seat, event.lower
    unit = (
        placed(seat, event.lower_token, lower.piece, lower.up, top_known=False),
        placed(seat, event.upper_token, event.upper, event.top, top_known=True),
    )
    return _done(
        state,
        event,
        board=with_stack(state.board, INDEX[event.square], unit),
        reserves=_less(state.reserves, seat, (lower.piece, event.upper)),
        placements=state.placements + 2,
    )


def _piece_onboarded(state: State, event: ev.PieceOnboarded) -> State:
    square, height = INDEX[event.square], event.height
    stack = state.board[square]
    piece = placed(event.seat, event.token, event.piece, event.top, top_known=True)
    return _done(
        state,
        event,
        board=with_stack(state.board, square, (*stack[:height], piece, *stack[height:])),
        reserves=_less(state.reserves, event.seat, (event.piece,)),
        placements=state.placements + 1,
    )


def _unit_moved(state: State, event: ev.UnitMoved) -> State:
    board = list(state.board)
    start = INDEX[event.from_]
    stack = flipped(board[start]) if event.flipped else board[start]
    board[start], carried = stack[: -event.lift], stack[-event.lift :]
    for stop in event.stops:
        pile = board[INDEX[stop.square]] + carried
        board[INDEX[stop.square]], carried = pile[: -stop.carry], pile[-stop.carry :]
    board[INDEX[event.to]] += carried
    return _done(state, event, board=tuple(board))


def _unit_stomped(state: State, event: ev.UnitStomped) -> State:
    square = INDEX[event.square]
    stack = state.board[square]
    return _done(state, event, board=with_stack(state.board, square, flipped(stack) if event.flipped else stack))


def _faces_shown(state: State, event: ev.FacesShown) -> State:
    deed = state.deed and changed(state.deed, is_shown=True)
    return changed(state, board=_shown(state.board, event.faces), deed=deed)


def _pieces_captured(state: State, event: ev.PiecesCaptured) -> State:
    square = INDEX[event.square]
    gone = {piece.token for piece in event.pieces}
    board = with_stack(state.board, square, tuple(p for p in state.board[square] if p.token not in gone))
    last = (_with_captured(line, event.pieces) for line in state.history[-1:])
    return changed(
        state,
        board=_shown(board, event.shown),
        prisoners=_more(state.prisoners, event.by, tuple(piece.piece for piece in event.pieces)),
        history=(*state.history[:-1], *last),
        deed=state.deed and changed(state.deed, has_captured=True),
    )


def _with_captured(line: HistoryLine, pieces: tuple[ev.CapturedPiece, ...]) -> HistoryLine:
    return HistoryLine(changed(line.public, captured=pieces), changed(line.own, captured=pieces))


def _prisoners_exchanged(state: State, event: ev.PrisonersExchanged) -> State:
    prisoners = _less(state.prisoners, event.initiator, event.tendered)
    reserves = _more(state.reserves, event.seat, event.tendered)
    return _done(
        state,
        event,
        tender=None,
        prisoners=_less(prisoners, event.seat, event.given),
        reserves=_more(reserves, event.initiator, event.given),
    )


def _turn_began(state: State, event: ev.TurnBegan) -> State:
    before = state.seen if event.quiet_plies else ()
    return changed(
        state,
        phase=event.phase,
        to_move=event.player,
        min_tender=event.min_tender,
        plies=event.ply,
        quiet_plies=event.quiet_plies,
        forfeits=event.forfeits,
        seen=before if event.position is None else (*before, event.position),
        repetition=event.occurrence,
        deed=None,
    )


def _turn_resumed(state: State, event: ev.TurnResumed) -> State:
    return changed(state, phase="play", to_move=event.player, min_tender=event.min_tender, deed=None)


def _game_won(state: State, event: ev.GameWon) -> State:
    return changed(
        state,
        phase="over",
        end=End(event.reason, event.winner),
        tender=None,
        deed=None,
        plies=event.ply,
        quiet_plies=event.quiet_plies,
        min_tender=event.min_tender,
    )


def _game_drawn(state: State, event: ev.GameDrawn) -> State:
    return changed(state, phase="over", end=End(event.reason, None), tender=None, deed=None)


_RECORDERS: Mapping[type, Recorder[State]] = {
    ev.UnitOpened: _unit_opened,
    ev.PieceOnboarded: _piece_onboarded,
    ev.UnitMoved: _unit_moved,
    ev.UnitStomped: _unit_stomped,
    ev.FacesShown: _faces_shown,
    ev.PiecesCaptured: _pieces_captured,
    ev.PrisonersTendered: lambda state, event: _done(
        state, event, tender=event, phase="response", to_move=event.to, deed=None
    ),
    ev.PrisonersExchanged: _prisoners_exchanged,
    ev.TenderRefused: lambda state, event: _done(state, event, tender=None),
    ev.TurnForfeited: _done,
    ev.TurnBegan: _turn_began,
    ev.TurnResumed: _turn_resumed,
    ev.Resigned: lambda state, event: _done(state, event, deed=None),
    ev.TimeLost: lambda state, event: _done(state, event, deed=None),
    ev.GameWon: _game_won,
    ev.GameDrawn: _game_drawn,
    ev.EverythingRevealed: unchanged,
}

evolve: Callable[[State, ev.Event], State] = recorded_by(_RECORDERS)
"""Record an event."""


def _shown(board: Board, faces: tuple[ev.ShownFace, ...]) -> Board:
    """Make upper faces public."""
    for face in faces:
        square = INDEX[face.square]
        stack = tuple(changed(p, top_known=True) if p.token == face.token else p for p in board[square])
        board = with_stack(board, square, stack)
    return board


def _more(held: Holdings, seat: Seat, kinds: tuple[Kind, ...]) -> Holdings:
    return replaced(held, seat, in_order((*held[seat], *kinds)))


def _less(held: Holdings, seat: Seat, kinds: tuple[Kind, ...]) -> Holdings:
    return replaced(held, seat, without(held[seat], kinds))
