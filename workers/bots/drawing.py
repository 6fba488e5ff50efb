"""Random numbers for kernels, and the choice of one bit of a set.

The generator's state is the first word of an array.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount

SEED: Final = 0
"""The place of the generator's state, which must not be 0, in every array of a kernel that draws."""

_WORD = (1 << 32) - 1


@kernel(INT, WORDS, INT)
def drawn(game: Words, limit: int) -> int:
    """Draw a number below a limit: xorshift on 32 bits."""
    seed = game[SEED]
    seed ^= seed << 13 & _WORD
    seed ^= seed >> 17
    seed ^= seed << 5 & _WORD
    game[SEED] = seed
    return seed * limit >> 32


@kernel(INT, INT, INT)
def nth(cards: int, number: int) -> int:
    """Return the place of a set bit, counting set bits from the lowest, 0."""
    for _ in range(number):
        cards &= cards - 1
    return popcount((cards & -cards) - 1)


@kernel(INT, INT)
def highest(cards: int) -> int:
    """Return the place of the highest bit that is set, -1 if none is."""
    for shift in (1, 2, 4, 8, 16, 32):
        cards |= cards >> shift
    return popcount(cards) - 1
