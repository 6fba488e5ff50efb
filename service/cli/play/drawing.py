"""A scene of the service, drawn for a terminal: board, rows of cards, seats, and the score sheet.

It can be read without colours: marks stand for whatever a colour says.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from service.cli.output import clean
from service.cli.play.choosing import Option
from service.cli.play.screen import Paragraph
from service.cli.play.words import Words

_SUITS = {"S": "blue", "H": "red", "D": "magenta", "C": "green"}
_TRUMP, _SPECIAL = "cyan", "yellow"
_OF_SUIT = re.compile(r"(?P<rank>[2-9RDCVKQJA1]|10)(?P<suit>[SHDC])")
_RANKS = "ARKDQCVJ"
_ON_BOARD = re.compile(r"(?P<first>\([^()]+\))|(?P<second>\[[^\[\]]+\])|(?P<path>\*[^* ]+\*)")
_SIDES = {"first": "bold green", "second": "bold magenta", "path": "bold reverse"}
_NAME = 27
_ESTIMATES = 5
_MEASURES = {"points": "hint.points", "bid": "hint.bid", "win": "hint.win", "worth": "hint.worth"}
_MARKS = {"first": "( )", "second": "[ ]", None: "   "}


def scene_of(scene: Any, words: Words, *, with_last: bool = False) -> Iterator[RenderableType]:
    """Draw a scene, without its score sheet, and without the last trick unless it is asked for."""
    yield _heading(scene)
    if scene["stage"]:
        yield Padding(_board(scene["stage"].get("text") or scene["stage"]["says"]), (1, 0, 0, 3), expand=False)
    rows = [row for row in scene["rows"] if with_last or row["id"] != "last-trick"]
    rows = [row for row in rows if row["things"] or row["pick"]]
    if rows:
        yield ""
        yield rows_of(rows, words)
    yield ""
    yield _seats(scene, words)


def _heading(scene: Any) -> RenderableType:
    lines = (Paragraph(clean(line), mark=" ") for line in scene["lines"])
    return Group(Paragraph(clean(scene["title"]), "bold"), *lines)


def _board(lines: Sequence[str]) -> RenderableType:
    text = Text("\n".join(map(clean, lines)), no_wrap=True)
    for found in _ON_BOARD.finditer(text.plain):
        text.stylize(_SIDES[found.lastgroup or "path"], *found.span())
    return text


def last_of(scene: Any, words: Words) -> Iterator[RenderableType]:
    rows = {row["id"]: row for row in scene["rows"]}
    on_table = [row for row in (rows.get("trick"),) if row and len(row["things"]) == len(scene["seats"])]
    last = [rows["last-trick"]] if "last-trick" in rows else on_table
    yield rows_of(last, words) if last else Paragraph(words("last.none"))


def rows_of(rows: Iterable[Any], words: Words) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(max_width=_NAME)
    table.add_column()
    for row in rows:
        hand = sorted(row["things"], key=_place) if row["id"].startswith("hand:") else row["things"]
        things = _things(hand, words, apart=row["id"].startswith("hand:"))
        table.add_row(Paragraph(clean(row["name"]), mark=" "), Paragraph(things))
    return table


def _things(things: Sequence[Any], words: Words, *, apart: bool) -> Text:
    """Write things beside each other; suits stand ``apart``, and those that lie face down are counted."""
    text = Text()
    between = "  " if not apart or any(thing["note"] for thing in things) else " "
    hidden = sum(thing["face"] is None for thing in things)
    shown = [thing for thing in things if thing["face"] is not None]
    for number, thing in enumerate(shown):
        if number:
            text.append("   " if apart and suit_of(thing) != suit_of(shown[number - 1]) else between)
        text.append_text(_thing(thing))
    if hidden:
        text.append("  " if shown else "")
        text.append("?? " if hidden == 1 else words("hidden", count=hidden), "dim")
    return text


def _thing(thing: Any) -> Text:
    """Write a thing: ``RH``, ``RH/??`` on top of another one, ``*RH* Ada`` where it takes the trick."""
    face = clean(thing["face"]) + ("/??" if thing["covers"] else "")
    text = Text()
    text.append(f"*{face}*" if thing["winning"] else face, f"{_style(thing['face'])} {'bold' * thing['winning']}")
    if thing["note"]:
        text.append(f"\N{NO-BREAK SPACE}{clean(thing['note'])}".replace(" ", "\N{NO-BREAK SPACE}"), "dim")
    return text


def suit_of(thing: Any) -> str:
    """Return the suit of a card by its code, ``T`` for trumps, and nothing for other things."""
    face = thing["face"] or ""
    found = _OF_SUIT.fullmatch(face)
    return found["suit"] if found else face[:1] if face[:1] in {"T", "X"} and face[1:].isdecimal() else ""


def _style(face: str) -> str:
    suit = suit_of({"face": face})
    return _SUITS.get(suit) or (_TRUMP if suit == "T" else _SPECIAL if face in {"EX", "X1", "X2"} else "")


def _place(thing: Any) -> tuple[int, int]:
    """Say where a card stands in a hand: suits of alternating colours, high cards first; trumps, and what is left."""
    face, suit = thing["face"] or "", suit_of(thing)
    found = _OF_SUIT.fullmatch(face)
    if found is None:
        return (4, -int(face[1:])) if suit == "T" else (5, 0)
    rank = found["rank"]
    return ("SHCD".index(suit), _RANKS.index(rank) if rank in _RANKS else 30 - int(rank))


def _seats(scene: Any, words: Words) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for each in scene["seats"]:
        side = _SIDES.get(each["side"] or "", "")
        mark = Text(" >" if each["to_act"] else "  ", "bold").append(f" {_MARKS[each['side']]}", side)
        cards = "" if each["cards"] is None else words("cards", count=each["cards"])
        score = "" if each["score"] is None else words.number(each["score"], sign=each["score"] != 0)
        name = Text(_sitter(each, words), "bold" if each["viewer"] else "")
        table.add_row(mark, name, Text(clean(each["note"]), "dim"), Text(cards), Text(score, justify="right"))
    return table


def seat_name(seat: Any, words: Words) -> str:
    return clean(seat["name"]) if seat["name"] else words("seat", number=seat["seat"] + 1)


def _sitter(seat: Any, words: Words) -> str:
    name = seat_name(seat, words)
    if seat.get("bot"):
        return words("bot", name=name, bot=clean(seat["bot"]))
    return words("you", name=name) if seat["viewer"] else name


def sheet_of(scene: Any, words: Words) -> Iterator[RenderableType]:
    if not scene["sheet"]:
        yield Text(words("sheet.none"))
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1))
    table.add_column("", justify="right")
    for each in scene["seats"]:
        table.add_column(seat_name(each, words), justify="right", overflow="fold")
    for number, line in enumerate(scene["sheet"], 1):
        table.add_row(str(number), *(clean(cell) for cell in line["cells"]))
    table.add_row("\N{N-ARY SUMMATION}", *(clean(total) for total in scene["totals"]), style="bold")
    yield ""
    yield table
    last = scene["sheet"][-1]
    steps = [Paragraph(clean(step), "dim", mark="   ") for step in last["steps"]]
    yield Group("", Paragraph(clean(last["name"]), mark=" "), *steps)


def hint_of(hint: Any, words: Words) -> Iterator[RenderableType]:
    weighed = hint["weighed"]
    if weighed:
        yield Paragraph(words("hint.best", what=clean(weighed[0]["says"])), "bold")
    yield Paragraph(words("hint.why", reason=clean(hint["reason"]["text"])))
    if len(weighed) > 1:
        yield Paragraph(words(_MEASURES[hint["measure"]]), "dim", mark=" ")
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", no_wrap=True)
        for each in weighed[:_ESTIMATES]:
            table.add_row(f"  {_estimate(each, hint['measure'], words)}", Paragraph(clean(each["says"])))
        yield table


def _estimate(each: Any, measure: str, words: Words) -> str:
    """Write a score, and how uncertain it is: a chance in per cent, since it goes from -1 to 1, or as it is."""
    is_chance = measure in {"bid", "win"}
    score = (each["score"] + 1000) / 20 if is_chance else each["score"] / 1000
    error = each["error"] / (20 if is_chance else 1000)
    said = words.number(round(score, 1), sign=not is_chance)
    return f"{said} ± {words.number(round(error, 1))}" if error else said


def options_of(options: Sequence[Option], *, in_rows: bool) -> RenderableType:
    widest = max(len(str(each.key)) for each in options)
    entries = [Paragraph(clean(each.label), mark=Text(f"{each.key:>{widest}} ", "bold")) for each in options]
    return Padding(Columns(entries, padding=(0, 3), column_first=not in_rows), (0, 0, 0, 1), expand=False)
