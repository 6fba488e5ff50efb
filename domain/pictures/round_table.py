"""The table from above: the seats around it, the viewer's nearest, and the trick."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import cos, pi, sin
from xml.etree.ElementTree import Element

from domain.cardplay.cards import Card
from domain.cardplay.tricks import Played
from domain.pictures.blocks import label
from domain.pictures.cards import laid
from domain.pictures.scene import SeatLine
from domain.pictures.svg import EDGE, WIDTH, Block, element, group, words
from domain.table import Seat

MIDDLE = 112
"""How far down the middle of the table is."""

_HEIGHT, _DEEP = 232, 86
_ASIDE = 124
"""How far from the middle the names beside the table begin."""
_LONGEST_BESIDE = 7
"""How many letters of a name have room beside the table; a longer one stands in the corner."""


def roles(trick: Sequence[Played], winner: Seat | None) -> Mapping[Seat, str]:
    """Return what is written at the seats of a trick: who led, or once it is taken who won it."""
    return {winner: "won"} if winner is not None else {trick[0].seat: "led"} if trick else {}


def round_table(
    seats: Sequence[SeatLine],
    trick: Iterable[Played],
    role_of: Mapping[Seat, str],
    middle: Iterable[Element],
    *,
    is_clockwise: bool = False,
) -> Block:
    """Draw the table with each card of a trick before the seat that played it; the card of one that won is framed.

    The next seat sits to the right, or where seats are clockwise to the left.
    """
    turn = -2 * pi / len(seats) if is_clockwise else 2 * pi / len(seats)
    near = next((line.seat for line in seats if line.is_viewer), 0)
    played = {each.seat: each.card for each in trick}
    drawn = [element("rect", x=62, y=MIDDLE - _DEEP, width=236, height=2 * _DEEP, rx=_DEEP, class_="rule space")]
    for line in seats:
        drawn += _seat(line, turn * (line.seat - near), played.get(line.seat), role_of.get(line.seat, ""))
    return Block(_HEIGHT, group(*drawn, *middle))


def trick_number(number: int) -> Element:
    """Draw the number of a trick in the middle of the table."""
    return words(f"trick {number}", WIDTH / 2, MIDDLE + 4, "muted small", "middle")


def _seat(line: SeatLine, angle: float, card: Card | None, role: str) -> Iterator[Element]:
    """Draw a seat, its name outside the table and the card that it played inside."""
    across, down = round(sin(angle), 6), round(cos(angle), 6)
    if card is not None:
        yield laid(card, WIDTH / 2 + 84 * across, MIDDLE + 54 * down, is_won=role == "won")
    name = label(line)
    if abs(across) <= 0.8:
        x, y = WIDTH / 2 + 132 * across, MIDDLE + 100 * down + (4 if down < 0 else 8) - 16 * abs(across)
        yield words(f"{name}, {role}" if role else name, x, y, "ink strong", "middle")
        return
    x, y, anchor = WIDTH / 2 + _ASIDE, MIDDLE + 100 * down + (4 if down < 0 else 8), "start"
    if len(name) > _LONGEST_BESIDE:
        x, y, anchor = WIDTH - EDGE, MIDDLE + (_DEEP + 8 if down > -0.1 else 4 - _DEEP), "end"
    if across < 0:
        x, anchor = WIDTH - x, "end" if anchor == "start" else "start"
    yield words(name, x, y, "ink strong", anchor)
    yield words(role, x, y + 14, "muted small", anchor)
