"""Draw a world that a viewer cannot tell from the real one: for laws, for search, for forks.

What a viewer does not know of a game are the ``?`` of its history. They are filled in with pieces that agree with every
face shown since, and that their player had in the reserve when placing them; then the history is played again under
the rules. It is one consistent world, not a uniform draw of all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from domain.chance import Chance, Rng
from domain.errors import IllegalAction
from domain.plateau import agreements, turns
from domain.plateau import lines as notation
from domain.plateau.options import Options
from domain.plateau.pieces import COPIES, KIND_OF, Kind
from domain.plateau.state import State, evolve, initial, token
from domain.serialization import Plain
from domain.table import Seat

View: TypeAlias = Mapping[str, Plain]
Code: TypeAlias = str
"""A piece as it was placed: its upper and its lower face."""

_TRIES = 1000


@dataclass(frozen=True, slots=True)
class _Placement:
    """A piece that was placed: by whom, with which line of the history, and the pieces that it may have been."""

    seat: Seat
    line: int
    allowed: tuple[Code, ...]


def sample(options: Options, _viewer: Seat | None, view: View, rng: Rng) -> State:
    """Draw a state consistent with a view."""
    lines = [notation.parted(told["line"]) for told in view["history"]]
    placements = _placements(view, lines)
    gone_home = _gone_home(lines)
    for _ in range(_TRIES):
        codes = _drawn(placements, gone_home, rng)
        try:
            return _ended(_played(options, _filled(lines, codes)), view)
        except IllegalAction as refused:
            if refused.code != "not-forced":  # else in this world somebody who forfeited a turn could have moved
                raise
    raise AssertionError("no world found in which every forfeit was forced")


def _placements(view: View, lines: Sequence[tuple[Seat, str]]) -> list[_Placement]:
    """List all pieces ever placed, in order: of each, what the history and the board tell of it."""
    known = _known(view)
    placements: list[_Placement] = []
    for index, (seat, text) in enumerate(lines):
        for code in _codes(text):
            faces = known.get(token(len(placements) + 1), (None, None))
            wanted = [face if face != notation.HIDDEN else shown for face, shown in zip(code, faces, strict=True)]
            allowed = [up + under for up, under in KIND_OF if wanted[0] in (up, None) and wanted[1] in (under, None)]
            placements.append(_Placement(seat, index, tuple(allowed)))
    return placements


def _codes(text: str) -> list[Code]:
    """List the pieces that the text of an opening or an onboarding names, hidden faces included."""
    return text.rsplit(" ", 1)[1].split(".") if text[0] in "*+" else []


def _known(view: View) -> dict[str, tuple[str | None, str | None]]:
    """Tell of each piece the upper and lower face with which it was placed, as far as they have been shown since."""
    on_board = [piece for stack in view["board"].values() for piece in stack]
    captured = [piece for told in view["history"] for piece in told["captured"]]
    return {
        piece["token"]: (piece["bottom"], piece["top"]) if piece["turned"] else (piece["top"], piece["bottom"])
        for piece in (*on_board, *captured)
    }


GoneHome: TypeAlias = Sequence[tuple[int, Seat, Kind]]
"""The pieces that an exchange gave back: with which line, to whom, and which."""


def _gone_home(lines: Sequence[tuple[Seat, str]]) -> GoneHome:
    back: list[tuple[int, Seat, Kind]] = []
    for index, (seat, text) in enumerate(lines):
        given = notation.types(text) if text[0] == "%" else ()
        if given:
            back += [(index, 1 - seat, kind) for kind in given]
            back += [(index, seat, kind) for kind in notation.types(lines[index - 1][1])]
    return back


def _drawn(placements: Sequence[_Placement], gone_home: GoneHome, rng: Rng) -> list[Code]:
    """Draw what each piece was, those with the fewest possibilities first."""
    order = sorted(range(len(placements)), key=lambda index: len(placements[index].allowed))
    chosen: dict[int, Code] = {}

    def fits(index: int, kind: Kind) -> bool:
        seat = placements[index].seat
        same = [i for i, code in chosen.items() if placements[i].seat == seat and _kind(code) == kind]
        return all(
            number <= _copies(placements[i].line, seat, kind, gone_home)
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


def _copies(line: int, seat: Seat, kind: Kind, gone_home: GoneHome) -> int:
    """Count how often a player could have placed a piece up to a line of the history."""
    return COPIES[kind] + sum(1 for index, *what in gone_home if index < line and what == [seat, kind])


def _shuffled(codes: Iterable[Code], rng: Rng) -> Iterable[Code]:
    """Put pieces in random order, those that there are more of rather first."""
    each = [code for code in codes for _ in range(COPIES[_kind(code)])]
    rng.shuffle(each)
    return dict.fromkeys(each)


def _kind(code: Code) -> Kind:
    return notation.piece_of(code).piece


def _filled(lines: Iterable[tuple[Seat, str]], codes: Iterable[Code]) -> Iterable[tuple[Seat, str]]:
    """Write the pieces into the history."""
    coming = iter(codes)
    for seat, text in lines:
        hidden = _codes(text)
        if hidden:
            known = ".".join(next(coming) for _ in hidden)
            yield seat, f"{text.rsplit(' ', 1)[0]} {known}"
        else:
            yield seat, text


_UNUSED = Chance(b"", "", ())
"""Nothing in this game is drawn by lot."""


def _played(options: Options, lines: Iterable[tuple[Seat, str]]) -> State:
    """Play a history under the rules."""
    state = initial(options, 2)
    for seat, text in lines:
        if text == notation.RESIGNATION:
            return _recorded(state, agreements.resigned(state, seat))
        state = _recorded(state, turns.decide(state, seat, notation.read(text, state)))
        while state.phase != "over" and (forced := turns.settle(state, _UNUSED)):
            state = _recorded(state, forced)
    return state


def _recorded(state: State, events: Iterable[Any]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def _ended(state: State, view: View) -> State:
    """End the game where the players agreed to, which no line of the history tells."""
    agreed = view["end"] is not None and state.end is None
    return _recorded(state, agreements.agree(state, "draw")) if agreed else state
