"""Announcements beside the contract: slams that the hand makes by itself, and poignées, which pay the winners."""

from itertools import count as counting_up

from domain.cardplay.cards import Card
from workers.bots.french_tarot import cards as c


def losers(hand: int, others: int) -> int:
    """Return how many tricks a hand on lead would lose at worst if trumps and suits are distributed as usual.

    It first draws trumps: enough of its own must be higher than all others for the longest hand of trumps outside,
    assumed to be twice the average. Then each suit loses its cards that are not the highest.
    """
    trumps = hand & c.TRUMPS
    out = 21 - trumps.bit_count()
    tops = _tops(trumps >> c.PETIT, 21)
    longest = -(-2 * out // others)
    to_draw = max(0, longest - tops) if out else 0
    suits = (hand >> c.RANKS * suit & c.SUITS[0] for suit in range(4))
    return to_draw + sum(ranks.bit_count() - _tops(ranks, c.RANKS) for ranks in suits)


def _tops(ranks: int, size: int) -> int:
    """Return how many of the highest cards of a suit a hand holds without a gap."""
    return next(found for found in counting_up() if found == size or not ranks >> size - 1 - found & 1)


def poignee(hand: int, shown_again: int, sizes: tuple[int, ...]) -> tuple[Card, ...]:
    """Return the highest poignée that a hand can show; empty if it has too few trumps.

    It hides what it can: the petit first, then the highest trumps. The Excuse is shown only to reach a level, because
    it discloses that there is no other trump.
    """
    trumps = (hand | shown_again) & c.TRUMPS
    count = trumps.bit_count()
    level = max((size for size in sizes if size <= count), default=0)
    if hand >> c.EXCUSE & 1 and count + 1 in sizes:
        return c.cards_of(trumps | 1 << c.EXCUSE)
    petit = trumps & 1 << c.PETIT
    shown = list(c.numbers_of(trumps & ~petit))[:level]
    missing = petit if len(shown) < level else 0
    return c.cards_of(sum(1 << number for number in shown) | missing)
