"""Cards as a deal places them, and as the end of a hand shows them: what events, states and views are made of."""

from dataclasses import dataclass

from domain.cardplay.cards import Card
from domain.field_types import secret
from domain.le_plateau.actions import TableSeat


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The cards dealt into one hand, in deck order."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class DealtPile:
    """A pile of two cards: the upper one face up, the lower one hidden from every seat."""

    top: Card
    under: Card = secret()


@dataclass(frozen=True, slots=True)
class DealtPiles:
    """The piles of one seat."""

    seat: TableSeat
    piles: tuple[DealtPile, ...]


@dataclass(frozen=True, slots=True)
class DealtTalon:
    """The cards set aside, in the order dealt."""

    count: int
    cards: tuple[Card, ...] = secret()


@dataclass(frozen=True)
class ShownHand:
    """Cards of one seat, shown at the end of a hand."""

    seat: TableSeat
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class ShownPile:
    """A pile as dealt, shown at the end of a hand."""

    top: Card
    under: Card


@dataclass(frozen=True)
class ShownPiles:
    """The piles of one seat as dealt, shown at the end of a hand."""

    seat: TableSeat
    piles: tuple[ShownPile, ...]


@dataclass(frozen=True, slots=True)
class ShownGift:
    """A card that was given, shown at the end of a hand."""

    from_: TableSeat
    to: TableSeat
    card: Card


@dataclass(frozen=True)
class ShownTalonCard:
    """A talon card that was dealt to a player, shown at the end of a hand."""

    to: TableSeat
    card: Card
