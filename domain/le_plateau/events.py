"""What can happen in Le Plateau: facts written out in full, and who can see which part (rules.md, events).

``seat`` is the seat that acted. Fields declared ``secret`` are sealed for every seat but those named.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.cardplay.cards import Card
from domain.cardplay.tricks import TrickCard
from domain.field_types import Omittable, secret
from domain.le_plateau.actions import TableSeat, TeamSize
from domain.le_plateau.board import Objective, Space
from domain.le_plateau.dealt import DealtHand, DealtPiles, DealtTalon, ShownGift, ShownHand, ShownPiles, ShownTalonCard

Side: TypeAlias = Literal["declarer", "opposing"]
PhaseName: TypeAlias = Literal["deal", "bid", "exchange", "give", "choose_talon", "announce", "raise", "play", "over"]


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A new hand: the dealer, the tokens of the board, and the place of every card."""

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

    phase: PhaseName


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat bid; ``exchange`` is left out where a bid has no such part."""

    seat: TableSeat
    exchange: Annotated[bool | None, Omittable()]
    objective: Objective
    team: TeamSize
    value: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed and is out of the bidding."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class ContractWon:
    """The bidding is over; the highest bid is the contract."""

    declarer: TableSeat
    exchange: bool
    objective: Objective
    team: TeamSize
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
    """The declarer chose a group of the talon to exchange with; the other group stays face up."""

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
    """The declarer discarded cards, face down."""

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
    """The holder of an announced card showed up; ``holder`` is null if no hand has the card."""

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
    """The declarer and the partner swapped roles for scoring."""

    seat: TableSeat
    declarer: TableSeat
    partner: TableSeat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card, from the hand (``pile`` is null) or from the top of one of its piles."""

    seat: TableSeat
    card: Card
    pile: int | None


@dataclass(frozen=True)
class TrickWon:
    """A finished trick."""

    number: int
    winner: TableSeat
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True, slots=True)
class CountersPlaced:
    """A side claimed spaces of the board, listed in ring order."""

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
    """The discard was turned face up after the last trick."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TalonRevealed:
    """The talon was turned face up after the last trick."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandWon:
    """A side won the hand: the objective was made (``path`` is the group, in ring order) or became impossible."""

    by: Side
    objective: Objective
    path: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class HandRevealed:
    """The whole hand became public: the deal, the exchange, and the cards left unplayed or unturned."""

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
    """Every player agreed that this hand is the last."""


@dataclass(frozen=True, slots=True)
class HandScored:
    """The value of the hand, and the points that each seat won or lost."""

    value: int
    scores: tuple[int, ...]


_Deal: TypeAlias = HandDealt | PhaseBegan
_Bidding: TypeAlias = BidMade | Passed | ContractWon | HandPassedOut
_Exchange: TypeAlias = TalonTurned | TalonGroupChosen | TalonTaken | CardsDiscarded | CardGiven | TalonCardDealt
_Partners: TypeAlias = CardAnnounced | AnnouncementAnswered | PartnerFound
_Raising: TypeAlias = ObjectiveRaised | ObjectiveKept | DeclarerAbdicated
_Play: TypeAlias = CardPlayed | TrickWon | CountersPlaced | PileCardTurned | DiscardRevealed | TalonRevealed
_End: TypeAlias = HandWon | HandRevealed | HandScored | StopAgreed
Event: TypeAlias = _Deal | _Bidding | _Exchange | _Partners | _Raising | _Play | _End

EVENTS: Mapping[str, type[Event]] = {
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
