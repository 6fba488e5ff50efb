"""Bidding: the value of a hand with its best suit as trump, and how likely it makes a bid.

A hand is counted in tenths of a point, as players of Pitch do: its certain points, those that it can bring home, and
the cards that help. How likely a count makes a bid was measured with 1,500 hands (``bench/README.md``).
"""

from typing import Final

from workers.bots.chances import SURE
from workers.bots.compiled import INT, kernel, popcount
from workers.bots.plute import cards as c

OF_ACE, OF_KING, OF_QUEEN, OF_TEN = 10, 6, 4, 2
"""Of the trumps."""
OF_LOW = (10, 3)
"""Low by the option: it belongs to the holder of the deuce, or must be brought home."""
OF_THE_JACK, OF_THE_OFF_JACK, OF_A_JOKER = 6, 5, 4
OF_A_GUARD = 2
"""A jack is safer with a higher trump beside it."""
OF_LENGTH = 3
"""Each trump from the third on, because it wins a trick after trumps are drawn."""
OF_AN_ACE = 2
"""An ace of another suit."""

_TRUMPS = tuple(order.cards[c.TRUMP] for order in c.ORDERS)
_DEUCE = tuple(order.deuce for order in c.ORDERS)
_OFF_JACK = tuple(order.points & ~c.JOKERS & ~(1 << order.deuce + c.JACK) for order in c.ORDERS)
_ACES: Final = sum(1 << c.RANKS * suit + c.ACE for suit in range(4))
_GUARDS: Final = 1 << c.ACE | 1 << c.KING | 1 << c.QUEEN
_ACE, _KING, _QUEEN, _JACK, _TEN, _JOKERS = c.ACE, c.KING, c.QUEEN, c.JACK, c.TEN, c.JOKERS


@kernel(INT, INT, INT, INT)
def count_of(hand: int, trump: int, low_is_taken: int) -> int:
    """Count a hand with a trump suit, in tenths of a point."""
    trumps = hand & _TRUMPS[trump]
    ranks = trumps >> _DEUCE[trump]
    guarded = int(ranks & _GUARDS != 0)
    count = OF_ACE * (ranks >> _ACE & 1) + OF_KING * (ranks >> _KING & 1) + OF_QUEEN * (ranks >> _QUEEN & 1)
    count += OF_TEN * (ranks >> _TEN & 1) + OF_LOW[low_is_taken] * (ranks & 1)
    count += (OF_THE_JACK + OF_A_GUARD * guarded) * (ranks >> _JACK & 1)
    if trumps & _OFF_JACK[trump]:
        count += OF_THE_OFF_JACK + OF_A_GUARD * guarded
    count += OF_A_JOKER * popcount(trumps & _JOKERS) + OF_AN_ACE * popcount(hand & _ACES & ~trumps)
    return count + OF_LENGTH * max(0, popcount(trumps) - 2)


EVEN = {4: 13, 5: 25, 6: 38, 7: 48}
"""The count with which half of the bids are made."""

STEEPNESS = 22
"""How much each tenth of a point more raises the chance, in 1024ths."""


def chance_of(points: int, count: int) -> int:
    """Return how likely a hand makes a bid."""
    return min(SURE, max(0, SURE // 2 + STEEPNESS * (count - EVEN[points])))
