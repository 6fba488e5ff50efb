"""French Tarot as a picture and as text: the table with its trick, and the scene and open cards beside it.

Both are functions of a view alone, so they show no more than the view does.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from domain.french_tarot.events import TrickWon
from domain.french_tarot.picture.scenes import page_of, scene_of, trick_of, words_of
from domain.french_tarot.view import View
from domain.pictures import blocks, lines
from domain.pictures.cards import SYMBOLS, face
from domain.pictures.round_table import MIDDLE, roles, round_table, trick_number
from domain.pictures.scene import Scene
from domain.pictures.shown import ALONE, Shown
from domain.pictures.svg import WIDTH, Block, group, page, words
from domain.pictures.wording import DRAWN, PRINTED, WRITTEN

_ASCII = str.maketrans("éèÉ", "eeE")


def scene(view: View, shown: Shown = ALONE) -> Scene:
    """Return the scene of a view, which has no board."""
    return page_of(view, shown)


def svg(view: View, shown: Shown = ALONE) -> str:
    """Draw a view."""
    around = scene_of(view, DRAWN, shown)
    rows = [row for row in around.rows if row.id != _on_the_table(view)]
    beside = (blocks.card_rows(rows), blocks.seat_table(around.seats))
    parts = [blocks.heading(around), _table(view, around), *beside]
    return page(around.title, lines.described(scene_of(view, PRINTED, shown), words_of(PRINTED, shown)), parts, SYMBOLS)


def text(view: View) -> str:
    """Write a view as text."""
    return lines.written(scene_of(view), words_of(WRITTEN)).translate(_ASCII)


def _on_the_table(view: View) -> str:
    """Return the row of the cards that lie on the table: the trick, and before the first one the chien."""
    return "trick" if trick_of(view) else "chien"


def _table(view: View, around: Scene) -> Block:
    """Draw the seats around the table, and what lies on it."""
    trick = trick_of(view)
    if trick is None:
        return round_table(around.seats, (), {view.dealer: "dealer"} if view.deal_number else {}, _chien(around))
    winner = trick.winner if isinstance(trick, TrickWon) else None
    return round_table(around.seats, trick.cards, roles(trick.cards, winner), [trick_number(trick.number)])


def _chien(around: Scene) -> Iterator[Element]:
    """Draw the chien in the middle of the table, where it lies until the first trick."""
    for row in around.rows:
        if row.id == "chien":
            left = WIDTH / 2 - (26 * len(row.things) - 2) / 2
            yield words("chien", WIDTH / 2, MIDDLE - 26, "muted small", "middle")
            for place, shown in enumerate(row.things):
                yield group(face(shown.face), x=left + 26 * place, y=MIDDLE - 18)
