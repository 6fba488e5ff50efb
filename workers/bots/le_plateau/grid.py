"""The board as bits in a padded grid, where a step to a neighbour is a shift, and what the spaces of a side make.

The space at axial coordinates (q, r) is bit ``8 (r + 3) + q + 3``. A column of padding at the end of each row separates
the edges of the hexagon, so the neighbours of a set of spaces are six shifts of it, by 1, 7 and 8.
"""

from functools import cache
from typing import Final

from domain.le_plateau.board import COORDINATES, OBJECTIVES, SIDES, formation, standard_tokens
from domain.le_plateau.options import Edition
from workers.bots.compiled import INT, WORDS, Words, kernel

BITS: Final = tuple(1 << 8 * (r + 3) + q + 3 for q, r in COORDINATES)
"""The bit of each position, in the ring order of boards."""

WHOLE: Final = sum(BITS)
RIM: Final = sum(BITS[:18])
SIDE_1, SIDE_2, SIDE_3, SIDE_4, SIDE_5, SIDE_6 = (sum(BITS[position] for position in side) for side in SIDES)

OBJECTIVE_BITS: Final = len(OBJECTIVES)
"""``found`` has a bit for each objective, lowest first, and above them one for each number of sides touched."""


@cache
def makes(edition: Edition) -> tuple[int, ...]:
    """Return what a group makes by the set of sides that it touches, in the form of ``found``: 64 entries.

    The domain decides: a group of all inner spaces is joined by the space of the rim that touches each side alone.
    """
    tokens = standard_tokens(3)
    entries = []
    for touched in range(64):
        group = [*tokens[18:], *(tokens[3 * side + 1] for side in range(6) if touched >> side & 1)]
        made = sum(1 << i for i, name in enumerate(OBJECTIVES) if formation(tokens, group, name, edition))
        entries.append(made | ((1 << touched.bit_count()) - 1) << OBJECTIVE_BITS)
    return tuple(entries)


@kernel(INT, INT, INT)
def flood(group: int, within: int) -> int:
    """Return the spaces of ``within`` that are connected to a group."""
    while True:
        grown = (group | group << 1 | group >> 1 | group << 7 | group >> 7 | group << 8 | group >> 8) & within
        if grown == group:
            return group
        group = grown


@kernel(INT, INT)
def sides_of(group: int) -> int:
    """Return the sides that a group touches, one bit each."""
    sides = 1 if group & SIDE_1 else 0
    if group & SIDE_2:
        sides |= 2
    if group & SIDE_3:
        sides |= 4
    if group & SIDE_4:
        sides |= 8
    if group & SIDE_5:
        sides |= 16
    if group & SIDE_6:
        sides |= 32
    return sides


@kernel(INT, INT, WORDS, INT)
def found(owned: int, table: Words, start: int) -> int:
    """Return all that the groups of the owned spaces make, by the entries of ``makes`` from ``start`` on."""
    made = 0
    left = owned & RIM
    while left:
        group = flood(left & -left, owned)
        made |= table[start + sides_of(group)]
        left &= ~group
    return made
