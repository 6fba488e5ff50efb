"""Bidding by points, as players count them, and the card to call.

A hand is counted as in most French handbooks: oudlers, trumps, high trumps, court cards, long and short suits. The
value of a number of points was measured, not taken from a book: see ``EXPECTED``.
"""

from collections.abc import Mapping

from domain.cardplay.cards import Card
from domain.french_tarot.actions import ContractName
from workers.bots.french_tarot import cards as c

OF_T21, OF_EXCUSE, OF_A_TRUMP, OF_A_HIGH_TRUMP = 10, 8, 2, 2
HIGH_TRUMPS = ((1 << 6) - 1) << c.PETIT + 15
"""T16 … T21."""
OF_THE_PETIT = (0, 0, 0, 0, 5, 7, 8, 9)
"""By the number of trumps, itself included: with few, it is easily lost."""
OF_COURTS = {c.KING: 6, c.QUEEN: 3, c.KNIGHT: 2, c.JACK: 1}
OF_A_MARRIAGE = 1
"""King and queen together count 10."""
OF_LENGTH = (6, 3, 0, 0, 0, 5, 7, 9)
"""By the number of cards of a suit: none, one, …, seven or more."""


def points_of(hand: int) -> int:
    """Count a hand."""
    trumps = (hand & c.TRUMPS).bit_count()
    points = OF_A_TRUMP * trumps + OF_A_HIGH_TRUMP * (hand & HIGH_TRUMPS).bit_count()
    points += OF_T21 * (hand >> c.T21 & 1) + OF_EXCUSE * (hand >> c.EXCUSE & 1)
    points += OF_THE_PETIT[min(trumps, 7)] * (hand >> c.PETIT & 1)
    return points + sum(_points_of_suit(hand >> c.RANKS * suit & c.SUITS[0]) for suit in range(4))


def _points_of_suit(ranks: int) -> int:
    points = sum(worth for rank, worth in OF_COURTS.items() if ranks >> rank & 1)
    points += OF_A_MARRIAGE if ranks >> c.QUEEN == 3 else 0
    return points + OF_LENGTH[min(ranks.bit_count(), 7)]


EXPECTED: Mapping[int, Mapping[ContractName, tuple[int, int]]] = {
    3: {"petite": (-1149, 20), "garde": (-2269, 40), "garde_sans": (-5930, 88), "garde_contre": (-11767, 159)},
    4: {"petite": (-941, 20), "garde": (-1827, 39), "garde_sans": (-4602, 74), "garde_contre": (-7775, 110)},
    5: {"petite": (-311, 9), "garde": (-575, 17), "garde_sans": (-1061, 27), "garde_contre": (-3088, 65)},
}
"""What a taker wins from each other player, by players and contract, in eighths of a point: a constant, and per point.

Measured in November 2026 with 500 hands for each contract (``bench/README.md``).
"""


def worth_of(players: int, contract: ContractName, points: int) -> int:
    """Return what the taker of a contract can expect to win from each other player, compared with a pass."""
    base, slope = EXPECTED[players][contract]
    return base + slope * points


def worth_of_call(hand: int, card: Card) -> int:
    """Return how good it is to call a card: of a long suit, best with cards below the called one; never an own card."""
    number = c.NUMBER[card]
    if hand >> number & 1:
        return -100
    suit = hand & c.SUITS[number // c.RANKS]
    backed = hand >> number - 1 & 1
    return 2 * suit.bit_count() + 3 * backed
