"""The pack of Hearts: codes, suits, ranks and points (rules.md, sections 1 and 4)."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias, cast

from domain.cardplay.cards import SUITS, Suit, order_of, rank_of
from domain.field_types import Bounds, Pattern, Pick

TableSeat: TypeAlias = Annotated[int, Bounds(0, 3)]
CODES = "2S … 10S JS QS KS AS, 2H … AH, 2D … AD, 2C … AC"
Card: TypeAlias = Annotated[str, Pattern(r"(?:[2-9JQKA]|10)[SHDC]", "card", CODES), Pick("card")]

PLAYERS, TRICKS, PASSED = 4, 13, 3
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""The ranks of a suit, low to high."""
PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
in_pack_order = order_of(PACK)

TWO_OF_CLUBS: Card = "2C"
QUEEN_OF_SPADES: Card = "QS"
ALL_POINTS = 26

SUIT_OF: Mapping[Card, Suit] = {card: cast("Suit", card[-1]) for card in PACK}
STRENGTH: Mapping[Card, int] = {card: RANKS.index(rank_of(card)) for card in PACK}


def points_of(card: Card) -> int:
    """Return what a card counts against the player who takes it."""
    if card == QUEEN_OF_SPADES:
        return 13
    return 1 if SUIT_OF[card] == "H" else 0
