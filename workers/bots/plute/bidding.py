"""Bidding: what a hand is worth with its best suit as trump, and how likely it makes a bid.

A hand is counted in tenths of a point, as players of Pitch do: what it surely has, what it can bring home, what helps
it to. How likely a count makes a bid was measured (``python -m bench.plute_bids``).
"""

from workers.bots.plute import cards as c
from workers.bots.plute.knowledge import SURE

OF_TRUMPS = {c.ACE: 10, c.KING: 6, c.QUEEN: 4, c.TEN: 2}
OF_LOW = {"holder": 10, "taker": 3}
"""Low by the option: it belongs to the holder of the deuce, or must be brought home."""
OF_THE_JACK, OF_THE_OFF_JACK, OF_A_JOKER = 6, 5, 4
OF_A_GUARD = 2
"""A jack is safer with a higher trump beside it."""
OF_LENGTH = 3
"""Each trump from the third on, for these are the tricks after trumps are drawn."""
OF_AN_ACE = 2
"""An ace of another suit."""


def count_of(hand: int, trump: int, low: str) -> int:
    """Count a hand with a trump suit, in tenths of a point."""
    order = c.ORDERS[trump]
    trumps, first = hand & order.cards[c.TRUMP], c.RANKS * trump
    count = sum(worth for rank, worth in OF_TRUMPS.items() if trumps >> first + rank & 1)
    count += OF_LOW[low] * (trumps >> order.deuce & 1) + OF_A_JOKER * (trumps & c.JOKERS).bit_count()
    guarded = bool(trumps >> first + c.QUEEN & 0b111)
    jacks = trumps & order.points & ~c.JOKERS
    if trumps >> first + c.JACK & 1:
        count += OF_THE_JACK + OF_A_GUARD * guarded
    if jacks & ~(1 << first + c.JACK):
        count += OF_THE_OFF_JACK + OF_A_GUARD * guarded
    aces = sum(hand >> c.RANKS * suit + c.ACE & 1 for suit in range(4) if suit != trump)
    return count + OF_LENGTH * max(0, trumps.bit_count() - 2) + OF_AN_ACE * aces


EVEN = {4: 13, 5: 25, 6: 38, 7: 48}
"""The count with which a bid is made every other time."""

STEEPNESS = 22
"""How much each tenth of a point more raises the chance, in 1024ths."""


def chance_of(points: int, count: int) -> int:
    """Return how likely a hand makes a bid."""
    return min(SURE, max(0, SURE // 2 + STEEPNESS * (count - EVEN[points])))
