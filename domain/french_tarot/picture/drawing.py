"""French Tarot as a picture and as text: the table with its trick, and the scene and open cards beside it.

Both are functions of a view alone, so they show no more than the view does.
"""

from collections.abc import Iterator
from math import cos, pi, sin
from xml.etree.ElementTree import Element

from domain.cardplay.cards import Card
from domain.french_tarot.events import TrickWon
from domain.french_tarot.picture.scenes import scene_of, trick_of, trick_row_of
from domain.french_tarot.view import View
from domain.pictures import scene as around
from domain.pictures.cards import SYMBOLS, face, laid
from domain.pictures.scene import Scene, SeatLine
from domain.pictures.shown import ALONE, Shown
from domain.pictures.svg import WIDTH, Block, element, group, page, words
from domain.pictures.wording import Wording, drawn, spoken
from domain.table import Seat

_MIDDLE, _HEIGHT = 112, 232
_ASIDE = 124
"""How far from the middle the names beside the table begin."""

_ASCII = str.maketrans("éèÉ", "eeE")


def svg(view: View, shown: Shown = ALONE) -> str:
    """Draw a view."""
    wording = drawn(shown)
    scene = scene_of(view, wording)
    rows = [row for row in scene.rows if row.name not in _on_the_table(view, wording)]
    beside = (around.card_rows(rows), around.seat_table(scene.seats))
    blocks = [around.heading(scene), _table(view, scene), *beside]
    return page(scene.title, around.described(scene_of(view, spoken(shown))), blocks, SYMBOLS)


def text(view: View) -> str:
    """Write a view as text."""
    return around.written(scene_of(view)).translate(_ASCII)


def _on_the_table(view: View, wording: Wording) -> tuple[str, ...]:
    """Name the cards that lie on the table: the trick, and before the first one the chien."""
    trick = trick_of(view)
    return (trick_row_of(trick, wording).name,) if trick else ("Chien",)


def _table(view: View, scene: Scene) -> Block:
    """Draw the seats around the table: the viewer's nearest, the others counter-clockwise."""
    seats = scene.seats
    near = next((line.seat for line in seats if line.is_viewer), 0)
    trick = trick_of(view)
    played = {each.seat: each.card for each in trick.cards} if trick else {}
    parts = [element("rect", x=62, y=_MIDDLE - 86, width=236, height=172, rx=86, class_="rule space")]
    for line in seats:
        angle = 2 * pi * ((line.seat - near) % len(seats)) / len(seats)
        parts += _seat(line, angle, played.get(line.seat), _role_in_trick(view, line.seat))
    parts += _middle(view, scene)
    return Block(_HEIGHT, group(*parts))


def _role_in_trick(view: View, seat: Seat) -> str:
    trick = trick_of(view)
    if trick is None:
        return "dealer" if view.deal_number and seat == view.dealer else ""
    if isinstance(trick, TrickWon) and seat == trick.winner:
        return "won"
    return "led" if seat == trick.cards[0].seat else ""


def _seat(line: SeatLine, angle: float, card: Card | None, role: str) -> Iterator[Element]:
    """Draw a seat, its name outside the table and the card that it played inside."""
    across, down = round(sin(angle), 6), round(cos(angle), 6)
    if card is not None:
        yield laid(card, WIDTH / 2 + 84 * across, _MIDDLE + 54 * down, is_won=role == "won")
    is_aside = abs(across) > 0.8
    anchor = "middle" if not is_aside else "start" if across > 0 else "end"
    x = WIDTH / 2 + max(-_ASIDE, min(_ASIDE, 132 * across))
    y = _MIDDLE + 100 * down + (4 if down < 0 else 8) - (0 if is_aside else 16 * abs(across))
    name = around.label(line)
    yield words(f"{name}, {role}" if role and not is_aside else name, x, y, "ink strong", anchor)
    if role and is_aside:
        yield words(role, x, y + 14, "muted small", anchor)


def _middle(view: View, scene: Scene) -> Iterator[Element]:
    """Draw the chien in the middle of the table, until tricks lie there."""
    trick = trick_of(view)
    if trick is not None:
        yield words(f"trick {trick.number}", WIDTH / 2, _MIDDLE + 4, "muted small", "middle")
        return
    for row in scene.rows:
        if row.name == "Chien":
            left = WIDTH / 2 - (26 * len(row.cards) - 2) / 2
            yield words("chien", WIDTH / 2, _MIDDLE - 26, "muted small", "middle")
            for place, shown in enumerate(row.cards):
                yield group(face(shown.card), x=left + 26 * place, y=_MIDDLE - 18)
