"""Tricks: following suit and winning, for every game that asks its own two questions of a card.

The games pass ``suit_of`` (which suit does this card count as) and ``strength`` (how high does it rank within that
suit) as tables; nothing here knows a deck. A card that counts as no suit (None) may be played to any trick, sets no
suit when it is led, and never wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from domain.cardplay.cards import Card, Suit
from domain.table import Seat

SuitOf = Mapping[Card, Suit | None]


@dataclass(frozen=True)  # no slots: views hold many, and orjson writes them seven times as fast
class TrickCard:
    """A tarot card on the table, and the seat that played it."""

    seat: Seat
    card: Card


def suit_setter(trick: Sequence[TrickCard], suit_of: SuitOf) -> Card | None:
    """Give the card whose suit must be followed: the first that has one; None while there is none."""
    for played in trick:
        if suit_of[played.card] is not None:
            return played.card
    return None


def following(hand: Iterable[Card], led: Suit | None, suit_of: SuitOf, trump: Suit) -> tuple[Card, ...]:
    """Give the cards that may be played: the suit led, else trumps, else any; any if no suit is led yet."""
    hand = tuple(hand)
    if led is None:
        return hand
    same = [card for card in hand if suit_of[card] == led] or [card for card in hand if suit_of[card] == trump]
    return (*same, *[card for card in hand if suit_of[card] is None]) if same else hand


def trick_winner(trick: Sequence[TrickCard], suit_of: SuitOf, strength: Mapping[Card, int], trump: Suit) -> Seat:
    """Say who wins a full trick: the highest trump, else the highest card of the suit led."""
    setter = suit_setter(trick, suit_of)
    led = suit_of[setter] if setter else None
    winning = trump if any(suit_of[played.card] == trump for played in trick) else led
    return max(
        (played for played in trick if suit_of[played.card] == winning),
        key=lambda played: strength[played.card],
    ).seat
