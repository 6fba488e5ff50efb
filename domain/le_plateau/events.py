"""What can happen in Le Plateau: facts written out in full, and who may see which part (rules.md, events).

``seat`` is who acted. Fields declared ``secret`` are sealed for everyone but the seats named.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.cardplay.cards import Card
from domain.cardplay.tricks import TrickCard
from domain.field_types import Omittable, secret
from domain.le_plateau.actions import TableSeat, Team
from domain.le_plateau.board import Objective, Space

Side: TypeAlias = Literal["declarer", "opposing"]
Phase: TypeAlias = Literal["deal", "bid", "exchange", "give", "choose_talon", "announce", "raise", "play", "over"]


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The cards dealt into one hand, in deck order."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class DealtPile:
    """A pile of two cards: the upper one turned up, the lower one unknown to everyone."""

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


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A new hand: who deals, how the board lies, and where every card went."""

    hand_number: int
    deal_number: int
    dealer: TableSeat
    board: tuple[Space, ...]
    hands: tuple[DealtHand, ...]
    piles: tuple[DealtPiles, ...]
    talon: DealtTalon


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The hand enters a phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat bid; ``exchange`` is left out where a bid has no such part."""

    seat: TableSeat
    exchange: Annotated[bool | None, Omittable()]
    objective: Objective
    team: Team
    value: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed, and is out of the bidding."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class ContractWon:
    """The bidding is over; the highest bid is the contract."""

    declarer: TableSeat
    exchange: bool
    objective: Objective
    team: Team
    value: int


@dataclass(frozen=True, slots=True)
class HandPassedOut:
    """Every seat passed."""


@dataclass(frozen=True, slots=True)
class TalonTurned:
    """The talon was turned face up in two groups (4 players, full deck)."""

    groups: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class TalonGroupChosen:
    """The declarer chose a group of the talon to exchange with; the other stays face up."""

    seat: TableSeat
    group: int


@dataclass(frozen=True, slots=True)
class TalonTaken:
    """The declarer took cards from the talon into the hand."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """The declarer laid cards aside, face down."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class CardGiven:
    """The declarer gave a card, face down (6 players)."""

    seat: TableSeat
    to: TableSeat
    card: Card = secret("seat", "to")


@dataclass(frozen=True, slots=True)
class TalonCardDealt:
    """A talon card was dealt to a player (6 players)."""

    to: TableSeat
    card: Card = secret("to")


@dataclass(frozen=True, slots=True)
class CardAnnounced:
    """The declarer announced a card, to find a partner."""

    seat: TableSeat
    card: Card


@dataclass(frozen=True, slots=True)
class AnnouncementAnswered:
    """The holder of an announced card said so, or nobody did."""

    card: Card
    holder: TableSeat | None


@dataclass(frozen=True, slots=True)
class PartnerFound:
    """The holder of an announced card joined the declarer's team."""

    partner: TableSeat


@dataclass(frozen=True, slots=True)
class ObjectiveRaised:
    """A seat raised the objective."""

    seat: TableSeat
    objective: Objective
    value: int


@dataclass(frozen=True, slots=True)
class ObjectiveKept:
    """A seat left the objective as it is."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class DeclarerAbdicated:
    """The declarer and the partner changed roles, for scoring."""

    seat: TableSeat
    declarer: TableSeat
    partner: TableSeat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card, from the hand (``pile`` is null) or from the top of one of its piles."""

    seat: TableSeat
    card: Card
    pile: int | None


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A full trick, and who took it."""

    number: int
    winner: TableSeat
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True, slots=True)
class CountersPlaced:
    """A team claimed spaces of the board, named in ring order."""

    team: Side
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class PileCardTurned:
    """The lower card of a pile was turned up (2 players)."""

    owner: TableSeat
    pile: int
    card: Card


@dataclass(frozen=True, slots=True)
class DiscardRevealed:
    """After the last trick the discard was turned face up."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TalonRevealed:
    """After the last trick the talon was turned face up."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandWon:
    """The declarer's team made the objective (``path`` is the group, in ring order), or could not any more."""

    by: Side
    objective: Objective
    path: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """Cards of one seat, shown at the end of a hand."""

    seat: TableSeat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ShownPile:
    """A pile as dealt, shown at the end of a hand."""

    top: Card
    under: Card


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class ShownTalonCard:
    """A talon card that was dealt to a player, shown at the end of a hand."""

    to: TableSeat
    card: Card


@dataclass(frozen=True, slots=True)
class HandRevealed:
    """Everything of the hand made public: the deal, the exchange, and the cards left unplayed or unturned."""

    dealt: tuple[ShownHand, ...]
    piles: tuple[ShownPiles, ...]
    talon: tuple[Card, ...]
    taken: tuple[Card, ...]
    discard: tuple[Card, ...]
    gifts: tuple[ShownGift, ...]
    talon_dealt: tuple[ShownTalonCard, ...]
    unplayed: tuple[ShownHand, ...]
    unturned: tuple[ShownHand, ...]


@dataclass(frozen=True, slots=True)
class StopAgreed:
    """Every seat agreed that this hand is the last."""


@dataclass(frozen=True, slots=True)
class HandScored:
    """What the hand was worth, and what each seat won or lost by it."""

    value: int
    scores: tuple[int, ...]


EVENTS: Mapping[str, type] = {
    "hand_dealt": HandDealt,
    "phase_began": PhaseBegan,
    "bid_made": BidMade,
    "passed": Passed,
    "contract_won": ContractWon,
    "hand_passed_out": HandPassedOut,
    "talon_turned": TalonTurned,
    "talon_group_chosen": TalonGroupChosen,
    "talon_taken": TalonTaken,
    "cards_discarded": CardsDiscarded,
    "card_given": CardGiven,
    "talon_card_dealt": TalonCardDealt,
    "card_announced": CardAnnounced,
    "announcement_answered": AnnouncementAnswered,
    "partner_found": PartnerFound,
    "objective_raised": ObjectiveRaised,
    "objective_kept": ObjectiveKept,
    "declarer_abdicated": DeclarerAbdicated,
    "card_played": CardPlayed,
    "trick_won": TrickWon,
    "counters_placed": CountersPlaced,
    "pile_card_turned": PileCardTurned,
    "discard_revealed": DiscardRevealed,
    "talon_revealed": TalonRevealed,
    "hand_won": HandWon,
    "hand_revealed": HandRevealed,
    "hand_scored": HandScored,
    "stop_agreed": StopAgreed,
}
