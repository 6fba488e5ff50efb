"""Sample placements of the hidden cards in proportion to their likelihood (Metropolis).

The likelihood is that given the auction, the exchange and the play so far.

A placement that was sampled uniformly (``placing``) is stirred: many times, two cards swap places if both may. A swap
that makes the placement less likely is accepted with the ratio of the likelihoods. The next placements are stirred from
this one, until a new one is sampled.
"""

from typing import Final

from workers.bots.chances import SURE
from workers.bots.compiled import INT, WORDS, Words, kernel
from workers.bots.le_plateau.kernel import drawn
from workers.bots.le_plateau.placing import CARDS, LOT, PLACES, WHERE, place
from workers.bots.signs import CHANCE, FRESH_EVERY, PASSES

NUMBERS: Final = 80
"""Cards are numbered below this."""

STIRRED, MAY, LEAN = LOT, LOT + 1, LOT + 1 + NUMBERS
"""Behind the lot: how many lies were made of the one that was drawn last, or ``ALIKE``; the places that each card can
lie in, as bits; and how much likelier each card is to lie in each place, ``NUMBERS`` words a place."""

SIZE: Final = LEAN + NUMBERS * PLACES

ALIKE: Final = -1
"""All placements are equally likely, so each is sampled independently."""


@kernel(INT, WORDS, WORDS, INT, INT)
def lay(plan: Words, lot: Words, count: int, chance: int) -> int:
    """Sample a placement of so many cards, or stir the last one; return the state of the generator."""
    stirred = lot[STIRRED]
    if stirred <= 0:
        chance = place(plan, lot, chance)
    if stirred == ALIKE:
        return chance
    lot[STIRRED] = (stirred + 1) % FRESH_EVERY
    return stir(lot, count, count * (PASSES if stirred == 0 else 1), chance)


@kernel(INT, WORDS, INT, INT, INT)
def stir(lot: Words, count: int, swaps: int, chance: int) -> int:
    """Try so many swaps of two of so many cards; return the state of the generator."""
    for _ in range(swaps):
        one = drawn(chance)
        other = drawn(one)
        chance = drawn(other)
        one = one * count >> 32
        other = other * count >> 32
        here, there = lot[WHERE + one], lot[WHERE + other]
        card, another = lot[CARDS + one], lot[CARDS + other]
        if here == there or not lot[MAY + card] >> there & 1 or not lot[MAY + another] >> here & 1:
            continue
        less = lot[LEAN + NUMBERS * here + card] + lot[LEAN + NUMBERS * there + another]
        less -= lot[LEAN + NUMBERS * there + card] + lot[LEAN + NUMBERS * here + another]
        if less <= 0 or chance * SURE >> 32 < CHANCE[less]:
            lot[WHERE + one], lot[WHERE + other] = there, here
    return chance
