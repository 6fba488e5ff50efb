"""Worlds that are consistent with a view: one is sampled by the rules, and its unseen cards are swapped.

A swap and its reverse are equally likely. The rules sample all worlds with equal probability, so later worlds are
equally likely, too. If auction and play have shown something (``watching``), a swap that makes a world less likely is
made less often, in proportion (Metropolis). ``table_of`` has the unseen cards, their holders, and the cards that each
seat can hold.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Final

from domain.plute.deck import TRUMP_SUITS
from domain.plute.options import Options
from domain.plute.sampling import sample
from domain.plute.state import State
from domain.plute.view import View
from domain.table import Seat
from workers.bots.chances import SURE
from workers.bots.compiled import INT, WORDS, Words, fast, kernel, words
from workers.bots.drawing import drawn
from workers.bots.plute import cards as c
from workers.bots.plute import watching
from workers.bots.plute.kernel import HELD, SEATS
from workers.bots.plute.knowledge import Known, known_of
from workers.bots.signs import CHANCE, FRESH_EVERY, PASSES

UNSEEN: Final = 0
"""How many cards are unseen; then their numbers, the holder of each, and the cards that each seat can hold."""
CARDS: Final = len(c.NUMBER)
CARD, OWNER, MAY = 1, 1 + CARDS, 1 + 2 * CARDS
LEAN: Final = MAY + SEATS
"""How much likelier each unseen card is in each hand; ``CARDS`` words for each seat."""
LENGTH: Final = LEAN + CARDS * SEATS


def drawn_for(
    options: Options, view: View, seat: Seat, rng: random.Random, load: Callable[[State, int], list[int]]
) -> Iterator[Words]:
    """Sample worlds without end, each in the same array, with its own random numbers."""
    known = known_of(options, view, seat, TRUMP_SUITS.index(view.trump or "S"))
    leanings = watching.leanings(view, seat, known.unseen)
    for number in count():
        passes = 1
        if number % FRESH_EVERY == 0:
            game = load(sample(options, seat, view, rng), rng.randrange(1, 1 << 32))
            world, table = words(game), words(table_of(known, game, leanings))
            passes = PASSES if leanings else 0
        fast(swap)(world, table, passes)
        yield world


def table_of(known: Known, game: Words, leanings: Mapping[tuple[Seat, int], int]) -> list[int]:
    """Return the unseen cards of a seat with their places in a world, for ``swap``."""
    table = [0] * LENGTH
    for seat in known.others:
        table[MAY + seat] = known.may[seat]
        for card in c.numbers_of(int(game[HELD + seat])):
            table[CARD + table[UNSEEN]] = card
            table[OWNER + table[UNSEEN]] = seat
            table[UNSEEN] += 1
    for index in range(table[UNSEEN]):
        for seat in known.others:
            table[LEAN + CARDS * seat + index] = leanings.get((seat, table[CARD + index]), 0)
    return table


@kernel(INT, WORDS, WORDS, INT)
def swap(game: Words, table: Words, passes: int) -> int:
    """Try so many swaps of each unseen card with another, among those that their seats can hold.

    Return how many were made.
    """
    done = 0
    for _ in range(passes * table[UNSEEN]):
        one, other = drawn(game, table[UNSEEN]), drawn(game, table[UNSEEN])
        seat, another = table[OWNER + one], table[OWNER + other]
        given, got = 1 << table[CARD + one], 1 << table[CARD + other]
        if seat == another or not (table[MAY + seat] & got and table[MAY + another] & given):
            continue
        here, there = LEAN + CARDS * seat, LEAN + CARDS * another
        less = table[here + one] + table[there + other] - table[there + one] - table[here + other]
        if less > 0 and drawn(game, SURE) >= CHANCE[less]:
            continue
        game[HELD + seat] ^= given | got
        game[HELD + another] ^= given | got
        table[OWNER + one], table[OWNER + other] = another, seat
        done += 1
    return done
