"""What a game holds beside its table: who sits where, and what is proposed."""

from dataclasses import dataclass
from typing import Annotated

from domain.field_types import Omittable
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class Sitter:
    """The holder of a seat, a player or a bot by name, and the holder's seed for the draws.

    One who joined with the commitment to a seed (``seed_commitment``) has no seed until it is opened.
    """

    player: str | None
    client_seed: str | None
    bot: str | None = None
    seed_commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Awaited:
    """The seats whose seeds are to be opened, those already opened among them, and until when, in ms since 1970."""

    seats: tuple[Seat, ...]
    until: int


@dataclass(frozen=True, slots=True)
class Held:
    """Who held a seat, and the last version at which they did."""

    seat: Seat
    sitter: Sitter
    until: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open proposal: who made it, and the seats that have accepted it."""

    id: str
    kind: str
    seat: Seat
    accepted: tuple[Seat, ...]
    duration: str | None = None
    to_version: Annotated[int | None, Omittable()] = None
