"""Card codes, the 78-card tarot pack, hands of cards, and questions that all card games ask about a card.

A suit card is rank then suit (``RH``, ``10S``); trumps are ``T1`` … ``T21``; the excuse is ``EX``.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Annotated, Literal, TypeAlias, get_args

from domain.field_types import Pattern, Pick
from domain.recording import replaced
from domain.table import Seat

CODES = "1S … 10S VS CS DS RS, 1H … RH, 1D … RD, 1C … RC, T1 … T21, EX"
Card: TypeAlias = Annotated[
    str, Pattern(r"(?:[RDCV1-9]|10)[SHDC]|T(?:1[0-9]?|2[01]?|[3-9])|EX", "card", CODES), Pick("card")
]
Hands: TypeAlias = tuple[tuple[Card, ...], ...]
"""The cards that each seat holds."""
Suit = Literal["S", "H", "D", "C", "T"]
"""A suit that a card can count as; ``T`` is the trump suit."""

SUITS: tuple[Suit, ...] = get_args(Suit)[:4]
TRUMP: Suit = "T"
RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R")
"""The ranks of a suit, low to high: valet, cavalier, dame, roi above the ten."""
COURTS = ("J", "Q", "K", "A")
"""The ranks of the French pack that the tarot pack lacks."""
EXCUSE: Card = "EX"
TRUMPS: tuple[Card, ...] = tuple(f"T{n}" for n in range(1, 22))

TAROT_PACK: tuple[Card, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), *TRUMPS, EXCUSE)
"""All 78 cards in deck order: S, H, D, C, each 1 … R, then T1 … T21, then the excuse."""


def order_of(pack: Sequence[Card]) -> Callable[[Iterable[Card]], tuple[Card, ...]]:
    """Return the function that sorts cards as an unshuffled pack has them."""
    place = {card: number for number, card in enumerate(pack)}
    return lambda cards: tuple(sorted(cards, key=place.__getitem__))


in_deck_order = order_of(TAROT_PACK)


def without(hands: Hands, seat: Seat, cards: Collection[Card]) -> Hands:
    """Return the hands, one of them without some cards."""
    return replaced(hands, seat, tuple([card for card in hands[seat] if card not in cards]))


def rank_of(card: Card) -> str:
    """Return the rank of a suit card."""
    return card[:-1]


def is_of_a_suit(code: str) -> bool:
    """Return whether a code is a card of the tarot pack or the French pack that has one of the four suits."""
    return code[-1:] in SUITS and code[:-1] in (*RANKS, *COURTS)
