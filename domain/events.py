"""The events that every game has, whatever its ruleset: who sits where, what is proposed, how it begins and ends."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from domain.plain import Plain, secret
from domain.ruleset import Outcome, Seat

Visibility = Literal["public", "unlisted", "private"]
Closing = Literal["agreed", "declined", "lapsed"]


@dataclass(frozen=True, slots=True)
class GameCreated:
    """A game was set up; the commitment binds the server to the secret of every draw."""

    ruleset: str
    rules_version: int
    options: Mapping[str, Plain]
    seats: int
    visibility: Visibility
    sandbox: bool
    creator: str
    commitment: str
    secret: str = secret()


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player sat down, perhaps with a seed for the draws."""

    seat: Seat
    player: str
    client_seed: str | None


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player stood up before the start."""

    seat: Seat
    player: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Every seat is taken; the players by seat."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameFinished:
    """The game is over; the secret opens every seal and lets anyone recompute every draw."""

    outcome: Outcome
    secret: str


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """A seat proposed something that every seat must accept; it accepts itself by proposing."""

    seat: Seat
    proposal: str
    kind: str


@dataclass(frozen=True, slots=True)
class VoteCast:
    """A seat answered a proposal."""

    seat: Seat
    proposal: str
    accept: bool


@dataclass(frozen=True, slots=True)
class ProposalClosed:
    """A proposal is off the table: every seat agreed, one declined, or its ground is gone."""

    proposal: str
    result: Closing


EVENTS: Mapping[str, type] = {
    "game_created": GameCreated,
    "seat_taken": SeatTaken,
    "seat_left": SeatLeft,
    "game_started": GameStarted,
    "proposal_made": ProposalMade,
    "vote_cast": VoteCast,
    "proposal_closed": ProposalClosed,
    "game_finished": GameFinished,
}
