"""A scene in lines of text: written for a terminal, or put into sentences to be read aloud."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from domain.pictures.scene import Row, Scene, SeatLine, Side, Thing
from domain.pictures.wording import Wording, signed
from domain.sentences.message import AtSeat, Items, Number, Score, Text, message


def bracketed(content: str, side: Side | None) -> str:
    """Write a text between the marks of a side's counters; spaces take their place where there is no side."""
    left, right = _BRACKETS[side]
    return f"{left}{content}{right}"


_BRACKETS: Mapping[Side | None, tuple[str, str]] = {"first": ("(", ")"), "second": ("[", "]"), None: (" ", " ")}


def written(scene: Scene, wording: Wording, board: Iterable[str] = ()) -> str:
    """Write a scene as text, with the lines of a board in the middle."""
    seats = (_seat_line(line, wording) for line in scene.seats)
    parts = ((scene.title, *scene.lines), board, map(_row_line, scene.rows), seats)
    paragraphs = ("\n".join(line.rstrip() for line in part) for part in parts)
    text = "\n\n".join(filter(None, paragraphs)) + "\n"
    return text.replace(" · ", ": ").replace("×", "x")  # what terminals without Unicode lack


def _row_line(row: Row) -> str:
    return f"{row.name}: {' '.join(map(_card_text, row.things))}"


def _card_text(thing: Thing) -> str:
    """Write a card: ``??`` face down, ``RH/??`` on top of another one, ``RH (seat 2)`` with its note."""
    card = (thing.face or "??") + ("/??" if thing.covers else "")
    return f"{card} ({thing.note})" if thing.note else card


def _seat_line(line: SeatLine, wording: Wording) -> str:
    turn = ">" if line.is_to_act else " "
    cards = "" if line.cards is None else wording.say("scene.cards", count=Number(line.cards))
    aligned = f"{' ' * (line.cards is not None and line.cards < 10)}{cards}"
    mark = bracketed(" ", line.side)
    score = "" if line.score is None else signed(line.score)
    return f"{turn} {mark} {_seat_name(line, wording):12}  {line.note:30}  {aligned:8}  {score:>5}"


# -- read aloud ---------------------------------------------------------------------------------------------------


def described(scene: Scene, wording: Wording) -> str:
    """Put a scene into sentences to be read aloud, those about the board in the middle."""
    board = scene.stage.says if scene.stage else ()
    sentences = [*scene.lines, *board, *(_spoken_row(row, wording) for row in scene.rows)]
    sentences += (_spoken_seat(line, wording) for line in scene.seats)
    return "".join(f"{each}. " for each in sentences).rstrip()


def _spoken_row(row: Row, wording: Wording) -> str:
    if not row.things:
        return row.name
    if all(thing == replace(row.things[0], face=None) for thing in row.things):
        return f"{row.name}: {wording.say('scene.face_down.count', count=Number(len(row.things)))}"
    between = "; " if any(thing.note for thing in row.things) else ", "
    cards = f"{row.name}: {between.join(_spoken_thing(thing, wording) for thing in row.things)}"
    legal = Items(tuple(Text(thing.name) for thing in row.things if thing.is_legal))
    return f"{cards}. {wording.sentence(message('scene.legal', cards=legal))}" if legal.value else cards


def _spoken_thing(thing: Thing, wording: Wording) -> str:
    name = wording.say("scene.covering", card=Text(thing.name)) if thing.covers else thing.name
    return f"{name}, {thing.note}" if thing.note else name


def _spoken_seat(line: SeatLine, wording: Wording) -> str:
    cards = "" if line.cards is None else wording.say("scene.cards", count=Number(line.cards))
    score = "" if line.score is None else wording.say("scene.score", score=Score(line.score))
    turn = wording.say("scene.to_act") if line.is_to_act else ""
    parts = filter(None, (line.note, cards, score, turn))
    return f"{_seat_name(line, wording)}: {', '.join(parts)}"


def _seat_name(line: SeatLine, wording: Wording) -> str:
    """Return who sits there, and whether that is the viewer."""
    who = AtSeat(line.seat)
    return wording.sentence(message("scene.you" if line.is_viewer else "scene.who", seat=who))
