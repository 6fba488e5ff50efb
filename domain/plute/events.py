"""What can happen in Plute: facts written out in full, and which seats can see which part (rules.md, events).

``seat`` is who acted. Only the hands dealt are secret.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.field_types import secret
from domain.plute.actions import BidPoints
from domain.plute.deck import Card, TableSeat, TrickCard, TrumpSuit

Team: TypeAlias = Literal["even", "odd"]
PhaseName: TypeAlias = Literal["deal", "bid", "play", "over"]
Point: TypeAlias = Literal["high", "low", "jack", "off_jack", "high_joker", "low_joker", "game"]
JokerName: TypeAlias = Literal["high", "low"]


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The cards dealt to one seat, in pack order."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A new hand: who deals, and where every card went."""

    hand_number: int
    dealer: TableSeat
    hands: tuple[DealtHand, ...]


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The hand enters a phase."""

    phase: PhaseName


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat bid."""

    seat: TableSeat
    points: BidPoints


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed."""

    seat: TableSeat


@dataclass(frozen=True)
class ContractWon:
    """The bidding is over; the highest bid is the contract of the bidder's team."""

    bidder: TableSeat
    team: Team
    points: BidPoints


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card."""

    seat: TableSeat
    card: Card


@dataclass(frozen=True, slots=True)
class TrumpNamed:
    """The first card of the hand named trump: its own suit, or the one declared with it."""

    seat: TableSeat
    trump: TrumpSuit


@dataclass(frozen=True, slots=True)
class JokerNamed:
    """A joker was played, and is the high or the low one for the rest of the hand."""

    seat: TableSeat
    card: Card
    name: JokerName


@dataclass(frozen=True)
class TrickWon:
    """A full trick, and who took it."""

    number: int
    winner: TableSeat
    team: Team
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True, slots=True)
class HandClaimed:
    """A seat claimed, rightly, that the bid is decided."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class HandStopped:
    """The hand ends after this many tricks, because its bid is decided."""

    tricks: int


@dataclass(frozen=True)
class PointsCounted:
    """The points that a team has won, and what its tricks count for Game."""

    team: Team
    points: tuple[Point, ...]
    game_value: int


@dataclass(frozen=True, slots=True)
class PluteMade:
    """A team took all the tricks of the hand."""

    team: Team


@dataclass(frozen=True, slots=True)
class BidMadeGood:
    """The bidding team won at least the points it had bid; ``made`` counts its made bids, this one included."""

    team: Team
    bid: BidPoints
    points: int
    made: int


@dataclass(frozen=True, slots=True)
class TeamSet:
    """The bidding team won fewer points than it had bid; ``set`` counts its sets, this one included."""

    team: Team
    bid: BidPoints
    points: int
    set_: int


_OfTheBidding: TypeAlias = HandDealt | PhaseBegan | BidMade | Passed | ContractWon
_OfThePlay: TypeAlias = CardPlayed | TrumpNamed | JokerNamed | TrickWon | HandClaimed | HandStopped
_OfTheEnd: TypeAlias = PointsCounted | PluteMade | BidMadeGood | TeamSet
Event: TypeAlias = _OfTheBidding | _OfThePlay | _OfTheEnd

EVENTS: Mapping[str, type] = {
    "hand_dealt": HandDealt,
    "phase_began": PhaseBegan,
    "bid_made": BidMade,
    "passed": Passed,
    "contract_won": ContractWon,
    "card_played": CardPlayed,
    "trump_named": TrumpNamed,
    "joker_named": JokerNamed,
    "trick_won": TrickWon,
    "hand_claimed": HandClaimed,
    "hand_stopped": HandStopped,
    "points_counted": PointsCounted,
    "plute_made": PluteMade,
    "bid_made_good": BidMadeGood,
    "team_set": TeamSet,
}
