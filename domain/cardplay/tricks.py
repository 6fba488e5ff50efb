"""Tricks: following suit and winning, with any pack.

A game passes ``suit_of`` (the suit that a card counts as) and ``strength`` (how high it ranks within that suit) as
tables, so nothing here depends on a pack. A card that counts as no suit (None) can be played to any trick, sets no suit
when it is led, and never wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from domain.cardplay.cards import Card, Suit
from domain.table import Seat

SuitOf: TypeAlias = Mapping[Card, Suit | None]


@dataclass(frozen=True)  # no slots, since views hold many (Ruleset.view)
class TrickCard:
    """A tarot card on the table, and the seat that played it."""

    seat: Seat
    card: Card


class Played(Protocol):
    """A card of any pack on the table, and the seat that played it."""

    @property
    def seat(self) -> Seat:
        """Return the seat."""

    @property
    def card(self) -> Card:
        """Return the card."""


def suit_setter(trick: Iterable[Played], suit_of: SuitOf) -> Card | None:
    """Return the card whose suit must be followed: the first one that has a suit; None if there is none yet."""
    for played in trick:
        if suit_of[played.card] is not None:
            return played.card
    return None


def following(hand: Iterable[Card], led: Suit | None, suit_of: SuitOf, trump: Suit) -> tuple[Card, ...]:
    """Return the cards that can be played: the suit led, else trumps, else any; any if no suit is led yet."""
    hand = tuple(hand)
    if led is None:
        return hand
    same = [card for card in hand if suit_of[card] == led] or [card for card in hand if suit_of[card] == trump]
    return (*same, *[card for card in hand if suit_of[card] is None]) if same else hand


def winning_so_far(trick: Sequence[Played], suit_of: SuitOf, strength: Mapping[Card, int], trump: Suit) -> Seat | None:
    """Return the seat that would win a trick as it is; None while no card of a suit is on the table."""
    return trick_winner(trick, suit_of, strength, trump) if suit_setter(trick, suit_of) else None


def trick_winner(trick: Sequence[Played], suit_of: SuitOf, strength: Mapping[Card, int], trump: Suit) -> Seat:
    """Return the seat that wins a full trick: by the highest trump, else by the highest card of the suit led."""
    setter = suit_setter(trick, suit_of)
    led = suit_of[setter] if setter else None
    winning = trump if any(suit_of[played.card] == trump for played in trick) else led
    fitting = (played for played in trick if suit_of[played.card] == winning)
    return max(fitting, key=lambda played: strength[played.card]).seat
