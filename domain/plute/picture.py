"""Plute as a picture and as text: the trick on the table, the teams around it, what each has won, and the tallies.

Both are functions of a view alone, so they show what the view does and no more.
"""

from collections.abc import Mapping
from typing import TypeAlias

from domain.pictures import caption as around
from domain.pictures.caption import Caption, CardRow, SeatLine, ShownCard, Side
from domain.pictures.cards import SYMBOLS
from domain.pictures.svg import page
from domain.plain import Plain

View: TypeAlias = Mapping[str, Plain]

_SIDES: tuple[Side, Side] = ("first", "second")


def svg(view: View) -> str:
    """Draw a view."""
    caption = _caption(view)
    blocks = [around.heading(caption), around.card_rows(caption.rows), around.seat_table(caption.seats)]
    return page(caption.title, around.described(caption), blocks, SYMBOLS)


def text(view: View) -> str:
    """Write a view as text."""
    return around.written(_caption(view))


def _caption(view: View) -> Caption:
    title = f"Hand {view['hand_number']}" if view["hand_number"] else "Nothing is dealt yet"
    rows = [
        CardRow(f"Hand of seat {hand['seat']}", tuple(map(ShownCard, hand["cards"] or ()))) for hand in view["hands"]
    ]
    if view["trick"]:
        played = [ShownCard(each["card"], f"seat {each['seat']}") for each in view["trick"]["cards"]]
        rows.insert(0, CardRow(f"Trick {view['trick']['number']}", played))
    seats = tuple(
        SeatLine(
            hand["seat"], _SIDES[hand["seat"] % 2], "", hand["count"], 0, hand["cards"] is not None, is_to_act=False
        )
        for hand in view["hands"]
    )
    return Caption(title, (), tuple(row for row in rows if row.cards), seats)
