"""Plute as a picture and as text: the trick on the table, the teams around it, what each has won, and the tallies.

Both are functions of the view alone, so they show no more than the view does.
"""

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from domain.pictures import blocks, lines
from domain.pictures.cards import SYMBOLS, laid, symbol
from domain.pictures.scene import Scene, viewer_of
from domain.pictures.shown import ALONE, Shown
from domain.pictures.svg import EDGE, WIDTH, Block, element, group, page, words
from domain.pictures.wording import WRITTEN, Wording, drawn, printed, sentence, spoken
from domain.plute.events import Team
from domain.plute.picture.scenes import (
    SIDES,
    TEAM_NAMES,
    note_of,
    points_of,
    scene_of,
    shown_trick,
    team_sentences,
    turn_of,
)
from domain.plute.state import TEAMS, of_team, team_of
from domain.plute.view import HandView, View


def scene(view: View, shown: Shown = ALONE) -> Scene:
    """Return the scene of a view, which has no board; what the teams have won stands in its last lines."""
    around = scene_of(view, printed(shown))
    return replace(around, lines=(*around.lines, *team_sentences(view)))


def svg(view: View, shown: Shown = ALONE) -> str:
    """Draw a view."""
    around, words_spoken = scene_of(view, drawn(shown)), spoken(shown)
    parts = [blocks.heading(around)]
    if view.hands:
        parts += [_table(view, shown), blocks.card_rows(row for row in around.rows if row.id != "trick")]
    description = lines.described(_without_seats(view, words_spoken), _sentences(view, words_spoken))
    return page(around.title, description, [*parts, _scores(view, shown)], SYMBOLS)


def text(view: View) -> str:
    """Write a view as text."""
    between = [*_seat_lines(view), *[""] * bool(view.hands), *_team_lines(view)]
    return lines.written(_without_seats(view, WRITTEN), between)


def _without_seats(view: View, wording: Wording) -> Scene:
    """Return the scene without the lines of its seats, which stand above its rows."""
    return replace(scene_of(view, wording), seats=())


def _sentences(view: View, wording: Wording) -> Iterator[str]:
    for hand in view.hands:
        turn = "to act" if hand.seat == turn_of(view) else ""
        name = sentence(wording.seat(hand.seat)) + (" (you)" if hand.cards is not None else "")
        parts = (f"{name}: {TEAM_NAMES[team_of(hand.seat)]}", _cards(hand), note_of(view, hand.seat), turn)
        yield ", ".join(filter(None, parts))
    yield from team_sentences(view)


def _cards(hand: HandView) -> str:
    return lines.counted(hand.count, "card")


# -- drawn --------------------------------------------------------------------------------------------------------

_HEIGHT = 296.0
_SEAT_WIDTH, _SEAT_HEIGHT = 90.0, 52.0
_PLACES = ((180.0, 268.0), (52.0, 204.0), (52.0, 92.0), (180.0, 28.0), (308.0, 92.0), (308.0, 204.0))
"""The middle of what is drawn of a seat, clockwise from the viewer's, which is the lowest."""
_OPPOSITE, _NAME = 3, 11.0
"""The place whose name stands above it, and how high a name is."""

_LAID = ((180.0, 206.0), (126.0, 178.0), (126.0, 118.0), (180.0, 90.0), (234.0, 118.0), (234.0, 178.0))
"""The middle of the card that a seat has played."""


def _table(view: View, shown: Shown) -> Block:
    """Draw the table from above: the seats around it, the trick and the trump suit in its middle."""
    parts = [element("rect", x=100, y=58, width=160, height=180, rx=54, class_="rule space")]
    if view.trump:
        parts.append(group(element("title", "trump"), symbol(view.trump, 0, 0, 2.4), x=180, y=148))
    first = viewer_of(view.hands, drawn(shown)) or 0
    cards, winner = shown_trick(view)
    parts += (laid(one.card, *_LAID[(one.seat - first) % len(_LAID)], is_won=one.seat == winner) for one in cards)
    parts += (_seat(view, hand, shown, (hand.seat - first) % len(_PLACES)) for hand in view.hands)
    above = _NAME if shown.names else 0
    return Block(_HEIGHT + 6 + 2 * above, group(*parts, y=above))


def _seat(view: View, hand: HandView, shown: Shown, place: int) -> Element:
    """Draw a seat: its team's counter with its number in it, and beside it its team, cards and bid."""
    seat, (x, y) = hand.seat, _PLACES[place]
    side = SIDES[team_of(seat)]
    number = words(str(seat), 0, 4.8, "ink strong", "middle")
    parts = [
        group(blocks.counter(side, 12), element("g", number, class_="reversed" if side == "first" else ""), x=18, y=18)
    ]
    if seat == turn_of(view):
        parts.insert(0, element("rect", width=_SEAT_WIDTH, height=_SEAT_HEIGHT, rx=6, class_="turn"))
        parts.append(element("path", d="M13 36 21 41.5 13 47Z", class_="ink"))
    name = drawn(shown).name(seat)
    if name:
        parts.append(
            words(name, _SEAT_WIDTH / 2, -3 if place == _OPPOSITE else _SEAT_HEIGHT + 11, "ink small", "middle")
        )
    is_viewer = seat == viewer_of(view.hands, drawn(shown))
    parts.append(words("You" if is_viewer else TEAM_NAMES[team_of(seat)], 36, 16, "ink strong"))
    parts.append(words(_cards(hand), 36, 31, "ink small"))
    parts.append(words(note_of(view, seat), 36, 45, "ink small"))
    return group(*parts, x=x - _SEAT_WIDTH / 2, y=y - _SEAT_HEIGHT / 2)


_COLUMNS = (("made", 170.0), ("set", 215.0), ("tricks", 275.0), ("for Game", WIDTH - EDGE - 6.0))
_ROW = 42.0


def _scores(view: View, shown: Shown) -> Block:
    """Draw a line for each team: its tally, and what it has won of this hand."""
    parts = [words(head, x, 14, "muted small", "end") for head, x in _COLUMNS]
    eyes = viewer_of(view.hands, drawn(shown))
    if eyes is not None:
        own = team_of(eyes)
        parts += [blocks.own_side_key(), blocks.own_mark(20 + _ROW * TEAMS.index(own), _ROW)]
    parts += [group(*_score(view, team), y=20 + _ROW * place) for place, team in enumerate(TEAMS)]
    return Block(24 + _ROW * len(TEAMS), group(*parts))


def _score(view: View, team: Team) -> Iterator[Element]:
    tally, standing = of_team(view.tally, team), of_team(view.standing, team)
    yield group(blocks.counter(SIDES[team], 6.5), x=22, y=12.5)
    yield words(f"{TEAM_NAMES[team]} {_seats_of(team)}", 36, 17, "ink strong")
    numbers = (tally.made, tally.set, standing.tricks, standing.game_value)
    for (_, x), number in zip(_COLUMNS, numbers, strict=True):
        yield words(str(number), x, 17, "ink strong", "end")
    yield words(points_of(view, team), 36, 33, "ink small")


def _seats_of(team: Team) -> str:
    return " ".join(str(seat) for seat in range(len(_PLACES)) if team_of(seat) == team)


# -- written ------------------------------------------------------------------------------------------------------


def _seat_lines(view: View) -> Iterator[str]:
    for hand in view.hands:
        seat = hand.seat
        turn = ">" if seat == turn_of(view) else " "
        mark = lines.bracketed(str(seat), SIDES[team_of(seat)])
        you = "you" if hand.cards is not None else ""
        yield f"{turn} {mark} {you:3}  {_cards(hand):7}  {note_of(view, seat)}"


def _team_lines(view: View) -> Iterator[str]:
    yield f"{'':12}{'made':>6}{'set':>5}{'tricks':>8}{'for Game':>10}  points"
    for team in TEAMS:
        tally, standing = of_team(view.tally, team), of_team(view.standing, team)
        name = lines.bracketed(TEAM_NAMES[team], SIDES[team])
        numbers = f"{tally.made:>6}{tally.set:>5}{standing.tricks:>8}{standing.game_value:>10}"
        yield f"{name:12}{numbers}  {points_of(view, team)}"
