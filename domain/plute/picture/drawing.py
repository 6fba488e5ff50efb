"""Plute as a picture and as text: the trick on the table, the teams around it, what each has won, and the tallies.

Both are functions of the view alone, so they show no more than the view does.
"""

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from domain.pictures import blocks, lines
from domain.pictures.cards import SYMBOLS, laid, symbol
from domain.pictures.scene import Scene, SeatLine
from domain.pictures.shown import ALONE, Shown
from domain.pictures.svg import EDGE, WIDTH, Block, element, group, page, words
from domain.pictures.wording import DRAWN, PRINTED, WRITTEN, Wording
from domain.plute.events import Team
from domain.plute.picture.scenes import (
    SIDES,
    note_of,
    page_of,
    points_of,
    scene_of,
    shown_trick,
    words_of,
)
from domain.plute.picture.sheet import team_name
from domain.plute.state import TEAMS, of_team, team_of
from domain.plute.view import View
from domain.sentences.message import Message, Number, seat_number
from domain.table import Seat


def scene(view: View, shown: Shown = ALONE) -> Scene:
    """Return the scene of a view, which has no board; what the teams have won stands in its last lines."""
    return page_of(view, shown)


def svg(view: View, shown: Shown = ALONE) -> str:
    """Draw a view."""
    around, said = scene_of(view, DRAWN, shown), words_of(DRAWN, shown)
    parts = [blocks.heading(around)]
    if view.hands:
        rows = (row for row in around.rows if row.id != "trick")
        parts += [_table(view, around, said), blocks.card_rows(rows)]
    description = lines.described(_aloud(view, shown), words_of(PRINTED, shown))
    return page(around.title, description, [*parts, _scores(view, around.viewer, said)], SYMBOLS)


def _aloud(view: View, shown: Shown) -> Scene:
    """Return the scene of a picture, as it is read aloud."""
    return replace(scene_of(view, PRINTED, shown), lines=page_of(view, shown).lines)


def text(view: View) -> str:
    """Write a view as text."""
    around, said = scene_of(view), words_of(WRITTEN)
    seats = [_seat_line(line, note_of(view, line.seat), said) for line in around.seats]
    between = [*seats, *[""] * bool(seats), *_team_lines(view, said)]
    return lines.written(replace(around, seats=()), said, between)


def _note(note: Message | None, said: Wording) -> str:
    return said.phrase(note) if note else ""


def _cards(count: int, said: Wording) -> str:
    return said.say("scene.cards", count=Number(count))


# -- drawn --------------------------------------------------------------------------------------------------------

_HEIGHT = 296.0
_SEAT_WIDTH, _SEAT_HEIGHT = 90.0, 52.0
_PLACES = ((180.0, 268.0), (52.0, 204.0), (52.0, 92.0), (180.0, 28.0), (308.0, 92.0), (308.0, 204.0))
"""The middle of what is drawn of a seat, clockwise from the viewer's, which is the lowest."""
_OPPOSITE, _NAME = 3, 11.0
"""The place whose name stands above it, and how high a name is."""

_LAID = ((180.0, 206.0), (126.0, 178.0), (126.0, 118.0), (180.0, 90.0), (234.0, 118.0), (234.0, 178.0))
"""The middle of the card that a seat has played."""


def _table(view: View, around: Scene, said: Wording) -> Block:
    """Draw the table from above: the seats around it, the trick and the trump suit in its middle."""
    parts = [element("rect", x=100, y=58, width=160, height=180, rx=54, class_="rule space")]
    if view.trump:
        parts.append(group(element("title", "trump"), symbol(view.trump, 0, 0, 2.4), x=180, y=148))
    first = around.viewer or 0
    cards, winner = shown_trick(view)
    parts += (laid(one.card, *_LAID[(one.seat - first) % len(_LAID)], is_won=one.seat == winner) for one in cards)
    parts += (_seat(line, note_of(view, line.seat), said, (line.seat - first) % len(_PLACES)) for line in around.seats)
    above = _NAME if said.shown.names else 0
    return Block(_HEIGHT + 6 + 2 * above, group(*parts, y=above))


def _seat(line: SeatLine, note: Message | None, said: Wording, place: int) -> Element:
    """Draw a seat: its team's counter with its number in it, and beside it its team, cards and bid."""
    seat, (x, y) = line.seat, _PLACES[place]
    side = SIDES[team_of(seat)]
    number = words(str(seat_number(seat).value), 0, 4.8, "ink strong", "middle")
    parts = [
        group(blocks.counter(side, 12), element("g", number, class_="reversed" if side == "first" else ""), x=18, y=18)
    ]
    if line.is_to_act:
        parts.insert(0, element("rect", width=_SEAT_WIDTH, height=_SEAT_HEIGHT, rx=6, class_="turn"))
        parts.append(element("path", d="M13 36 21 41.5 13 47Z", class_="ink"))
    if line.name:
        parts.append(
            words(line.name, _SEAT_WIDTH / 2, -3 if place == _OPPOSITE else _SEAT_HEIGHT + 11, "ink small", "middle")
        )
    team = said.phrase(team_name(team_of(seat)))
    parts.append(words("You" if line.is_viewer else team, 36, 16, "ink strong"))
    parts.append(words(_cards(line.cards or 0, said), 36, 31, "ink small"))
    parts.append(words(_note(note, said), 36, 45, "ink small"))
    return group(*parts, x=x - _SEAT_WIDTH / 2, y=y - _SEAT_HEIGHT / 2)


_COLUMNS = (("made", 170.0), ("set", 215.0), ("tricks", 275.0), ("for Game", WIDTH - EDGE - 6.0))
_ROW = 42.0


def _scores(view: View, eyes: Seat | None, said: Wording) -> Block:
    """Draw a line for each team: its tally, and what it has won of this hand."""
    parts = [words(head, x, 14, "muted small", "end") for head, x in _COLUMNS]
    if eyes is not None:
        own = team_of(eyes)
        parts += [blocks.own_side_key(), blocks.own_mark(20 + _ROW * TEAMS.index(own), _ROW)]
    parts += [group(*_score(view, team, said), y=20 + _ROW * place) for place, team in enumerate(TEAMS)]
    return Block(24 + _ROW * len(TEAMS), group(*parts))


def _score(view: View, team: Team, said: Wording) -> Iterator[Element]:
    tally, standing = of_team(view.tally, team), of_team(view.standing, team)
    yield group(blocks.counter(SIDES[team], 6.5), x=22, y=12.5)
    yield words(f"{said.phrase(team_name(team))} {_seats_of(team)}", 36, 17, "ink strong")
    numbers = (tally.made, tally.set, standing.tricks, standing.game_value)
    for (_, x), number in zip(_COLUMNS, numbers, strict=True):
        yield words(str(number), x, 17, "ink strong", "end")
    yield words(_points(view, team, said), 36, 33, "ink small")


def _seats_of(team: Team) -> str:
    return " ".join(str(seat_number(seat).value) for seat in range(len(_PLACES)) if team_of(seat) == team)


# -- written ------------------------------------------------------------------------------------------------------


def _seat_line(line: SeatLine, note: Message | None, said: Wording) -> str:
    turn = ">" if line.is_to_act else " "
    mark = lines.bracketed(str(seat_number(line.seat).value), line.side)
    you = "you" if line.is_viewer else ""
    return f"{turn} {mark} {you:3}  {_cards(line.cards or 0, said):7}  {_note(note, said)}"


def _team_lines(view: View, said: Wording) -> Iterator[str]:
    yield f"{'':12}{'made':>6}{'set':>5}{'tricks':>8}{'for Game':>10}  points"
    for team in TEAMS:
        tally, standing = of_team(view.tally, team), of_team(view.standing, team)
        name = lines.bracketed(said.phrase(team_name(team)), SIDES[team])
        numbers = f"{tally.made:>6}{tally.set:>5}{standing.tricks:>8}{standing.game_value:>10}"
        yield f"{name:12}{numbers}  {_points(view, team, said)}"


def _points(view: View, team: Team, said: Wording) -> str:
    return ", ".join(map(said.phrase, points_of(view, team)))
