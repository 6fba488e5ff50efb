"""The pack of French Tarot: the suit, rank and worth of each card, and how it is dealt (rules.md, cards)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from domain.cardplay.cards import EXCUSE, RANKS, TAROT_PACK, TRUMPS, Card, Suit, rank_of
from domain.cardplay.tricks import SuitOf

PETIT: Card = "T1"
OUDLERS: tuple[Card, ...] = (PETIT, "T21", EXCUSE)
COURT_RANKS = ("R", "D", "C", "V")
"""Ranks with a face, high to low."""

_SUIT_OF: dict[Card, Suit | None] = {
    card: None if card == EXCUSE else "T" if card in TRUMPS else card[-1]  # type: ignore[misc]
    for card in TAROT_PACK
}
_SUIT_OF_IMPRENABLE = _SUIT_OF | {PETIT: None}


def suits(*, imprenable: bool) -> SuitOf:
    """Return the suit of each card: none for the Excuse, nor for a petit that is played as a second Excuse."""
    return _SUIT_OF_IMPRENABLE if imprenable else _SUIT_OF


STRENGTH: Mapping[Card, int] = {
    card: 0 if card == EXCUSE else TRUMPS.index(card) if card in TRUMPS else RANKS.index(rank_of(card))
    for card in TAROT_PACK
}
"""How high a card ranks within its suit; the Excuse has none."""

_WORTH = {"R": 9, "D": 7, "C": 5, "V": 3}
HALF_POINTS: Mapping[Card, int] = {
    card: 9 if card in OUDLERS else 1 if card in TRUMPS else _WORTH.get(rank_of(card), 1) for card in TAROT_PACK
}
"""What a card is worth, in half points."""


def half_points(cards: Iterable[Card]) -> int:
    """Return what cards are worth together, in half points."""
    return sum(HALF_POINTS[card] for card in cards)


def as_written(halves: int) -> str:
    """Write half points as a decimal: 83 is 41.5."""
    sign = "-" if halves < 0 else ""
    return f"{sign}{abs(halves) // 2}{'.5' if halves % 2 else ''}"


def is_trump(card: Card) -> bool:
    """Return whether a card is one of the 21 trumps; the Excuse is not."""
    return card in _TRUMPS


def is_king(card: Card) -> bool:
    """Return whether a card is a king."""
    return card[0] == "R"


def is_free(card: Card) -> bool:
    """Return whether a card can always be laid aside: it is not a king, a trump or the Excuse."""
    return not is_trump(card) and not is_king(card) and card != EXCUSE


def is_petit_sec(hand: Iterable[Card]) -> bool:
    """Return whether the petit is the only trump of a hand without the Excuse."""
    return [card for card in hand if is_trump(card) or card == EXCUSE] == [PETIT]


_TRUMPS = frozenset(TRUMPS)


@dataclass(frozen=True, slots=True)
class Shape:
    """How the pack is dealt: cards a hand, cards in the chien, and the sizes of the three poignées."""

    hand: int
    chien: int
    poignees: tuple[int, int, int]


SHAPES: Mapping[int, Shape] = {
    3: Shape(24, 6, (13, 15, 18)),
    4: Shape(18, 6, (10, 13, 15)),
    5: Shape(15, 3, (8, 10, 13)),
}
"""The deal for a number of players who play it."""
