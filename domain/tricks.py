"""Tricks: following suit and winning, for every game that asks its own two questions of a card.

The games pass ``suit_of`` (which suit does this card count as) and ``strength`` (how high does it rank within that
suit) as tables; nothing here knows a deck.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from domain.cards import Card, Suit
from domain.ruleset import Seat


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card on the table, and who played it."""

    seat: Seat
    card: Card


def following(hand: Iterable[Card], led: Suit | None, suit_of: Mapping[Card, Suit], trump: Suit) -> tuple[Card, ...]:
    """Give the cards that may be played: the suit led, else trumps, else any; any to lead."""
    hand = tuple(hand)
    if led is None:
        return hand
    same = tuple(card for card in hand if suit_of[card] == led)
    return same or tuple(card for card in hand if suit_of[card] == trump) or hand


def trick_winner(
    trick: Sequence[TrickCard], suit_of: Mapping[Card, Suit], strength: Mapping[Card, int], trump: Suit
) -> Seat:
    """Say who wins a full trick: the highest trump, else the highest card of the suit led."""
    led = suit_of[trick[0].card]
    winning = trump if any(suit_of[played.card] == trump for played in trick) else led
    return max(
        (played for played in trick if suit_of[played.card] == winning),
        key=lambda played: strength[played.card],
    ).seat
