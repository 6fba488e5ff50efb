"""What clients receive of tournaments, as types."""

from typing import Any, Literal, TypedDict

from domain.tournaments.events import Ending, Pairing
from service.games.projections.resources import ClockResource, EventResource

Phase = Literal["open", "closed", "running", "ended"]


class TournamentSummary(TypedDict):
    """A tournament as lists show it, with the numbers of its entrants and of the ``round`` that was begun last.

    It is ``open`` for entries, ``closed`` until the start, then ``running``, and ``ended``.
    """

    id: str
    name: str
    ruleset: str
    seats: int
    rounds: int
    pairing: Pairing
    status: Phase
    starts: str
    entrants: int
    round: int


class TournamentList(TypedDict):
    """A page of tournaments, the last to start first."""

    items: list[TournamentSummary]
    next_cursor: str | None


class EntrantResource(TypedDict):
    """A player of a tournament; the name is null if they have deleted their account."""

    player: str
    name: str | None


class TournamentStanding(EntrantResource):
    """What a player reached so far, by rank; ``opponents`` are the points of those whom they met."""

    rank: int
    points: int
    opponents: int


class ConditionsResource(TypedDict):
    """What a player needs to enter: an account of so many days, so many finished games, and perhaps an invitation."""

    account_days: int
    finished_games: int
    invited: bool


class MyEntry(TypedDict):
    """Your part in a tournament: whether you are a ``reserve``, and the game of yours that is played now, if any."""

    reserve: bool
    game: str | None


class EndingResource(TypedDict):
    """How a tournament ended: its rounds were ``played``, ``too_few`` had entered, or the director cancelled it."""

    how: Ending
    reason: str | None


class TournamentResource(TournamentSummary):
    """A tournament: its director, its terms, who plays, and the standings after the last round that has closed.

    ``closes`` is when the round that is played ends at the latest. ``invitation`` is what players need to enter where
    they must be invited; only the director sees it. ``mine`` is null unless you have entered.
    """

    creator: str
    options: dict[str, Any]
    deals: int
    bot: str | None
    auction: str | None
    clock: ClockResource
    round_time: str
    entries_close: str
    most: int
    conditions: ConditionsResource
    closes: str | None
    players: list[EntrantResource]
    reserves: list[EntrantResource]
    standings: list[TournamentStanding]
    ended: EndingResource | None
    invitation: str | None
    mine: MyEntry | None


class TournamentEventPage(TypedDict):
    """Events of a tournament in order; ``next`` is the version to continue after, null at the end of the log."""

    events: list[EventResource]
    next: int | None
