"""The board of Le Plateau: 37 hexagonal spaces, their neighbours and sides, and the formations on it.

Everything follows from coordinates (rules.md, the board). Positions are counted in ring order: the rim, the
middle ring, the inner ring, each clockwise from the top corner, then the centre. A space's code is the token that lies
on it: ``#3``, ``T1``, ``RH``, ``EX``.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Literal, TypeAlias

Space: TypeAlias = str
Objective: TypeAlias = Literal["bridge", "y", "fork", "five_sides", "six_sides"]
OBJECTIVES: tuple[Objective, ...] = ("bridge", "y", "fork", "five_sides", "six_sides")

_INSIDE = "CH VS DC CS DD VH CD VC DS CC DH VD  EX RD RC T21 RH RS"
_STANDARD = f"T1 #1 #2 T2 #3 #4 T3 #5 #6 T4 #7 #8 T5 #9 #10 T6 #11 #12  {_INSIDE}  #13"
_TWO_PLAYERS = f"T1 #1 #2 #3 #4 #5 T2 #6 #7 #8 #9 #10 T3 #11 #12 #13 #14 #15  {_INSIDE}  #16"


def standard_tokens(seats: int) -> tuple[Space, ...]:
    """Give the printed board for a number of players, 37 tokens in ring order."""
    return tuple((_TWO_PLAYERS if seats == 2 else _STANDARD).split())


_TOP = (0, -1)
_CLOCKWISE = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps along the six edges of a ring that is walked clockwise from its top corner."""


def _ring(radius: int) -> list[tuple[int, int]]:
    q, r = _TOP[0] * radius, _TOP[1] * radius
    walk = []
    for dq, dr in _CLOCKWISE:
        for _ in range(radius):
            walk.append((q, r))
            q, r = q + dq, r + dr
    return walk


COORDINATES: tuple[tuple[int, int], ...] = (*_ring(3), *_ring(2), *_ring(1), (0, 0))
"""Axial coordinates (q, r) of each position; the top corner is (0, -3)."""

NEIGHBOURS: tuple[frozenset[int], ...] = tuple(
    frozenset(
        other
        for other, (oq, orr) in enumerate(COORDINATES)
        if (oq - q, orr - r) in {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)}
    )
    for q, r in COORDINATES
)

SIDES: tuple[frozenset[int], ...] = tuple(frozenset((3 * k + i) % 18 for i in range(4)) for k in range(6))
"""The positions of side 1 … 6: four of the rim, a corner in two sides."""

_NEIGHBOUR_BITS = tuple(sum(1 << other for other in around) for around in NEIGHBOURS)
_SIDE_BITS = tuple(sum(1 << position for position in side) for side in SIDES)


def _is_bridge(sides: int) -> bool:
    return bool(sides & sides >> 3 & 0b111)


def _is_y(sides: int) -> bool:
    return sides & 0b010101 == 0b010101 or sides & 0b101010 == 0b101010


_MAKES: dict[Objective, Callable[[int], bool]] = {
    "bridge": _is_bridge,
    "y": _is_y,
    "fork": lambda sides: _is_bridge(sides) and _is_y(sides),
    "five_sides": lambda sides: sides.bit_count() >= 5,
    "six_sides": lambda sides: sides.bit_count() == 6,
}


def formation(tokens: tuple[Space, ...], owned: Iterable[Space], objective: Objective) -> tuple[Space, ...]:
    """Give the connected group of owned spaces that makes the objective, in ring order; empty if none does.

    ``tokens`` is the board in ring order. One group alone must touch the sides; one that touches more than asked for
    makes it too (but a Y that holds no bridge does not make a bridge).
    """
    place = _places(tokens)
    free = 0
    for space in owned:
        free |= 1 << place[space]
    while free:
        group = _grow(free & -free, free)
        sides = sum(1 << k for k, side in enumerate(_SIDE_BITS) if group & side)
        if _MAKES[objective](sides):
            return tuple(token for position, token in enumerate(tokens) if group >> position & 1)
        free &= ~group
    return ()


@cache
def _places(tokens: tuple[Space, ...]) -> dict[Space, int]:
    return {token: position for position, token in enumerate(tokens)}


def _grow(group: int, within: int) -> int:
    """Flood from one space: the connected group of ``within`` that holds it, as bits by position."""
    edge = group
    while edge:
        lowest = edge & -edge
        reached = _NEIGHBOUR_BITS[lowest.bit_length() - 1] & within & ~group
        group |= reached
        edge = edge & ~lowest | reached
    return group
