"""The events of French Tarot: facts written out in full, and who can see which part (rules.md, events).

``seat`` is the seat that acted. Fields declared ``secret`` are sealed for all but the seats named. No event shows who
the partner is before the called card falls. Events that a view holds have no slots (``Ruleset.view``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.cardplay.cards import Card
from domain.cardplay.tricks import TrickCard
from domain.field_types import secret
from domain.french_tarot.actions import ContractName, Misere, TableSeat
from domain.french_tarot.calculation import Calculation, Level, Side

PhaseName: TypeAlias = Literal["deal", "bid", "call", "discard", "slam", "poignee", "play", "over"]


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The cards dealt into one hand, in deck order."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class DealtChien:
    """The cards of the chien, in deck order."""

    count: int
    cards: tuple[Card, ...] = secret()


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """A new deal: the dealer, the players (in turn, the first to bid first), and where every card went."""

    deal_number: int
    dealer: TableSeat
    players: tuple[TableSeat, ...]
    hands: tuple[DealtHand, ...]
    chien: DealtChien


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The deal enters a phase."""

    phase: PhaseName


@dataclass(frozen=True, slots=True)
class PetitSecShown:
    """A hand with the petit as its only trump was shown, as the rules require."""

    holder: TableSeat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PetitImprenableDeclared:
    """A seat was dealt the petit as its only trump and plays it as a second Excuse."""

    holder: TableSeat


ThrownInReason: TypeAlias = Literal["petit_sec", "all_passed"]


@dataclass(frozen=True, slots=True)
class DealThrownIn:
    """The deal is not played; the next cards are dealt."""

    reason: ThrownInReason


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat bid."""

    seat: TableSeat
    contract: ContractName


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed in the bidding."""

    seat: TableSeat


@dataclass(frozen=True)
class ContractWon:
    """The bidding is over: what the taker, the highest bidder, plays for."""

    taker: TableSeat
    contract: ContractName
    multiplier: int


@dataclass(frozen=True, slots=True)
class CardCalled:
    """The taker called a card; its holder is secretly the partner (5 players)."""

    seat: TableSeat
    card: Card


@dataclass(frozen=True, slots=True)
class PartnerRevealed:
    """The called card came to light: its holder is the partner; null if the taker plays alone."""

    card: Card
    partner: TableSeat | None


@dataclass(frozen=True, slots=True)
class ChienTurned:
    """The chien was turned face up, and the taker took it into the hand."""

    taker: TableSeat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """The taker laid cards aside, face down: the écart."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class TrumpsShown:
    """The taker had to lay trumps aside and showed them."""

    taker: TableSeat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SlamAnnounced:
    """The taker announced that the attack will win every trick, and leads the first one."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class PetitChelemAnnounced:
    """The taker announced that the attack will win every trick but one."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class SlamDeclined:
    """The taker announced no slam."""

    seat: TableSeat


@dataclass(frozen=True)
class PoigneeShown:
    """A seat showed trumps, and perhaps the Excuse, in deck order."""

    seat: TableSeat
    level: Level
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PoigneeDeclined:
    """A seat showed no poignée before the first lead."""

    seat: TableSeat


@dataclass(frozen=True)
class MisereAnnounced:
    """A seat announced a hand without trumps, or without court cards."""

    seat: TableSeat
    kind: Misere


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card."""

    seat: TableSeat
    card: Card


@dataclass(frozen=True)
class TrickWon:
    """A full trick, and its winner."""

    number: int
    winner: TableSeat
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True, slots=True)
class ExcuseKept:
    """The Excuse (or a petit played like it) lost its trick and stays with the side of its player.

    If the other side won the trick, it receives half a point for the Excuse when the deal is counted.
    """

    card: Card
    player: TableSeat


@dataclass(frozen=True, slots=True)
class ExcuseSettled:
    """An Excuse was played to the last trick; ``owner`` is the side that has it in the end."""

    card: Card
    player: TableSeat
    owner: Side


@dataclass(frozen=True)
class ShownHand:
    """Cards of one seat, shown at the end of a deal."""

    seat: TableSeat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealRevealed:
    """Everything of the deal made public: the partner, the hands as dealt, the chien and the écart."""

    partner: TableSeat | None
    dealt: tuple[ShownHand, ...]
    chien: tuple[Card, ...]
    ecart: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealScored:
    """What each seat won or lost in the deal, and the calculation."""

    calculation: Calculation
    scores: tuple[int, ...]


_OfTheDeal: TypeAlias = CardsDealt | PhaseBegan | PetitSecShown | PetitImprenableDeclared | DealThrownIn
_OfTheBidding: TypeAlias = BidMade | Passed | ContractWon | CardCalled | PartnerRevealed
_OfTheChien: TypeAlias = ChienTurned | CardsDiscarded | TrumpsShown
_OfASlam: TypeAlias = SlamAnnounced | PetitChelemAnnounced | SlamDeclined
_OfAHand: TypeAlias = PoigneeShown | PoigneeDeclined | MisereAnnounced
_OfThePlay: TypeAlias = CardPlayed | TrickWon | ExcuseKept | ExcuseSettled | DealRevealed | DealScored
Event: TypeAlias = _OfTheDeal | _OfTheBidding | _OfTheChien | _OfASlam | _OfAHand | _OfThePlay

EVENTS: Mapping[str, type] = {
    "cards_dealt": CardsDealt,
    "phase_began": PhaseBegan,
    "petit_sec_shown": PetitSecShown,
    "petit_imprenable_declared": PetitImprenableDeclared,
    "deal_thrown_in": DealThrownIn,
    "bid_made": BidMade,
    "passed": Passed,
    "contract_won": ContractWon,
    "card_called": CardCalled,
    "partner_revealed": PartnerRevealed,
    "chien_turned": ChienTurned,
    "cards_discarded": CardsDiscarded,
    "trumps_shown": TrumpsShown,
    "slam_announced": SlamAnnounced,
    "petit_chelem_announced": PetitChelemAnnounced,
    "slam_declined": SlamDeclined,
    "poignee_shown": PoigneeShown,
    "poignee_declined": PoigneeDeclined,
    "misere_announced": MisereAnnounced,
    "card_played": CardPlayed,
    "trick_won": TrickWon,
    "excuse_kept": ExcuseKept,
    "excuse_settled": ExcuseSettled,
    "deal_revealed": DealRevealed,
    "deal_scored": DealScored,
}
