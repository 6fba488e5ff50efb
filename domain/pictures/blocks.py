"""What surrounds a board in a picture: blocks for the heading, rows of cards, and a line for each seat."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from re import sub
from textwrap import wrap
from xml.etree.ElementTree import Element

from domain.pictures.cards import FACE_HEIGHT, FACE_WIDTH, face
from domain.pictures.scene import Row, Scene, SeatLine, Side, Thing
from domain.pictures.svg import EDGE, WIDTH, Block, element, group, number, words
from domain.pictures.wording import signed
from domain.sentences.message import seat_number


def counter(side: Side, radius: float) -> Element:
    """Draw a side's counter around the origin: a full disc or an open square, which differ without colour."""
    if side == "first":
        return element("circle", r=radius, class_="first")
    reach = radius * 0.88
    square = element("rect", x=-reach, y=-reach, width=2 * reach, height=2 * reach, rx=3, class_="second")
    a, b, c = (number(reach * part) for part in (0.9, 0.3, -0.3))
    strokes = f"M-{a} {c}L{c} -{a}M-{a} {b}L{b} -{a}M-{a} {a}L{a} -{a}M-{b} {a}L{a} -{b}M{b} {a}L{a} {b}"
    return element("g", square, element("path", d=strokes, class_="hatch"))


_LINE = 18
_LONGEST_LINE = 52


def heading(scene: Scene) -> Block:
    """Draw the title and the lines below it."""
    lines = [line for each in scene.lines for line in wrap(each, _LONGEST_LINE)]
    drawn = [words(_typeset(line), EDGE, 38 + _LINE * place, "ink") for place, line in enumerate(lines)]
    return Block(28 + _LINE * len(lines), group(words(scene.title, EDGE, 18, "ink title"), *drawn))


def card_rows(rows: Iterable[Row]) -> Block:
    """Draw rows of cards, several beside each other where there is room."""
    drawn: list[Element] = []
    along: float = EDGE
    top = deepest = 0.0
    for row in rows:
        width, height, content = _card_row(row)
        if along + width > WIDTH - EDGE and along > EDGE:
            along, top = EDGE, deepest
        drawn.append(group(*content, x=along, y=top))
        along, deepest = along + width + _BETWEEN, max(deepest, top + height)
    return Block(deepest, group(*drawn))


_BETWEEN = 14
_LETTER = 6.8
"""The space between rows beside each other, and about how wide a small letter is."""


def _card_row(row: Row) -> tuple[float, float, list[Element]]:
    """Return the width, the height and the parts of a row; cards with notes are larger."""
    longest = max((len(shown.note) for shown in row.things), default=0)
    scale, pitch = (1.3, max(46.0, _LETTER * longest)) if longest else (1.0, 26.4)
    inset = max(0.0, pitch - 46) / 2
    most = int((WIDTH - EDGE) / pitch)
    tall = FACE_HEIGHT * scale + (18 if scale > 1 else 6)
    drawn = [words(row.name, 0, 14, "muted small")]
    for place, shown in enumerate(row.things):
        drawn.append(group(*_laid(shown, scale), x=pitch * (place % most) + inset, y=20 + tall * (place // most)))
    width = max(pitch * min(len(row.things), most), _LETTER * len(row.name))
    return width, 24 + tall * ceil(len(row.things) / most), drawn


def _laid(shown: Thing, scale: float) -> Iterator[Element]:
    if shown.covers:
        yield group(face(None), x=2.5, y=3.5)
    yield group(face(shown.face), scale=scale)
    if shown.is_legal:
        yield element("rect", width=FACE_WIDTH * scale, height=FACE_HEIGHT * scale, rx=3 * scale, class_="legal")
    if shown.note:
        yield words(shown.note, FACE_WIDTH * scale / 2, FACE_HEIGHT * scale + 12, "muted small", "middle")


_ROW, _NAMED_ROW = 25, 40
"""The height of a line; with names, it has a second one for the note."""
_CARDS_AT, _SCORE_AT = 298, WIDTH - EDGE - 6
_DIGIT = 9.2
"""The width of a digit of a score."""
_LONGEST_NOTE = 22
"""In letters; a longer note is written smaller."""


def seat_table(seats: Sequence[SeatLine]) -> Block:
    """Draw a line for each seat: whether it is to act, its side, its note, its cards and its score."""
    longest = max((len(_score(line)) for line in seats), default=0)
    cards_at = min(_CARDS_AT, _SCORE_AT - _DIGIT * longest - 8)
    heads: list[tuple[float, str]] = [(_SCORE_AT, "score")] * any(line.score is not None for line in seats)
    heads += [(cards_at, "cards")] * any(line.cards is not None for line in seats)
    drawn = [words(head, x, 14, "muted small", "end") for x, head in heads]
    own = next((line.side for line in seats if line.is_viewer), None)
    drawn += [own_side_key()] * (own is not None)
    is_named = any(line.name for line in seats)
    row = _NAMED_ROW if is_named else _ROW
    for place, line in enumerate(seats):
        drawn.append(group(*_seat(line, cards_at, row), y=20 + row * place))
        if own and line.side == own:
            drawn.append(own_mark(20 + row * place, row))
    return Block(24 + row * len(seats), group(*drawn))


def own_side_key() -> Element:
    """Draw what the mark of the viewer's own side means, in the line above a table."""
    return group(own_mark(3, 15), words("your side", EDGE + 9, 14, "muted small"))


def own_mark(top: float, height: float) -> Element:
    """Draw the mark of the viewer's own side, beside a line of a table."""
    return element("rect", x=EDGE, y=top + 2, width=3, height=height - 4, class_="ink")


def label(line: SeatLine) -> str:
    """Return how a picture names a seat."""
    number = seat_number(line.seat).value
    return f"You ({line.name or number})" if line.is_viewer else line.name or f"Player {number}"


def _seat(line: SeatLine, cards_at: float, row: float) -> Iterator[Element]:
    if line.is_to_act:
        yield element("rect", x=EDGE, y=1, width=WIDTH - 2 * EDGE, height=row - 2, rx=5, class_="turn")
        yield element("path", d="M13 7 21 12.5 13 18Z", class_="ink")
    if line.side:
        yield group(counter(line.side, 6.5), x=34, y=12.5)
    yield words(label(line), 46, 17, "ink strong")
    if row == _NAMED_ROW:
        yield words(_typeset(line.note), 48, 33, "ink small")
    else:
        yield words(_typeset(line.note), 108, 17, "ink" if len(line.note) <= _LONGEST_NOTE else "ink small")
    yield words("" if line.cards is None else str(line.cards), cards_at, 17, "ink", "end")
    yield words(_typeset(_score(line)), _SCORE_AT, 17, "ink strong", "end")


def _score(line: SeatLine) -> str:
    return "" if line.score is None else signed(line.score)


def _typeset(line: str) -> str:
    """Write negative numbers with the minus sign that is as wide as a plus."""
    return sub(r"-(?=\d)", "\N{MINUS SIGN}", line)
