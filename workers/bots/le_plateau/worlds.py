"""Worlds that are consistent with a view, sampled by a kernel.

They are as likely as in the domain (``placing``), or as the auction, exchange and play make them (``stirring``).
``Worlds`` parses a question once: what is known is in an array like every world, the rest in a plan and a lot. ``draw``
makes one world after another from them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from domain.le_plateau.inference import TALON, Place
from domain.le_plateau.sampling import unseen_cards
from workers.bots.compiled import INT, WORDS, Words, fast, kernel, words
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau import stirring, watching
from workers.bots.le_plateau.loader import FIRST_TRUMP, load, number_of
from workers.bots.le_plateau.placing import CARDS, COUNT, PLACES, ROOMS, WHERE, plan_of
from workers.bots.le_plateau.seen import Seen
from workers.bots.le_plateau.stirring import lay

TARGETS, TRUMP_TARGETS, LOT_SIZE = stirring.SIZE, stirring.SIZE + PLACES, stirring.SIZE + 2 * PLACES
"""After the data of ``stirring``: for each place, where its cards of the suits and its trumps go in a world."""

NOWHERE: Final = k.SIZE
"""The place of the discard: a word after the world, which is never read."""


@dataclass(frozen=True, slots=True)
class Worlds:
    """What all worlds have in common, and the plan and the lot from which the other cards are sampled."""

    known: Words
    plan: Words
    lot: Words

    def world(self, chance: int) -> Words:
        """Return a world."""
        drawn = words([0] * len(self.known))
        fast(draw)(self.known, self.plan, self.lot, drawn, chance)
        return drawn


def worlds_of(seen: Seen) -> Worlds:
    """Parse a question."""
    layout = unseen_cards(seen.options, seen.seat, seen.view)
    numbers = [[number_of(card, seen.options) for card in members] for members in layout.members]
    unseen, unseen_trumps = _sets_of(chain(*numbers))
    known = [*load(seen.world()), 0]
    for start, end, cards in ((k.HELD, k.HELD_TRUMPS, unseen), (k.HELD_TRUMPS, k.WON, unseen_trumps)):
        known[start:end] = [held & ~cards for held in known[start:end]]
    for place_of, cards in ((k.BELOW, unseen), (k.BELOW_TRUMPS, unseen_trumps)):
        known[place_of : place_of + 10] = [below & ~cards for below in known[place_of : place_of + 10]]
    known[k.TALON] &= ~unseen
    known[k.TALON_TRUMPS] &= ~unseen_trumps
    lot = [0] * LOT_SIZE
    for index, number in enumerate(chain(*numbers)):
        lot[CARDS + index] = number
    for members, (_, places) in zip(numbers, layout.groups, strict=True):
        for number in members:
            lot[stirring.MAY + number] = sum(1 << place for place in places)
    _load_leanings(lot, seen, layout.places)
    for index, where in enumerate(layout.places):
        lot[TARGETS + index], lot[TRUMP_TARGETS + index] = _targets(where)
    return Worlds(words(known), words(plan_of(layout)), words(lot))


def _sets_of(numbers: Iterable[int]) -> tuple[int, int]:
    """Return cards in the kernel's form: those of the suits, and the trumps."""
    cards = sum(1 << number for number in numbers)
    return cards & (1 << FIRST_TRUMP) - 1, cards >> FIRST_TRUMP


def _load_leanings(lot: list[int], seen: Seen, places: Sequence[Place]) -> None:
    """Load what auction, exchange and play have shown about each unseen card."""
    numbered = {place: number for number, place in enumerate(places)}
    unseen = sum(1 << card for card in range(stirring.NUMBERS) if lot[stirring.MAY + card])
    leanings = watching.leanings(seen.options, seen.view, seen.seat, unseen)
    for (place, card), lean in leanings.items():
        if place in numbered:
            lot[stirring.LEAN + stirring.NUMBERS * numbered[place] + card] = lean
    lot[stirring.STIRRED] = 0 if leanings else stirring.ALIKE


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
    """Sample a world into an array of the same size as the known part; return the state of the generator."""
    count = 0
    for number in range(plan[COUNT]):
        count += plan[ROOMS + number]
    chance = lay(plan, lot, count, chance)
    world[:] = known
    for index in range(count):
        card, number = lot[CARDS + index], lot[WHERE + index]
        if card < FIRST_TRUMP:
            world[lot[TARGETS + number]] |= 1 << card
        else:
            world[lot[TRUMP_TARGETS + number]] |= 1 << card - FIRST_TRUMP
    return chance
