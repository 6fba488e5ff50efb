"""French Tarot as a picture and as text: the table with its trick, and the scene and open cards beside it.

Both are functions of a view alone, so they show no more than the view does.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from domain.french_tarot.events import TrickWon
from domain.french_tarot.picture.scenes import scene_of, trick_of, trick_row_of
from domain.french_tarot.view import View
from domain.pictures import scene as around
from domain.pictures.cards import SYMBOLS, face
from domain.pictures.round_table import MIDDLE, roles, round_table, trick_number
from domain.pictures.scene import Scene
from domain.pictures.shown import ALONE, Shown
from domain.pictures.svg import WIDTH, Block, group, page, words
from domain.pictures.wording import Wording, drawn, spoken

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
    """Draw the seats around the table, and what lies on it."""
    trick = trick_of(view)
    if trick is None:
        return round_table(scene.seats, (), {view.dealer: "dealer"} if view.deal_number else {}, _chien(scene))
    winner = trick.winner if isinstance(trick, TrickWon) else None
    return round_table(scene.seats, trick.cards, roles(trick.cards, winner), [trick_number(trick.number)])


def _chien(scene: Scene) -> Iterator[Element]:
    """Draw the chien in the middle of the table, where it lies until the first trick."""
    for row in scene.rows:
        if row.name == "Chien":
            left = WIDTH / 2 - (26 * len(row.cards) - 2) / 2
            yield words("chien", WIDTH / 2, MIDDLE - 26, "muted small", "middle")
            for place, shown in enumerate(row.cards):
                yield group(face(shown.card), x=left + 26 * place, y=MIDDLE - 18)
