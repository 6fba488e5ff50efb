"""The board of Le Plateau: 37 hexagonal spaces, their neighbours and sides, and the formations on it.

Everything follows from coordinates (rules.md, the board). Positions are counted in ring order: the rim, the middle ring
and the inner ring, each clockwise from the top corner, then the centre. A space is named by its token: ``#3``, ``T1``,
``RH``, ``EX``.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import count
from typing import Literal, TypeAlias

from domain.le_plateau.options import DeckSize, Edition

Space: TypeAlias = str
Objective: TypeAlias = Literal["bridge", "y", "fork", "five_sides", "six_sides"]
OBJECTIVES: tuple[Objective, ...] = ("bridge", "y", "fork", "five_sides", "six_sides")

_INSIDE = "CH VS DC CS DD VH CD VC DS CC DH VD  EX RD RC T21 RH RS"
_RIM_TRUMPS: Mapping[tuple[int, DeckSize], tuple[int, ...]] = {
    (2, "standard"): (0, 6, 12),
    **{(seats, "standard"): (0, 3, 6, 9, 12, 15) for seats in (3, 4, 5, 6)},
    (3, "full"): (0, 9),
    (4, "full"): (0,),
    (5, "full"): (0, 3, 9, 12),
}
"""Where T1, T2, … lie on the rim; trick spaces in order fill the rest of it, and the last one is the centre."""


@cache
def standard_tokens(seats: int, deck: DeckSize = "standard") -> tuple[Space, ...]:
    """Return the standard board for a number of players and a deck, 37 tokens in ring order."""
    places = _RIM_TRUMPS[seats, deck]
    trumps = {place: f"T{number}" for number, place in enumerate(places, start=1)}
    tricks = (f"#{number}" for number in count(1))
    rim = [trumps.get(place) or next(tricks) for place in range(18)]
    return (*rim, *_INSIDE.split(), next(tricks))


_TOP = (0, -1)
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps to the six neighbours, in the order in which a ring is walked clockwise from its top corner."""


def _ring(radius: int) -> list[tuple[int, int]]:
    q, r = _TOP[0] * radius, _TOP[1] * radius
    walk = []
    for dq, dr in STEPS:
        for _ in range(radius):
            walk.append((q, r))
            q, r = q + dq, r + dr
    return walk


COORDINATES: tuple[tuple[int, int], ...] = (*_ring(3), *_ring(2), *_ring(1), (0, 0))
"""Axial coordinates (q, r) of each position; the top corner is (0, -3)."""

NEIGHBOURS: tuple[frozenset[int], ...] = tuple(
    frozenset(other for other, (oq, orr) in enumerate(COORDINATES) if (oq - q, orr - r) in STEPS)
    for q, r in COORDINATES
)

SIDES: tuple[frozenset[int], ...] = tuple(frozenset((3 * k + i) % 18 for i in range(4)) for k in range(6))
"""The positions of side 1 … 6: four of the rim, a corner in two sides."""

_NEIGHBOUR_BITS = tuple(sum(1 << other for other in around) for around in NEIGHBOURS)
_SIDE_BITS = tuple((1 << k, sum(1 << position for position in side)) for k, side in enumerate(SIDES))
_WHOLE = (1 << len(COORDINATES)) - 1


def _is_bridge(sides: int) -> bool:
    return bool(sides & sides >> 3 & 0b111)


def _is_y(sides: int) -> bool:
    return sides & 0b010101 == 0b010101 or sides & 0b101010 == 0b101010


_MAKES: Mapping[Objective, Callable[[int], bool]] = {
    "bridge": _is_bridge,
    "y": _is_y,
    "fork": lambda sides: _is_bridge(sides) and _is_y(sides),
    "five_sides": lambda sides: sides.bit_count() >= 5,
    "six_sides": lambda sides: sides.bit_count() == 6,
}
_MAKES_IN: Mapping[Edition, Mapping[Objective, Callable[[int], bool]]] = {
    "2023": _MAKES,
    "2022": {**_MAKES, "bridge": lambda sides: _is_bridge(sides) or _is_y(sides)},
}
"""Tests of the sides touched, by objective; in 2022 a Y, being harder, makes a bridge."""


def formation(
    tokens: tuple[Space, ...], owned: Iterable[Space], objective: Objective, edition: Edition = "2023"
) -> tuple[Space, ...]:
    """Return the connected group of owned spaces that makes the objective, in ring order; empty if none does.

    ``tokens`` is the board in ring order. A single group must touch the sides. A group that touches more sides than
    needed makes the objective too, but in edition 2023 a Y that holds no bridge does not make a bridge.
    """
    group = _making(_bits(tokens, owned), objective, edition)
    return tuple([token for position, token in enumerate(tokens) if group >> position & 1]) if group else ()


def sides_of(objective: Objective) -> tuple[int, ...]:
    """Return the fewest sides, as bits, that make an objective, in each way in which they can lie."""
    made = [sides for sides in range(1 << len(SIDES)) if _MAKES[objective](sides)]
    fewest = min(sides.bit_count() for sides in made)
    return tuple(sides for sides in made if sides.bit_count() == fewest)


def sides_reached(tokens: tuple[Space, ...], owned: Iterable[Space], objective: Objective) -> int:
    """Return the sides, as bits, that one connected group of owned spaces has reached of those that an objective needs.

    It is the group that is nearest to it.
    """
    free, nearest = _bits(tokens, owned), 0
    wanted = sides_of(objective)
    while free:
        group = _grow(free & -free, free)
        touched = sum([bit for bit, side in _SIDE_BITS if group & side])
        nearest = max(nearest, *(touched & sides for sides in wanted), key=int.bit_count)
        free &= ~group
    return nearest


def is_possible(
    tokens: tuple[Space, ...], lost: Iterable[Space], objective: Objective, edition: Edition = "2023"
) -> bool:
    """Return whether all spaces but the lost ones would make the objective."""
    return _making(_WHOLE & ~_bits(tokens, lost), objective, edition) != 0


def _making(free: int, objective: Objective, edition: Edition) -> int:
    """Return the first connected group of free spaces that makes the objective, as bits by position; 0 if none."""
    makes = _MAKES_IN[edition][objective]
    while free:
        group = _grow(free & -free, free)
        if makes(sum([bit for bit, side in _SIDE_BITS if group & side])):
            return group
        free &= ~group
    return 0


def _bits(tokens: tuple[Space, ...], spaces: Iterable[Space]) -> int:
    place = places(tokens)
    bits = 0
    for space in spaces:
        bits |= 1 << place[space]
    return bits


@lru_cache(maxsize=256)
def places(tokens: tuple[Space, ...]) -> Mapping[Space, int]:
    """Map each space of a board to its position in ring order."""
    return {token: position for position, token in enumerate(tokens)}


def _grow(group: int, within: int) -> int:
    """Flood from one space: return the connected group of ``within`` that holds it, as bits by position."""
    edge = group
    while edge:
        lowest = edge & -edge
        reached = _NEIGHBOUR_BITS[lowest.bit_length() - 1] & within & ~group
        group |= reached
        edge = edge & ~lowest | reached
    return group
