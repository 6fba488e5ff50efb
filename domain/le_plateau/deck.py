"""Decks and deals of Le Plateau: which cards are in play, and how many go where (rules.md, decks and deals)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from domain.cardplay.cards import EXCUSE, RANKS, SUITS, TAROT_PACK, TRUMP, TRUMPS, Card, Suit, rank_of
from domain.le_plateau.options import DeckSize, Edition, ExcuseRole

_TRUMP_EXCUSE: dict[Card, Suit | None] = {
    **{rank + suit: suit for suit in SUITS for rank in RANKS},
    **dict.fromkeys((*TRUMPS, EXCUSE), TRUMP),
}

SUIT_OF: Mapping[ExcuseRole, Mapping[Card, Suit | None]] = {
    "trump": _TRUMP_EXCUSE,
    "french": _TRUMP_EXCUSE | {EXCUSE: None},
}
"""The suit that a card counts as, by the role of the excuse: it is a trump, or (as in French Tarot) of no suit at all.

All that is special about the French excuse follows from that: a card of no suit can be played to any trick, sets no
suit, never wins, and claims its space for its player.
"""

STRENGTH: Mapping[Card, int] = {
    **{rank + suit: height for suit in SUITS for height, rank in enumerate(RANKS)},
    **{trump: height for height, trump in enumerate((*TRUMPS, EXCUSE))},
}
"""How high a card ranks within its suit: the excuse above all trumps."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a deck is dealt: cards in a hand, piles of two for each player, cards in the talon, tricks in a hand.

    ``exchange`` is the phase that begins when a bid with exchange wins; None where bids have no exchange.
    """

    deck: tuple[Card, ...]
    hand: int
    piles: int
    talon: int
    tricks: int
    exchange: Literal["exchange", "choose_talon", "give"] | None


@cache
def shape_for(seats: int, deck: DeckSize = "standard", edition: Edition = "2023") -> Shape:
    """Return the deck for a number of players, and how it is dealt."""
    cards = tuple(card for card in TAROT_PACK if not _REMOVED[seats, deck](card))
    return Shape(cards, *_WITHOUT_TALON if (seats, edition) == (6, "2022") else _SIZES[seats, deck])


def decks_for(seats: int) -> tuple[DeckSize, ...]:
    """List the decks that a number of players can play with."""
    return tuple(deck for number, deck in _SIZES if number == seats)


_Sizes: TypeAlias = tuple[int, int, int, int, Literal["exchange", "choose_talon", "give"] | None]
_SIZES: Mapping[tuple[int, DeckSize], _Sizes] = {
    (2, "standard"): (6, 5, 2, 16, "exchange"),
    (3, "standard"): (13, 0, 3, 13, "exchange"),
    (4, "standard"): (13, 0, 3, 13, "exchange"),
    (5, "standard"): (13, 0, 3, 13, "exchange"),
    (6, "standard"): (12, 0, 6, 13, "give"),
    (3, "full"): (17, 0, 3, 17, "exchange"),
    (4, "full"): (18, 0, 6, 18, "choose_talon"),
    (5, "full"): (15, 0, 3, 15, "exchange"),
}
_WITHOUT_TALON: _Sizes = (13, 0, 0, 13, None)
"""Six players in edition 2022."""


def _low(card: Card, suits: str, highest: int) -> bool:
    return _TRUMP_EXCUSE[card] in [*suits] and RANKS.index(rank_of(card)) < highest


_REMOVED: Mapping[tuple[int, DeckSize], Callable[[Card], bool]] = {
    (2, "standard"): lambda card: _low(card, "SHDC", 9) or card in TRUMPS[7:15],
    (3, "standard"): lambda card: _low(card, "SHDC", 9),
    (4, "standard"): lambda card: _low(card, "HDC", 6) or _low(card, "S", 5),
    (5, "standard"): lambda card: _low(card, "HD", 3) or _low(card, "SC", 2),
    (6, "standard"): lambda _card: False,
    (3, "full"): lambda card: _low(card, "SHDC", 6),
    (4, "full"): lambda _card: False,
    (5, "full"): lambda _card: False,
}
