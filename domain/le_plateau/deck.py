"""Decks and deals of Le Plateau: which cards play, and how many go where (rules.md, decks and deals)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from domain.cards import EXCUSE, RANKS, TAROT_PACK, TRUMPS, Card, Suit, rank_of

SUIT_OF: dict[Card, Suit] = {
    card: "T" if card in (*TRUMPS, EXCUSE) else card[-1]  # type: ignore[misc]
    for card in TAROT_PACK
}
"""Which suit a card counts as: the excuse is a trump."""

STRENGTH: dict[Card, int] = {
    card: len(TRUMPS) if card == EXCUSE else TRUMPS.index(card) if card in TRUMPS else RANKS.index(rank_of(card))
    for card in TAROT_PACK
}
"""How high a card ranks within its suit: the excuse above all trumps."""


@dataclass(frozen=True, slots=True)
class Deal:
    """How a deck is dealt: cards a hand, piles of two a player, cards in the talon, tricks in a hand."""

    deck: tuple[Card, ...]
    hand: int
    piles: int
    talon: int
    tricks: int


@cache
def deal_for(seats: int) -> Deal:
    """Give the deck and the deal for a number of players."""
    deck = tuple(card for card in TAROT_PACK if not _REMOVED[seats](card))
    return Deal(deck, *_SIZES[seats])


_SIZES = {2: (6, 5, 2, 16), 3: (13, 0, 3, 13), 4: (13, 0, 3, 13), 5: (13, 0, 3, 13), 6: (12, 0, 6, 13)}


def _low(card: Card, suits: str, highest: int) -> bool:
    return SUIT_OF[card] in suits and RANKS.index(rank_of(card)) < highest


_REMOVED: dict[int, Callable[[Card], bool]] = {
    2: lambda card: _low(card, "SHDC", 9) or card in TRUMPS[7:15],
    3: lambda card: _low(card, "SHDC", 9),
    4: lambda card: _low(card, "HDC", 6) or _low(card, "S", 5),
    5: lambda card: _low(card, "HD", 3) or _low(card, "SC", 2),
    6: lambda _card: False,
}
