"""What a seat can do in Le Plateau."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.cardplay.cards import Card
from domain.field_types import Bounds, Omittable, Pick, doc
from domain.le_plateau.board import Objective

TeamSize: TypeAlias = Literal["solo", "duo", "trio"]
TableSeat: TypeAlias = Annotated[int, Bounds(0, 5), Pick("seat")]


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid a contract that is worth more than every earlier bid."""

    exchange: Annotated[bool | None, Omittable()] = doc(
        "Whether to exchange cards with the talon; left out where a bid has no such part (6 players, edition 2022)."
    )
    objective: Objective = doc("The formation to make.")
    team: TeamSize = doc("The team to play in; always solo with 2 or 3 players.")


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass in the bidding, permanently."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Discard as many cards as were taken from the talon."""

    discard: tuple[Card, ...] = doc("The cards to lay aside, in any order.")


@dataclass(frozen=True, slots=True)
class Gift:
    """One card for another seat."""

    seat: TableSeat = doc("The seat that receives the card.")
    card: Card = doc("The card given.")


@dataclass(frozen=True, slots=True)
class Give:
    """Give one card each to two different players (6 players)."""

    gifts: tuple[Gift, ...] = doc("Two gifts, in any order.")


@dataclass(frozen=True, slots=True)
class ChooseTalon:
    """Choose the group of talon cards to exchange with (4 players, full deck)."""

    group: Annotated[int, Bounds(0, 1), Pick("group")] = doc("0 for the first three cards, 1 for the last three.")


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce the highest card not held, to find a partner."""

    card: Card = doc("The card announced.")


@dataclass(frozen=True, slots=True)
class RaiseObjective:
    """Raise the objective, and with it the value."""

    objective: Objective = doc("The new, higher objective.")


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave the objective as it is."""


@dataclass(frozen=True, slots=True)
class Abdicate:
    """Hand the declarer's role to the partner who raised (5 players)."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick, from the hand or from the top of a pile."""

    card: Card = doc("The card played.")


Action: TypeAlias = Bid | Pass | Exchange | Give | ChooseTalon | Announce | RaiseObjective | Keep | Abdicate | Play

ACTIONS: Mapping[str, type[Action]] = {
    "bid": Bid,
    "pass": Pass,
    "exchange": Exchange,
    "give": Give,
    "choose_talon": ChooseTalon,
    "announce": Announce,
    "raise": RaiseObjective,
    "keep": Keep,
    "abdicate": Abdicate,
    "play": Play,
}
