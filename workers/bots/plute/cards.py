"""The pack of Plute as bits, and its order for each trump suit: card ``n`` of the pack is bit ``n`` of a set of cards.

Spades, hearts, diamonds and clubs take 13 bits each, from the deuce to the ace; then the two jokers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domain.cardplay.cards import TRUMP as TRUMP_SUIT
from domain.plute.deck import PACK as CARD
from domain.plute.deck import TRUMP_SUITS, Card, game_value, off_jack, strengths, suits

NUMBER = {card: number for number, card in enumerate(CARD)}
PACK = (1 << len(CARD)) - 1
RANKS, TRUMP = 13, 4
"""Cards of a suit; and the number of the trumps among the suits."""
DEUCE, TEN, JACK, QUEEN, KING, ACE = 0, 8, 9, 10, 11, 12
JOKERS = 1 << 52 | 1 << 53
GAME = tuple(game_value(card) for card in CARD)
"""The value of each card for Game."""


@dataclass(frozen=True, slots=True)
class Order:
    """The cards under one trump suit: the suit that each counts as, how high it is, and which cards beat it there."""

    suit: tuple[int, ...]
    strength: tuple[int, ...]
    above: tuple[int, ...]
    cards: tuple[int, ...]
    """The cards of each suit, the trumps last."""
    points: int
    """The trumps that score a point for the player who takes them: both jacks and the jokers."""
    deuce: int
    """The number of the deuce of trump."""


def _order(trump: int) -> Order:
    name = TRUMP_SUITS[trump]
    counted, strength = suits(name), strengths(name, None)
    suit = tuple(TRUMP if counted[card] == TRUMP_SUIT else TRUMP_SUITS.index(card[-1]) for card in CARD)
    high = tuple(strength[card] for card in CARD)
    above = tuple(
        sum(1 << other for other, _ in enumerate(CARD) if suit[other] == suit[card] and high[other] > high[card])
        for card, _ in enumerate(CARD)
    )
    cards = tuple(sum(1 << card for card, _ in enumerate(CARD) if suit[card] == each) for each in range(5))
    jacks = 1 << NUMBER[f"J{name}"] | 1 << NUMBER[off_jack(name)]
    return Order(suit, high, above, cards, jacks | JOKERS, NUMBER[f"2{name}"])


ORDERS = tuple(map(_order, range(4)))
"""The order of the cards for each trump suit."""


def mask_of(cards: Iterable[Card]) -> int:
    """Return a set of cards as bits."""
    return sum(1 << NUMBER[card] for card in cards)


def numbers_of(mask: int) -> Iterator[int]:
    """List the numbers of the cards of a set, in the order of the pack."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
