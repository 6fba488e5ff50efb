"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

What a viewer does not know of a game are the ``?`` of its history. They are filled with pieces that agree with every
face shown since, and that their player had in reserve at the time. The history is then played again under the rules.
A world is what every piece ever placed was. It is drawn from all worlds that agree with the view, as if each piece had
been taken blindly from the reserve: the twelve discs count apart, so a hidden piece is rather one of the four Mutes
than the only Ace.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from domain.chance import Rng, below
from domain.errors import IllegalAction, NoWorldFound
from domain.log.record import Shown
from domain.plateau import agreements, lines, rules
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

Numbers: TypeAlias = tuple[int, ...]
"""How many pieces of each kind, in the order of the kinds."""

_Choices: TypeAlias = dict[Numbers, tuple[Sequence[Code], Sequence[int]]]
"""What a piece can have been, by what its player had placed before, with the running sum of the weights."""

_TRIES = 1000
_NONE_PLACED: Numbers = (0,) * len(COPIES)
_PLACE: Mapping[Code, int] = {up + under: tuple(COPIES).index(kind) for (up, under), kind in KIND_OF.items()}
"""The place of a piece among the kinds."""


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
    """Draw what each piece was: every way to take the discs of both players from their reserves is equally likely."""
    codes = {index: code for seat in (0, 1) for index, code in _of_seat(seat, placements, returns, rng)}
    return [codes[index] for index in range(len(placements))]


def _of_seat(
    seat: Seat, placements: Sequence[_Placement], returns: Sequence[_Return], rng: Rng
) -> Iterator[tuple[int, Code]]:
    own = [(index, placement) for index, placement in enumerate(placements) if placement.seat == seat]
    allowed = tuple(placement.allowed for _, placement in own)
    owned = tuple(_owned(seat, placement.line, returns) for _, placement in own)
    placed = _NONE_PLACED
    for (index, _), choices in zip(own, _choices(allowed, owned), strict=True):
        codes, weights = choices[placed]
        code = codes[bisect_right(weights, below(weights[-1], rng))]
        placed = _with(placed, code)
        yield index, code


def _owned(seat: Seat, line: int, returns: Sequence[_Return]) -> Numbers:
    """Count the discs of each kind that a player has had up to a line, those twice that an exchange returned."""
    returned = [back.kind for back in returns if back.line < line and back.seat == seat]
    return tuple([copies + returned.count(kind) for kind, copies in COPIES.items()])


@lru_cache(maxsize=64)
def _choices(allowed: tuple[tuple[Code, ...], ...], owned: tuple[Numbers, ...]) -> Sequence[_Choices]:
    """Count, for each piece that a player placed, in how many ways it and all later ones can have been drawn."""
    choices: list[_Choices] = [{} for _ in allowed]

    def ways(number: int, placed: Numbers) -> int:
        if number == len(allowed):
            return 1
        if placed not in choices[number]:
            left = [(code, owned[number][_PLACE[code]] - placed[_PLACE[code]]) for code in allowed[number]]
            found = [(code, n * ways(number + 1, _with(placed, code))) for code, n in left if n]
            codes = [code for code, count in found if count]
            choices[number][placed] = codes, list(accumulate(count for _, count in found if count))
        weights = choices[number][placed][1]
        return weights[-1] if weights else 0

    if not ways(0, _NONE_PLACED):
        raise AssertionError("no pieces fit this view")
    return choices


def _with(placed: Numbers, code: Code) -> Numbers:
    """Count one more piece of the kind of a code."""
    place = _PLACE[code]
    return (*placed[:place], placed[place] + 1, *placed[place + 1 :])


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
        if text in agreements.GIVEN_UP:
            return _recorded(state, agreements.GIVEN_UP[text](state, seat))
        state = _recorded(state, rules.PHASES.decide(state, seat, lines.read(text, state.board)))
        while forced := rules.PHASES.settle(state):
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
