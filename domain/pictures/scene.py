"""What surrounds a board, or makes up a table of cards: a heading, rows of cards, a line for each seat.

A ruleset builds a ``Scene`` from a view. This module draws it as blocks of a picture, and writes it as lines of text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from re import sub
from textwrap import wrap
from typing import Literal, Protocol
from xml.etree.ElementTree import Element

from domain.cardplay.cards import Card
from domain.cardplay.tricks import Played
from domain.pictures.cards import FACE_HEIGHT, FACE_WIDTH, face
from domain.pictures.shown import Shown
from domain.pictures.svg import EDGE, WIDTH, Block, element, group, words
from domain.pictures.wording import WRITTEN, Wording, signed, spoken
from domain.table import Seat

Side = Literal["first", "second"]
"""One of two sides at the table: the first has round counters, written (…), the second square ones, written […]."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What is shown of a seat; ``note`` is what it bid, or which part it plays; ``name`` is its player's, if known."""

    seat: Seat
    side: Side | None
    note: str
    cards: int | None
    score: int
    is_viewer: bool
    is_to_act: bool
    name: str = ""


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card as it lies; None is face down. ``note`` stands below it; ``covers``: a card lies face down beneath.

    ``is_legal``: the viewer can choose it now.
    """

    card: Card | None
    note: str = ""
    covers: bool = False
    is_legal: bool = False


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards that lie together, under a name."""

    name: str
    cards: Sequence[ShownCard]


def faces(cards: Iterable[Card | None] | None) -> tuple[ShownCard, ...]:
    """Show cards as they are, without notes; none where they are not known."""
    return tuple(map(ShownCard, cards or ()))


def hand_row(seat: Seat, cards: Iterable[Card] | None, wording: Wording = WRITTEN) -> CardRow:
    """Return the row of a seat's hand; it is empty where the hand is not known."""
    playable = wording.shown.playable
    shown = tuple(ShownCard(card, is_legal=card in playable) for card in cards or ())
    return CardRow(f"Hand of {wording.seat(seat)}", shown)


class HandSeen(Protocol):
    """A hand, as a view shows it."""

    @property
    def seat(self) -> Seat:
        """Return the seat that holds it."""

    @property
    def cards(self) -> Sequence[Card] | None:
        """Return its cards, None if the viewer does not see them."""


def viewer_of(hands: Iterable[HandSeen], wording: Wording = WRITTEN) -> Seat | None:
    """Return the seat from which a table is seen: the one named, or else the only one whose cards are shown."""
    seen = [hand.seat for hand in hands if hand.cards is not None]
    return seen[0] if len(seen) == 1 else wording.shown.viewer


def trick_row(number: int, cards: Iterable[Played], winner: Seat | None, wording: Wording = WRITTEN) -> CardRow:
    """Return the row of a trick, in the order played; it is named for its winner, if it is taken."""
    taken = "" if winner is None else f", won by {wording.seat(winner)}"
    return CardRow(f"Trick {number}{taken}", tuple(ShownCard(each.card, wording.seat(each.seat)) for each in cards))


def trick_title(number: int, led: Iterable[Played]) -> str:
    """Name the trick whose cards are shown: the one with this number once it is led, and before that the last one."""
    return f"trick {number}" if number == 1 or any(True for _ in led) else f"trick {number - 1} is taken"


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything beside the board, in reading order: a title, lines of text, rows of cards, a line for each seat."""

    title: str
    lines: Sequence[str]
    rows: Sequence[CardRow]
    seats: Sequence[SeatLine]


def counter(side: Side, radius: float) -> Element:
    """Draw a side's counter around the origin: a full disc or an open square, which differ without colour."""
    if side == "first":
        return element("circle", r=radius, class_="first")
    reach = radius * 0.88
    return element("rect", x=-reach, y=-reach, width=2 * reach, height=2 * reach, rx=3, class_="second")


def bracketed(content: str, side: Side | None) -> str:
    """Write a text between the marks of a side's counters; spaces take their place where there is no side."""
    left, right = _BRACKETS[side]
    return f"{left}{content}{right}"


_BRACKETS: Mapping[Side | None, tuple[str, str]] = {"first": ("(", ")"), "second": ("[", "]"), None: (" ", " ")}


# -- drawn --------------------------------------------------------------------------------------------------------

_LINE = 18
_LONGEST_LINE = 52


def heading(scene: Scene) -> Block:
    """Draw the title and the lines below it."""
    lines = [line for each in scene.lines for line in wrap(each, _LONGEST_LINE)]
    drawn = [words(_typeset(line), EDGE, 38 + _LINE * place, "ink") for place, line in enumerate(lines)]
    return Block(28 + _LINE * len(lines), group(words(scene.title, EDGE, 18, "ink title"), *drawn))


def card_rows(rows: Iterable[CardRow]) -> Block:
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


def _card_row(row: CardRow) -> tuple[float, float, list[Element]]:
    """Return the width, the height and the parts of a row; cards with notes are larger."""
    longest = max((len(shown.note) for shown in row.cards), default=0)
    scale, pitch = (1.3, max(46.0, _LETTER * longest)) if longest else (1.0, 26.4)
    inset = max(0.0, pitch - 46) / 2
    most = int((WIDTH - EDGE) / pitch)
    tall = FACE_HEIGHT * scale + (18 if scale > 1 else 6)
    drawn = [words(row.name, 0, 14, "muted small")]
    for place, shown in enumerate(row.cards):
        drawn.append(group(*_laid(shown, scale), x=pitch * (place % most) + inset, y=20 + tall * (place // most)))
    width = max(pitch * min(len(row.cards), most), _LETTER * len(row.name))
    return width, 24 + tall * ceil(len(row.cards) / most), drawn


def _laid(shown: ShownCard, scale: float) -> Iterator[Element]:
    if shown.covers:
        yield group(face(None), x=2.5, y=3.5)
    yield group(face(shown.card), scale=scale)
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
    longest = max(len(signed(line.score)) for line in seats)
    cards_at = min(_CARDS_AT, _SCORE_AT - _DIGIT * longest - 8)
    heads = [(_SCORE_AT, "score")] + [(cards_at, "cards")] * any(line.cards is not None for line in seats)
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
    return f"You ({line.name or line.seat})" if line.is_viewer else line.name or f"Seat {line.seat}"


def _seat(line: SeatLine, cards_at: float, row: float) -> Iterator[Element]:
    if line.is_to_act:
        yield element("rect", x=EDGE, y=1, width=WIDTH - 2 * EDGE, height=row - 2, rx=5, class_="turn")
        yield element("path", d="M13 7 21 12.5 13 18Z", class_="ink")
    if line.side:
        yield group(counter(line.side, 6.5), x=34, y=12.5)
    yield words(label(line), 48, 17, "ink strong")
    if row == _NAMED_ROW:
        yield words(_typeset(line.note), 48, 33, "ink small")
    else:
        yield words(_typeset(line.note), 108, 17, "ink" if len(line.note) <= _LONGEST_NOTE else "ink small")
    yield words("" if line.cards is None else str(line.cards), cards_at, 17, "ink", "end")
    yield words(_typeset(signed(line.score)), _SCORE_AT, 17, "ink strong", "end")


def _typeset(line: str) -> str:
    """Write negative numbers with the minus sign that is as wide as a plus."""
    return sub(r"-(?=\d)", "\N{MINUS SIGN}", line)


# -- written ------------------------------------------------------------------------------------------------------


def written(scene: Scene, board: Iterable[str] = ()) -> str:
    """Write a scene as text, with the lines of a board in the middle."""
    parts = ((scene.title, *scene.lines), board, map(_row_line, scene.rows), map(_seat_line, scene.seats))
    paragraphs = ("\n".join(line.rstrip() for line in part) for part in parts)
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _row_line(row: CardRow) -> str:
    return f"{row.name}: {' '.join(map(_card_text, row.cards))}"


def _card_text(shown: ShownCard) -> str:
    """Write a card: ``??`` face down, ``RH/??`` on top of another one, ``RH (seat 2)`` with its note."""
    card = (shown.card or "??") + ("/??" if shown.covers else "")
    return f"{card} ({shown.note})" if shown.note else card


def _seat_name(line: SeatLine) -> str:
    return f"{line.name or f'Seat {line.seat}'}{' (you)' if line.is_viewer else ''}"


def _seat_line(line: SeatLine) -> str:
    turn = ">" if line.is_to_act else " "
    cards = "" if line.cards is None else f"{line.cards:2} card{'' if line.cards == 1 else 's'}"
    mark = bracketed(" ", line.side)
    return f"{turn} {mark} {_seat_name(line):12}  {line.note:30}  {cards:8}  {signed(line.score):>5}"


# -- spoken -------------------------------------------------------------------------------------------------------


def described(scene: Scene, board: Iterable[str] = ()) -> str:
    """Put a scene into sentences to be read aloud, those about the board in the middle.

    The scene has been worded for it; its cards are put into words here.
    """
    wording = spoken(Shown())
    sentences = [*scene.lines, *board, *(_spoken_row(row, wording) for row in scene.rows)]
    sentences += (_spoken_seat(line, wording) for line in scene.seats)
    return "".join(f"{each}. " for each in sentences).rstrip()


def _spoken_row(row: CardRow, wording: Wording) -> str:
    if row.cards and all(shown == ShownCard(None) for shown in row.cards):
        return f"{row.name}: {counted(len(row.cards), 'card')} face down"
    between = "; " if any(shown.note for shown in row.cards) else wording.between
    cards = f"{row.name}: {between.join(_spoken_card(shown, wording) for shown in row.cards)}"
    legal = [shown.card for shown in row.cards if shown.is_legal and shown.card]
    return f"{cards}. Of these you can choose {wording.cards(legal)}" if legal else cards


def _spoken_card(shown: ShownCard, wording: Wording) -> str:
    card = wording.card(shown.card) if shown.card else "a card face down"
    covered = " on a card face down" if shown.covers else ""
    return f"{card}{covered}, {shown.note}" if shown.note else f"{card}{covered}"


def _spoken_seat(line: SeatLine, wording: Wording) -> str:
    cards = "" if line.cards is None else counted(line.cards, "card")
    turn = "to act" if line.is_to_act else ""
    parts = filter(None, (line.note, cards, f"score {wording.score(line.score)}", turn))
    return f"{_seat_name(line)}: {', '.join(parts)}"


def counted(number: int, noun: str) -> str:
    """Count things."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
