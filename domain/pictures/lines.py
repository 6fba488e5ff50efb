"""A scene in lines of text: written for a terminal, or put into sentences to be read aloud."""

from collections.abc import Iterable, Mapping

from domain.pictures.scene import FACE_DOWN, Row, Scene, SeatLine, Side, Thing, card_thing
from domain.pictures.shown import Shown
from domain.pictures.wording import Wording, signed, spoken


def bracketed(content: str, side: Side | None) -> str:
    """Write a text between the marks of a side's counters; spaces take their place where there is no side."""
    left, right = _BRACKETS[side]
    return f"{left}{content}{right}"


_BRACKETS: Mapping[Side | None, tuple[str, str]] = {"first": ("(", ")"), "second": ("[", "]"), None: (" ", " ")}


def written(scene: Scene, board: Iterable[str] = ()) -> str:
    """Write a scene as text, with the lines of a board in the middle."""
    parts = ((scene.title, *scene.lines), board, map(_row_line, scene.rows), map(_seat_line, scene.seats))
    paragraphs = ("\n".join(line.rstrip() for line in part) for part in parts)
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _row_line(row: Row) -> str:
    return f"{row.name}: {' '.join(map(_card_text, row.things))}"


def _card_text(shown: Thing) -> str:
    """Write a card: ``??`` face down, ``RH/??`` on top of another one, ``RH (seat 2)`` with its note."""
    card = (shown.face or "??") + ("/??" if shown.covers else "")
    return f"{card} ({shown.note})" if shown.note else card


def _seat_name(line: SeatLine) -> str:
    return f"{line.name or f'Seat {line.seat}'}{' (you)' if line.is_viewer else ''}"


def _seat_line(line: SeatLine) -> str:
    turn = ">" if line.is_to_act else " "
    cards = "" if line.cards is None else f"{line.cards:2} card{'' if line.cards == 1 else 's'}"
    mark = bracketed(" ", line.side)
    score = "" if line.score is None else signed(line.score)
    return f"{turn} {mark} {_seat_name(line):12}  {line.note:30}  {cards:8}  {score:>5}"


# -- spoken -------------------------------------------------------------------------------------------------------


def described(scene: Scene, board: Iterable[str] = ()) -> str:
    """Put a scene into sentences to be read aloud, those about the board in the middle.

    The scene has been worded for it; its cards are put into words here.
    """
    wording = spoken(Shown())
    sentences = [*scene.lines, *board, *(_spoken_row(row, wording) for row in scene.rows)]
    sentences += (_spoken_seat(line, wording) for line in scene.seats)
    return "".join(f"{each}. " for each in sentences).rstrip()


def _spoken_row(row: Row, wording: Wording) -> str:
    if row.things and all(shown == card_thing(None) for shown in row.things):
        return f"{row.name}: {counted(len(row.things), 'card')} face down"
    between = "; " if any(shown.note for shown in row.things) else wording.between
    cards = f"{row.name}: {between.join(_spoken_thing(shown) for shown in row.things)}"
    legal = [shown.name for shown in row.things if shown.is_legal]
    return f"{cards}. Of these you can choose {wording.between.join(legal)}" if legal else cards


def _spoken_thing(shown: Thing) -> str:
    covered = f" on {FACE_DOWN}" if shown.covers else ""
    return f"{shown.name}{covered}, {shown.note}" if shown.note else f"{shown.name}{covered}"


def _spoken_seat(line: SeatLine, wording: Wording) -> str:
    cards = "" if line.cards is None else counted(line.cards, "card")
    turn = "to act" if line.is_to_act else ""
    score = "" if line.score is None else f"score {wording.score(line.score)}"
    parts = filter(None, (line.note, cards, score, turn))
    return f"{_seat_name(line)}: {', '.join(parts)}"


def counted(number: int, noun: str) -> str:
    """Count things."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
