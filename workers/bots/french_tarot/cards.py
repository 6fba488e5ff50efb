"""The tarot pack as bits: card ``n`` of the pack is bit ``n`` of a set of cards.

Spades, hearts, diamonds and clubs take 14 bits each, from the ace to the king; then T1 … T21, then the Excuse.
"""

from collections.abc import Iterable, Iterator

from domain.cardplay.cards import TAROT_PACK, Card
from domain.french_tarot.deck import HALF_POINTS

NUMBER = {card: number for number, card in enumerate(TAROT_PACK)}
CARD: tuple[Card, ...] = TAROT_PACK
PACK = (1 << 78) - 1
RANKS, TRUMP, NO_SUIT = 14, 4, -1
KING, QUEEN, KNIGHT, JACK = 13, 12, 11, 10
"""Ranks within a suit, counted from the ace, 0."""
PETIT, T21, EXCUSE = 56, 76, 77
SUITS = tuple(((1 << RANKS) - 1) << RANKS * suit for suit in range(4))
TRUMPS = ((1 << 21) - 1) << PETIT
KINGS = sum(1 << RANKS * suit + KING for suit in range(4))
OUDLERS = 1 << PETIT | 1 << T21 | 1 << EXCUSE
FREE = sum(SUITS) & ~KINGS
"""The cards that can always be laid aside."""
HALVES = tuple(HALF_POINTS[card] for card in TAROT_PACK)


def mask_of(cards: Iterable[Card]) -> int:
    """Return a set of cards as bits."""
    return sum(1 << NUMBER[card] for card in cards)


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a set in the order of the pack."""
    return tuple(CARD[number] for number in numbers_of(mask))


def numbers_of(mask: int) -> Iterator[int]:
    """List the numbers of the cards of a set, in the order of the pack."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def suit_of(number: int) -> int:
    """Return the suit of a card: 0 to 3, ``TRUMP``, or ``NO_SUIT`` for the Excuse."""
    if number == EXCUSE:
        return NO_SUIT
    return number // RANKS if number < PETIT else TRUMP


def above(number: int) -> int:
    """Return the cards of the same suit that are higher."""
    suit = TRUMPS if number >= PETIT else SUITS[number // RANKS]
    return suit & ~((2 << number) - 1)
