"""Tricks and turns, with any pack: following suit and winning, who bids next, and who plays next.

A game passes ``suit_of`` (the suit that a card counts as) and ``strength`` (how high it ranks within that suit) as
tables, so nothing here depends on a pack. A card that counts as no suit (None) can be played to any trick, sets no suit
when it is led, and never wins.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
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


def only(seat: Seat | None) -> frozenset[Seat]:
    """Return one seat as a set; the empty set for None."""
    return frozenset() if seat is None else frozenset({seat})


def next_bidder(players: Sequence[Seat], spoken: Sequence[Seat], passed: Collection[Seat]) -> Seat | None:
    """Return the next player who has not passed; None once no player, or only the highest bidder, is left.

    ``players`` begin with the one who speaks first; ``spoken`` are the seats that have spoken so far, in order.
    """
    after_last = players.index(spoken[-1]) + 1 if spoken else 0
    still_in = [seat for seat in (*players[after_last:], *players[:after_last]) if seat not in passed]
    if not still_in or (len(still_in) == 1 and still_in[0] in spoken):
        return None
    return still_in[0]


def next_to_play(players: Sequence[Seat], leader: Seat, trick: Sized) -> Seat | None:
    """Return the next of the players, who are in turn, to a trick with such a leader; None once the trick is full."""
    return None if len(trick) == len(players) else players[(players.index(leader) + len(trick)) % len(players)]
