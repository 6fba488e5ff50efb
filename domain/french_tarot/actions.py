"""The actions of French Tarot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.cardplay.cards import Card
from domain.field_types import Bounds, doc

ContractName: TypeAlias = Literal["petite", "garde", "garde_sans", "garde_contre"]
Misere: TypeAlias = Literal["no_trumps", "no_courts"]
TableSeat: TypeAlias = Annotated[int, Bounds(0, 4)]


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid a contract that is higher than every earlier bid."""

    contract: ContractName = doc("The contract.")


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass in the bidding; or show no poignée, where all are shown before the first lead."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call a card whose holder becomes the partner (5 players)."""

    card: Card = doc("A king; a queen from a hand with all kings, and so on downwards.")


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay cards aside: the écart."""

    cards: tuple[Card, ...] = doc("As many cards as the chien had, in any order.")


@dataclass(frozen=True, slots=True)
class AnnounceSlam:
    """Announce that the attack will win every trick."""


@dataclass(frozen=True, slots=True)
class AnnouncePetitChelem:
    """Announce that the attack will win every trick but one."""


@dataclass(frozen=True, slots=True)
class NoSlam:
    """Announce no slam."""


@dataclass(frozen=True, slots=True)
class ShowPoignee:
    """Show trumps to all players: a poignée."""

    cards: tuple[Card, ...] = doc("Exactly as many cards as a level asks for, in any order.")


@dataclass(frozen=True, slots=True)
class AnnounceMisere:
    """Announce a hand without trumps, or without court cards."""

    kind: Misere = doc("No trump and no Excuse; or no king, queen, knight or jack.")


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick."""

    card: Card = doc("The card played.")


Action: TypeAlias = (
    Bid | Pass | Call | Discard | AnnounceSlam | AnnouncePetitChelem | NoSlam | ShowPoignee | AnnounceMisere | Play
)

ACTIONS: Mapping[str, type] = {
    "bid": Bid,
    "pass": Pass,
    "call": Call,
    "discard": Discard,
    "announce_slam": AnnounceSlam,
    "announce_petit_chelem": AnnouncePetitChelem,
    "no_slam": NoSlam,
    "show_poignee": ShowPoignee,
    "announce_misere": AnnounceMisere,
    "play": Play,
}
