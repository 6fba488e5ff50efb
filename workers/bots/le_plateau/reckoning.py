"""The value of a card to a seat that sees its own cards and what all have seen: the core of ``greedy``.

A card's value is what it claims or loses, times the chance that the seat's side takes the trick, less what the card
could still do later. The chance is calculated from the unseen cards, the suits that a seat has shown to lack, and the
seats that play after. Everything is an integer, chances as parts of 1,024; kernels can use it in playouts.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.le_plateau.kernel import (
    BEST,
    BEST_TRUMP,
    DECK,
    DECK_TRUMPS,
    HELD,
    HELD_TRUMPS,
    LAST,
    LED,
    NEXT,
    NO_SUIT,
    ON_TABLE,
    SEATS,
    SUIT,
    TABLE,
    TABLE_TRUMPS,
    TEAM,
    TRICK,
    TRUMPS_ALL,
    VOID_TRUMPS,
    VOIDS,
    WINNER,
    WON,
    WON_TRUMPS,
    suit_of,
)

ONE: Final = 1 << 10
"""A chance of one."""

WORTH_TRUMPS, WORTH_TRICKS, WORTH_OF_POWER, WORTHS = 56, 80, 100, 101
"""The *worths*, an array: what the spaces of the suits' cards, of the trumps and of the tricks are worth by importance,
and what holding back a king is."""

MISSES, UNSEEN, UNSEEN_TRUMPS, SCRATCH = 0, 24, 25, 26
"""The *scratch* array: the chance that a seat has none of so many unseen cards, and the sets of unseen cards."""

KING_POWER: Final = 16
"""The power of a king, for comparison with other cards (``power``)."""


@kernel("void", WORDS, WORDS)
def look_around(world: Words, scratch: Words) -> None:
    """Note the cards that the seat to play does not see, and how likely another seat lacks all of so many of them."""
    seat = world[NEXT]
    suits = world[TABLE] | world[HELD + seat]
    trumps = world[TABLE_TRUMPS] | world[HELD_TRUMPS + seat]
    for other in range(world[SEATS]):
        suits |= world[WON + other]
        trumps |= world[WON_TRUMPS + other]
    suits, trumps = world[DECK] & ~suits, world[DECK_TRUMPS] & ~trumps
    scratch[UNSEEN], scratch[UNSEEN_TRUMPS] = suits, trumps
    count = max(popcount(suits) + popcount(trumps), 1)
    elsewhere = max(ONE - ONE * (world[LAST] - world[TRICK] + 1) // count, 0)
    chance = ONE
    for number in range(UNSEEN):
        scratch[MISSES + number] = chance
        chance = chance * elsewhere >> 10


@kernel(INT, WORDS, WORDS, INT, INT, INT, INT)
def chance_to_beat(world: Words, scratch: Words, seat: int, led: int, best: int, best_trump: int) -> int:
    """Return the chance that a seat that plays later can beat the best card; ``led`` is the suit led."""
    trumps = scratch[UNSEEN_TRUMPS] & TRUMPS_ALL
    if world[VOID_TRUMPS] >> seat & 1:
        trumps = 0
    with_trump = ONE - scratch[MISSES + popcount(trumps & -(best_trump << 1) if best_trump else trumps)]
    if led == 0:
        return with_trump
    unseen = scratch[UNSEEN] & led
    if world[VOIDS + seat] & led:
        unseen = 0
    by_trump = with_trump * scratch[MISSES + popcount(unseen)] >> 10
    if best_trump:
        return by_trump
    return by_trump + ONE - scratch[MISSES + popcount(unseen & -(best << 1))]


@kernel(INT, WORDS, WORDS, INT, INT)
def chance_of_trick(world: Words, scratch: Words, card: int, trump: int) -> int:
    """Return the chance that the side of the seat to play takes the trick, if that seat plays a card.

    Opponents beat what they can; partners beat only what would be lost.
    """
    seat, led, best, best_trump = world[NEXT], world[LED], world[BEST], world[BEST_TRUMP]
    if led == NO_SUIT:
        led = suit_of(card) if card else 0
    winner = world[WINNER] if world[ON_TABLE] else seat
    if trump & TRUMPS_ALL:
        if trump > best_trump:
            best_trump, winner = trump, seat
    elif card & led and card > best and best_trump == 0:
        best, winner = card, seat
    team = world[TEAM] if world[TEAM] >> seat & 1 else ~world[TEAM]
    chance = ONE if team >> winner & 1 else 0
    for _ in range(world[ON_TABLE] + 1, world[SEATS]):
        seat += 1
        if seat == world[SEATS]:
            seat = 0
        beats = chance_to_beat(world, scratch, seat, led, best, best_trump)
        chance += (ONE - chance) * beats >> 10 if team >> seat & 1 else -(chance * beats >> 10)
    return chance


@kernel(INT, INT, INT)
def power(card: int, trump: int) -> int:
    """Return what a card could still do later, in sixteenths of a king: any trump takes some trick, high ones most."""
    if trump & ~TRUMPS_ALL:
        return 0
    if trump:
        return 8 + popcount(trump - 1) // 2
    rank = popcount(card - 1) % SUIT
    return rank - 9 << 2 if rank > 10 else rank >> 2


@kernel(INT, WORDS, WORDS)
def stake_of(world: Words, worths: Words) -> int:
    """Return the value of the trick as it is: its own space and those of the cards on the table."""
    stake = worths[WORTH_TRICKS + world[TRICK]]
    cards, trumps = world[TABLE], world[TABLE_TRUMPS]
    while cards:
        stake += worths[popcount((cards & -cards) - 1)]
        cards &= cards - 1
    while trumps:
        stake += worths[WORTH_TRUMPS + popcount((trumps & -trumps) - 1)]
        trumps &= trumps - 1
    return stake


@kernel(INT, WORDS, WORDS, WORDS, INT, INT)
def value_of(world: Words, worths: Words, scratch: Words, card: int, trump: int) -> int:
    """Return the value of a legal card to the seat to play, in sixteenths of a part of 1,024."""
    worth = worths[popcount(card - 1)] if card else worths[WORTH_TRUMPS + popcount(trump - 1)]
    chance = chance_of_trick(world, scratch, card, trump)
    spent = worths[WORTH_OF_POWER] * power(card, trump)
    stake = stake_of(world, worths)
    if trump & ~TRUMPS_ALL:
        return ((2 * chance - ONE) * stake >> 6) + (worth << 4) - spent
    return ((2 * chance - ONE) * (stake + worth) >> 6) - spent
