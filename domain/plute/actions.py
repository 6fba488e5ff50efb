"""The actions of Plute."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from domain.field_types import Bounds, Omittable, doc
from domain.plute.deck import Card, TrumpSuit

BidPoints: TypeAlias = Annotated[int, Bounds(4, 7)]


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid how many of the seven points your team will win."""

    points: BidPoints = doc("How many points; more than every earlier bid.")


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass in the bidding."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick; the first card of a hand names trump."""

    card: Card = doc("The card played.")
    trump: Annotated[TrumpSuit | None, Omittable()] = doc(
        "The suit that a joker makes trump when it leads the first trick; left out with every card that names its own.",
        default=None,
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """Stop the hand, because its bid is decided and each team has taken a trick."""


Action: TypeAlias = Bid | Pass | Play | Claim

ACTIONS: Mapping[str, type] = {"bid": Bid, "pass": Pass, "play": Play, "claim": Claim}
