"""The pack of Plute, what a card counts as once trump is named, and how high it is (rules.md, cards).

A suit card is rank then suit (``JD``, ``10S``); the jokers are ``X1`` and ``X2``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, TypeAlias, cast, get_args

from domain.cardplay.cards import TRUMP, Suit, order_of, rank_of
from domain.field_types import Bounds, Pattern, Pick

TableSeat: TypeAlias = Annotated[int, Bounds(0, 5)]
CODES = "2S … 10S JS QS KS AS, 2H … AH, 2D … AD, 2C … AC, X1, X2"
Card: TypeAlias = Annotated[str, Pattern(r"(?:[2-9JQKA]|10)[SHDC]|X[12]", "card", CODES), Pick("card")]
TrumpSuit: TypeAlias = Literal["S", "H", "D", "C"]

TRUMP_SUITS: tuple[TrumpSuit, ...] = get_args(TrumpSuit)
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""The ranks of a suit, low to high."""
JOKERS: tuple[Card, Card] = ("X1", "X2")
PACK: tuple[Card, ...] = (*(rank + suit for suit in TRUMP_SUITS for rank in RANKS), *JOKERS)
"""All 54 cards in pack order: S, H, D, C, each 2 … A, then the jokers."""
in_pack_order = order_of(PACK)
PLAYERS, TRICKS = 6, 9
PACKET = 3
"""How many cards are dealt at a time."""

GAME_VALUES: Mapping[str, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""What a card of a rank counts for Game; all others, and the jokers, count nothing."""

_SAME_COLOUR: Mapping[TrumpSuit, TrumpSuit] = {"S": "C", "C": "S", "H": "D", "D": "H"}
_GAME_VALUE_OF = {card: 0 if card in JOKERS else GAME_VALUES.get(rank_of(card), 0) for card in PACK}


@dataclass(frozen=True)
class TrickCard:
    """A card on the table, and the seat that played it."""

    seat: TableSeat
    card: Card


def printed_suit(card: Card) -> TrumpSuit:
    """Return the suit printed on a suit card."""
    return cast("TrumpSuit", card[-1])


def same_colour(suit: TrumpSuit) -> TrumpSuit:
    """Return the other suit of the same colour."""
    return _SAME_COLOUR[suit]


def off_jack(trump: TrumpSuit) -> Card:
    """Return the jack that becomes a trump: of the other suit of the same colour."""
    return f"J{_SAME_COLOUR[trump]}"


def suit_of(card: Card, trump: TrumpSuit) -> Suit:
    """Return the suit that a card counts as: the trumps, with the off-jack and the jokers, are a suit of their own."""
    if card in JOKERS or card == off_jack(trump):
        return TRUMP
    return TRUMP if printed_suit(card) == trump else printed_suit(card)


def strength_of(card: Card, trump: TrumpSuit, high_joker: Card | None) -> int:
    """Return how high a card ranks within the suit it counts as: the jokers lowest, the off-jack below the jack."""
    if card in JOKERS:
        return 1 if card == high_joker else 0
    return 2 + 2 * RANKS.index(rank_of(card)) - (card == off_jack(trump))


@cache
def suits(trump: TrumpSuit) -> Mapping[Card, Suit]:
    """Tabulate ``suit_of``."""
    return {card: suit_of(card, trump) for card in PACK}


@cache
def strengths(trump: TrumpSuit, high_joker: Card | None) -> Mapping[Card, int]:
    """Tabulate ``strength_of``."""
    return {card: strength_of(card, trump, high_joker) for card in PACK}


def game_value(card: Card) -> int:
    """Return what a card counts for Game."""
    return _GAME_VALUE_OF[card]
