"""The importance of each free space for an objective: its chance with the space minus its chance without it.

The free spaces are filled at random some hundred times, and each filling is judged. This is the criticality known from
programs for Hex; both sides want the same spaces, because what helps one harms the other as much. If even fillings
decide nothing, because one side is far ahead, fillings are used that give it fewer spaces.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.le_plateau.grid import found
from workers.bots.le_plateau.kernel import MAKES

SCALE: Final = 1 << 10
"""A chance of one."""

PILOT: Final = 24
"""Fillings for each share before a share is chosen."""

SHARES: Final = 5
"""The shares of the free spaces that fillings give to the declarer's team: an eighth, a quarter, half, and so on."""

GRID: Final = 56
"""The bits of the grid, padding included."""


@kernel(INT, WORDS)
def half_of_all(chance: Words) -> int:
    """Return 56 bits, each set or not at random (two steps of a xorshift of 32 bits)."""
    bits = chance[0]
    bits ^= bits << 13 & 0xFFFFFFFF
    bits ^= bits >> 17
    bits ^= bits << 5 & 0xFFFFFFFF
    first = bits
    bits ^= bits << 13 & 0xFFFFFFFF
    bits ^= bits >> 17
    bits ^= bits << 5 & 0xFFFFFFFF
    chance[0] = bits
    return first << 24 ^ bits


@kernel(INT, INT, WORDS)
def filling(share: int, chance: Words) -> int:
    """Return random bits for a share: an eighth, a quarter, half, three quarters or seven eighths of them are set."""
    bits = half_of_all(chance)
    if share < 2:
        bits &= half_of_all(chance)
    if share == 0:
        bits &= half_of_all(chance)
    if share > 2:
        bits |= half_of_all(chance)
    if share == 4:
        bits |= half_of_all(chance)
    return bits


@kernel(INT, INT, INT, INT, WORDS, WORDS)
def fair_share(mine: int, free: int, wanted: int, board: Words, chance: Words) -> int:
    """Return the share with which about half of the fillings make the objective."""
    best, distance = 2, PILOT
    for share in range(SHARES):
        made = 0
        for _ in range(PILOT):
            if found(mine | free & filling(share, chance), board, MAKES) & wanted:
                made += 1
        away = abs(2 * made - PILOT)
        if away < distance:
            best, distance = share, away
    return best


@kernel("void", INT, INT, INT, WORDS, WORDS, WORDS)
def weigh(mine: int, free: int, wanted: int, board: Words, chance: Words, importance: Words) -> None:
    """Set the importance of each free space, by its place in the grid, as a part of ``SCALE``; 0 for the others.

    ``wanted`` is the bit of the objective; ``importance`` has the number of fillings behind its entries for the grid.
    """
    share = fair_share(mine, free, wanted, board, chance)
    count, made = importance[GRID], 0
    for place in range(GRID):
        importance[place] = 0
    tally = importance  # the fillings that made it with the space, 16 bits, below those with the space
    for _ in range(count):
        bits = free & filling(share, chance)
        add = 1 << 16
        if found(mine | bits, board, MAKES) & wanted:
            made += 1
            add += 1
        while bits:
            low = bits & -bits
            tally[popcount(low - 1)] += add
            bits ^= low
    for place in range(GRID):
        with_it, made_with = tally[place] >> 16, tally[place] & 0xFFFF
        without = count - with_it
        importance[place] = 0
        if with_it and without:
            difference = SCALE * made_with // with_it - SCALE * (made - made_with) // without
            importance[place] = max(difference, 0)
