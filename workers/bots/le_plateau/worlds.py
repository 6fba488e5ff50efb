"""Worlds that a seat cannot tell from the real one, drawn by a kernel: the same as the domain's, each as likely.

``Worlds`` reads a question once: what is known goes into an array like every world, what is not into a plan
(``placing``). ``draw`` makes one world after another of the two.
"""

from dataclasses import dataclass
from typing import Final

from domain.le_plateau.inference import TALON, Place
from domain.le_plateau.sampling import unseen_cards
from workers.bots.compiled import INT, WORDS, Words, fast, kernel, words
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.loader import bits_of, load
from workers.bots.le_plateau.placing import CARDS, COUNT, LOT, PLACES, ROOMS, WHERE, place, plan_of
from workers.bots.le_plateau.seen import Seen

FIRST_TRUMP: Final = 4 * k.SUIT
"""Cards of the suits are numbered from 0 by their bits, trumps from here on."""

TARGETS, TRUMP_TARGETS, LOT_SIZE = LOT, LOT + PLACES, LOT + 2 * PLACES
"""Behind the lot: for each place, where its cards of the suits and its trumps go in a world."""

NOWHERE: Final = k.SIZE
"""Where the discard goes: a word behind the world, which nothing reads."""


@dataclass(frozen=True, slots=True)
class Worlds:
    """What all worlds have in common, and the plan and the lot by which the other cards are drawn."""

    known: Words
    plan: Words
    lot: Words

    def world(self, chance: int) -> Words:
        """Return a world."""
        drawn = words([0] * len(self.known))
        fast(draw)(self.known, self.plan, self.lot, drawn, chance)
        return drawn


def worlds_of(seen: Seen) -> Worlds:
    """Read a question."""
    layout = unseen_cards(seen.options, seen.seat, seen.view)
    bits = [bits_of(card, seen.options) for members in layout.members for card in members]
    unseen, unseen_trumps = sum(pair[0] for pair in bits), sum(pair[1] for pair in bits)
    known = [*load(seen.world()), 0]
    for start, end, cards in ((k.HELD, k.HELD_TRUMPS, unseen), (k.HELD_TRUMPS, k.WON, unseen_trumps)):
        known[start:end] = [held & ~cards for held in known[start:end]]
    for place_of, cards in ((k.BELOW, unseen), (k.BELOW_TRUMPS, unseen_trumps)):
        known[place_of : place_of + 10] = [below & ~cards for below in known[place_of : place_of + 10]]
    known[k.TALON] &= ~unseen
    known[k.TALON_TRUMPS] &= ~unseen_trumps
    lot = [0] * LOT_SIZE
    for index, (suits, trumps) in enumerate(bits):
        lot[CARDS + index] = suits.bit_length() - 1 if suits else FIRST_TRUMP + trumps.bit_length() - 1
    for index, where in enumerate(layout.places):
        lot[TARGETS + index], lot[TRUMP_TARGETS + index] = _targets(where)
    return Worlds(words(known), words(plan_of(layout)), words(lot))


def _targets(where: Place) -> tuple[int, int]:
    """Return where the cards of the suits and the trumps of a place go in a world."""
    kind, seat, index = where
    if kind == "held":
        return k.HELD + seat, k.HELD_TRUMPS + seat
    if kind == "under":
        return k.BELOW + 5 * seat + index, k.BELOW_TRUMPS + 5 * seat + index
    return (k.TALON, k.TALON_TRUMPS) if where == TALON else (NOWHERE, NOWHERE)


@kernel(INT, WORDS, WORDS, WORDS, WORDS, INT)
def draw(known: Words, plan: Words, lot: Words, world: Words, chance: int) -> int:
    """Draw a world into an array of the same size as what is known; return the state of chance."""
    chance = place(plan, lot, chance)
    world[:] = known
    count = 0
    for number in range(plan[COUNT]):
        count += plan[ROOMS + number]
    for index in range(count):
        card, number = lot[CARDS + index], lot[WHERE + index]
        if card < FIRST_TRUMP:
            world[lot[TARGETS + number]] |= 1 << card
        else:
            world[lot[TRUMP_TARGETS + number]] |= 1 << card - FIRST_TRUMP
    return chance
