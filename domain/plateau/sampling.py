"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

What a viewer does not know of a game are the ``?`` of its history. They are filled with pieces that agree with every
face shown since, and that their player had in reserve at the time. The history is then played again under the rules.
The result is one consistent world, not a uniform draw of all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from domain.chance import Rng
from domain.errors import IllegalAction, NoWorldFound
from domain.log.record import Shown
from domain.plateau import agreements, lines, turns
from domain.plateau.events import CapturedPiece, Event
from domain.plateau.options import Options
from domain.plateau.pieces import COPIES, KIND_OF, Face, Kind
from domain.plateau.stacks import Token
from domain.plateau.state import State, evolve, initial, token
from domain.plateau.view import PieceView, View
from domain.serialization import Plain, to_plain
from domain.table import Seat, Viewer

Code: TypeAlias = str
"""A piece as it was placed: its upper and its lower face."""

Entry: TypeAlias = tuple[Seat, str]
"""An entry of the history: the seat that acted, and the text of its action."""

_TRIES = 1000


@dataclass(frozen=True, slots=True)
class _Placement:
    """A piece that was placed: by which seat, in which line of the history, and the pieces that it can have been."""

    seat: Seat
    line: int
    allowed: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class _Return:
    """A piece that an exchange returned to the reserve of a seat, in which line of the history."""

    seat: Seat
    line: int
    kind: Kind


def sample(options: Options, _viewer: Viewer, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view."""
    history = [lines.parted(shown.line) for shown in view.history]
    placements, returns = _placements(view, history), list(_returns(history))
    for _ in range(_TRIES):
        codes = _drawn(placements, returns, rng)
        try:
            return _ended(_played(options, _filled(history, codes)), view)
        except IllegalAction as refused:
            if refused.code != "not-forced":  # else a player who forfeited a turn had a legal action in this world
                raise
    raise NoWorldFound("no world found in which every forfeit was forced")


def _placements(view: View, history: Sequence[Entry]) -> list[_Placement]:
    """List all pieces ever placed, in order, with what the history and the board show of each."""
    known = _known(view)
    placements: list[_Placement] = []
    for index, (seat, text) in enumerate(history):
        for code in _codes(text):
            faces = known.get(token(len(placements) + 1), (None, None))
            top, bottom = (face if face != lines.HIDDEN else shown for face, shown in zip(code, faces, strict=True))
            allowed = (up + under for up, under in KIND_OF if top in (up, None) and bottom in (under, None))
            placements.append(_Placement(seat, index, tuple(allowed)))
    return placements


def _codes(text: str) -> list[Code]:
    """List the pieces that the text of an opening or an onboarding names, hidden faces included."""
    return text.rsplit(" ", 1)[1].split(".") if text[0] in "*+" else []


def _known(view: View) -> dict[Token, tuple[Face | None, Face | None]]:
    """Return the upper and lower face with which each piece was placed, as far as they have been shown since."""
    shown: list[PieceView | CapturedPiece] = [piece for stack in view.board.values() for piece in stack]
    shown += [piece for line in view.history for piece in line.captured]
    return {piece.token: (piece.bottom, piece.top) if piece.turned else (piece.top, piece.bottom) for piece in shown}


def _returns(history: Sequence[Entry]) -> Iterator[_Return]:
    for index, (seat, text) in enumerate(history):
        given = lines.kinds_in(text) if text[0] == "%" else ()
        if given:
            yield from (_Return(1 - seat, index, kind) for kind in given)
            yield from (_Return(seat, index, kind) for kind in lines.kinds_in(history[index - 1][1]))


def _drawn(placements: Sequence[_Placement], returns: Sequence[_Return], rng: Rng) -> list[Code]:
    """Draw what each piece was, those with the fewest possibilities first."""
    order = sorted(range(len(placements)), key=lambda index: len(placements[index].allowed))
    chosen: dict[int, Code] = {}

    def fits(index: int, kind: Kind) -> bool:
        seat = placements[index].seat
        same = [i for i, code in chosen.items() if placements[i].seat == seat and _kind(code) == kind]
        return all(
            number <= _copies(placements[i].line, seat, kind, returns)
            for number, i in enumerate(sorted([*same, index]), 1)
        )

    def draw(nth: int) -> bool:
        if nth == len(order):
            return True
        index = order[nth]
        for code in _shuffled(placements[index].allowed, rng):
            if fits(index, _kind(code)):
                chosen[index] = code
                if draw(nth + 1):
                    return True
                del chosen[index]
        return False

    if not draw(0):
        raise AssertionError("no pieces fit this view")
    return [chosen[index] for index in range(len(placements))]


def _copies(line: int, seat: Seat, kind: Kind, returns: Sequence[_Return]) -> int:
    """Count how often a player can have placed a piece up to a line of the history."""
    return COPIES[kind] + sum(back.line < line and back.seat == seat and back.kind == kind for back in returns)


def _shuffled(codes: Iterable[Code], rng: Rng) -> Iterable[Code]:
    """Put pieces in random order; the more copies there are of one, the earlier it tends to come."""
    each = [code for code in codes for _ in range(COPIES[_kind(code)])]
    rng.shuffle(each)
    return dict.fromkeys(each)


def _kind(code: Code) -> Kind:
    return lines.piece_of(code).piece


def _filled(history: Iterable[Entry], codes: Iterable[Code]) -> Iterator[Entry]:
    """Write the pieces into the history."""
    coming = iter(codes)
    for seat, text in history:
        known = ".".join(next(coming) for _ in _codes(text))
        yield seat, f"{text.rsplit(' ', 1)[0]} {known}" if known else text


def _played(options: Options, history: Iterable[Entry]) -> State:
    """Play a history under the rules."""
    state = initial(options, 2)
    for seat, text in history:
        if text == lines.RESIGNATION:
            return _recorded(state, agreements.resigned(state, seat))
        state = _recorded(state, turns.PHASES.decide(state, seat, lines.read(text, state.board)))
        while forced := turns.PHASES.settle(state):
            state = _recorded(state, forced)
    return state


def _recorded(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def _ended(state: State, view: View) -> State:
    """End the game where the players agreed to a draw, which the history does not show."""
    agreed = view.end is not None and state.end is None
    return _recorded(state, agreements.agree(state, "draw")) if agreed else state


def hidden_parts(state: State, events: Iterable[Shown]) -> Iterator[Mapping[str, Plain]]:
    """Return the hidden parts of the events of a game, as they were in the world of a state: the pieces placed."""
    placed = (lines.piece_of(code) for line in state.history for code in _codes(lines.parted(line.own.line)[1]))
    for event in events:
        match event["type"]:
            case "unit_opened":
                yield {"/lower": to_plain(next(placed)), "/upper": next(placed).piece}
            case "piece_onboarded":
                yield {"/piece": next(placed).piece}
            case _:
                yield {}
