"""The events of a tournament: it is created, entered, played in rounds, perhaps corrected, and ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from domain.events import Clock
from domain.field_types import Omittable
from domain.serialization import Plain

Pairing = Literal["lots", "swiss", "round_robin"]
Ending = Literal["played", "too_few", "cancelled"]


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a player needs to enter: an account of so many days, so many finished games, and perhaps an invitation."""

    account_days: int
    finished_games: int
    invited: bool


@dataclass(frozen=True, slots=True)
class TournamentCreated:
    """A tournament was announced by its director (``creator``).

    Each round has so many ``deals``, the same at every table, or 0 for a game without deals: one game a table. The
    ``bot`` of this version takes seats that are left over; if it is null, a player who is left over has a bye. Players
    enter until ``entries_close``; at most ``most`` have places, and the others wait as reserves. Round n ends n times
    ``round_time`` after the start, or when all its tables have finished. If the ``auction`` is given, the bot of this
    name bids for every seat at all tables.
    """

    name: str
    creator: str
    ruleset: str
    rules_version: int
    options: Mapping[str, Plain]
    seats: int
    deals: int
    rounds: int
    pairing: Pairing
    bot: str | None
    bot_version: int | None
    clock: Clock
    round_time: str
    entries_close: str
    starts: str
    most: int
    conditions: Conditions
    auction: Annotated[str | None, Omittable()] = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A player entered: for a place, or as a ``reserve``, who can take over the place of another."""

    player: str
    reserve: bool


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A player withdrew, or the director withdrew them, for a reason; later rounds do without them."""

    player: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Substituted:
    """The director gave the place of a player to a reserve (``by``), with its points, from the next round on."""

    player: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The tables of a round were drawn by lot: the players by seat, null for a bot; those with a bye have no table.

    The lots follow from the secret of the deal set of the round and the root by which it was sealed. The round ends at
    ``closes`` at the latest.
    """

    round: int
    set: str
    tables: tuple[tuple[str | None, ...], ...]
    byes: tuple[str, ...]
    closes: str


@dataclass(frozen=True, slots=True)
class TableResult:
    """The games of a table in order, and the scores of each by seat; null for one that was not finished in time."""

    games: tuple[str, ...]
    scores: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """A round ended; ``tables`` are in the order in which they were drawn."""

    round: int
    tables: tuple[TableResult, ...]


@dataclass(frozen=True, slots=True)
class PointsAdjusted:
    """The director added points to those of a player, or took some away: a penalty, or a correction."""

    player: str
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class FinalStanding:
    """What a player reached, by rank; ``opponents`` are the points of those whom they met in games without deals."""

    rank: int
    player: str
    points: int
    opponents: int


@dataclass(frozen=True, slots=True)
class TournamentCancelled:
    """The director cancelled it, for a reason; the round that is played ends at once."""

    reason: str


@dataclass(frozen=True, slots=True)
class TournamentEnded:
    """All rounds were ``played``, ``too_few`` players were left, or the director had it ``cancelled``."""

    how: Ending
    standings: tuple[FinalStanding, ...]


TOURNAMENT_CREATED = "tournament_created"
"""The type of the first event of a tournament."""

EVENTS: Mapping[str, type] = {
    TOURNAMENT_CREATED: TournamentCreated,
    "entered": Entered,
    "withdrawn": Withdrawn,
    "substituted": Substituted,
    "round_paired": RoundPaired,
    "round_closed": RoundClosed,
    "points_adjusted": PointsAdjusted,
    "tournament_cancelled": TournamentCancelled,
    "tournament_ended": TournamentEnded,
}
