"""Options, actions and events of Hearts (rules.md). Hidden are the hands dealt, and the cards passed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from domain.field_types import Bounds, doc, secret
from domain.options import Choice, OptionRules
from hearts.deck import PLAYERS, Card, TableSeat

Direction: TypeAlias = Literal["left", "right", "across", "none"]
"""To whom a hand is passed."""
Passing: TypeAlias = Literal["rotate", "left", "none"]


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out."""

    limit: Annotated[int, Bounds(25, 100)] = doc("The score that ends the game.", default=100)
    passing: Passing = doc("To whom three cards are passed.", default="rotate")
    shoot_the_moon: bool = doc("Whether a player who takes all points gives them to the others.", default=True)
    points_in_first_trick: bool = doc("Whether points can be played to the first trick.", default=False)
    queen_breaks_hearts: bool = doc("Whether the queen of spades breaks hearts, too.", default=False)


def choices(_seats: int) -> Mapping[str, Choice]:
    """List the possible values of each option; all combinations are allowed."""
    return {
        "limit": Choice((25, 50, 75, 100), 100),
        "passing": Choice(get_args(Passing), "rotate"),
        "shoot_the_moon": Choice((False, True), default=True),
        "points_in_first_trick": Choice((False, True), default=False),
        "queen_breaks_hearts": Choice((False, True), default=False),
    }


OPTION_RULES = OptionRules(Options, range(PLAYERS, PLAYERS + 1), choices, package=__package__)


@dataclass(frozen=True, slots=True)
class Pass:
    """Choose the cards to pass."""

    cards: tuple[Card, ...] = doc("Three cards of the hand, in any order.")


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick."""

    card: Card = doc("The card played.")


Action: TypeAlias = Pass | Play
ACTIONS: Mapping[str, type] = {"pass": Pass, "play": Play}


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The cards dealt to one seat, in pack order."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A new hand: who deals, to whom three cards are passed, and where every card went."""

    hand_number: int
    dealer: TableSeat
    direction: Direction
    hands: tuple[DealtHand, ...]


@dataclass(frozen=True, slots=True)
class CardsChosen:
    """A seat laid the cards that it passes face down."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class PassedCards:
    """The cards that went from one seat to another, in pack order."""

    giver: TableSeat
    receiver: TableSeat
    count: int
    cards: tuple[Card, ...] = secret("giver", "receiver")


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """All have chosen: the cards change hands."""

    passes: tuple[PassedCards, ...]


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """The play begins: who holds the two of clubs, and so leads it."""

    leader: TableSeat
    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card."""

    seat: TableSeat
    card: Card


@dataclass(frozen=True, slots=True)
class HeartsBroken:
    """From the next trick on, hearts can be led."""

    trick: int


@dataclass(frozen=True)  # no slots, since views hold many (Ruleset.view)
class TrickCard:
    """A card on the table, and the seat that played it."""

    seat: TableSeat
    card: Card


@dataclass(frozen=True)
class TrickTaken:
    """A full trick, who took it, and its points."""

    number: int
    winner: TableSeat
    points: int
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True)
class HandScored:
    """The end of a hand: the points that each seat took, what that did to its score, and the scores since."""

    hand_number: int
    taken: tuple[int, ...]
    shooter: TableSeat | None
    scores: tuple[int, ...]
    totals: tuple[int, ...]


_Shown: TypeAlias = PlayBegan | CardPlayed | HeartsBroken | TrickTaken | HandScored
Event: TypeAlias = HandDealt | CardsChosen | CardsPassed | _Shown
EVENTS: Mapping[str, type] = {
    "hand_dealt": HandDealt,
    "cards_chosen": CardsChosen,
    "cards_passed": CardsPassed,
    "play_began": PlayBegan,
    "card_played": CardPlayed,
    "hearts_broken": HeartsBroken,
    "trick_taken": TrickTaken,
    "hand_scored": HandScored,
}
