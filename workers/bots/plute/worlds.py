"""Worlds that a seat cannot tell apart: one is drawn by the rules, and its unseen cards are swapped for the next ones.

A swap and the swap back are equally likely, so as every draw by the rules is as likely as any other, every world after
it is, too. ``table_of`` says which cards are unseen, who has them now, and which of them each seat can hold.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel
from workers.bots.drawing import drawn
from workers.bots.plute import cards as c
from workers.bots.plute.kernel import HELD, SEATS
from workers.bots.plute.knowledge import Known

UNSEEN: Final = 0
"""How many cards are unseen; then their numbers, who holds each, and the cards that each seat can hold."""
CARD, OWNER, MAY = 1, 1 + 54, 1 + 2 * 54
LENGTH: Final = MAY + SEATS

FRESH_EVERY: Final = 32
"""After so many worlds one is drawn by the rules again: swaps of two cards do not lead from any world to any other."""


def table_of(known: Known, game: Words) -> list[int]:
    """Return the unseen cards of a seat as they lie in a world, for ``swap``."""
    table = [0] * LENGTH
    for seat in known.others:
        table[MAY + seat] = known.may[seat]
        for card in c.numbers_of(int(game[HELD + seat])):
            table[CARD + table[UNSEEN]] = card
            table[OWNER + table[UNSEEN]] = seat
            table[UNSEEN] += 1
    return table


@kernel(INT, WORDS, WORDS)
def swap(game: Words, table: Words) -> int:
    """Try as many swaps of two unseen cards as there are; swap those that their seats can hold. Return how many."""
    done = 0
    for _ in range(table[UNSEEN]):
        one, other = drawn(game, table[UNSEEN]), drawn(game, table[UNSEEN])
        seat, another = table[OWNER + one], table[OWNER + other]
        given, got = 1 << table[CARD + one], 1 << table[CARD + other]
        if seat == another or not (table[MAY + seat] & got and table[MAY + another] & given):
            continue
        game[HELD + seat] ^= given | got
        game[HELD + another] ^= given | got
        table[OWNER + one], table[OWNER + other] = another, seat
        done += 1
    return done
