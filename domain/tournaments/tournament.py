"""A tournament and its log, which is chained like that of a game; nothing in it is hidden.

A reserve can take over the place of a player, with its points. So what counts are places, numbered in the order of
entry; each player has one, or had it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, ClassVar

from domain.chance import Chance
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.results import robust_mean
from domain.errors import wrong_moment
from domain.game.durations import duration, instant, moment
from domain.log import aggregates, chain
from domain.log.record import Record
from domain.log.secrets import Secrets
from domain.recording import replaced
from domain.tournaments import pairing
from domain.tournaments.events import (
    EVENTS,
    Ending,
    Entered,
    FinalStanding,
    PointsAdjusted,
    RoundClosed,
    RoundPaired,
    Substituted,
    TableResult,
    TournamentCancelled,
    TournamentCreated,
    TournamentEnded,
    Withdrawn,
)
from domain.tournaments.pairing import BOT, Place

MOST_PLACES, MOST_ROUNDS, MOST_DEALS = 256, 20, 16
LEAST_PLACES = 2
WIN, DRAW = 2, 1
"""What a game without deals is worth; a bye is worth a win."""

Decided = tuple[Sequence[object], "Tournament"]


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after ``version`` events."""

    EVENTS: ClassVar[Mapping[str, type]] = EVENTS
    id: str
    created: TournamentCreated
    version: int = 1
    head: str = chain.GENESIS
    at: str = ""
    places: tuple[str, ...] = ()
    """The players who have the places, in order."""
    place_of: Mapping[str, Place] = field(default_factory=dict)
    """The place that a player has, or had before a substitution."""
    left: frozenset[Place] = frozenset()
    """The places whose players have withdrawn."""
    reserves: tuple[str, ...] = ()
    paired: tuple[RoundPaired, ...] = ()
    closed: tuple[RoundClosed, ...] = ()
    adjusted: Mapping[Place, int] = field(default_factory=dict)
    cancelled: str | None = None
    """The reason why the director cancelled it."""
    ended: TournamentEnded | None = None

    @property
    def secrets(self) -> Secrets:
        """Return what would seal hidden parts of the log: it has none."""
        return Secrets(self.id, b"")

    @property
    def starts(self) -> int:
        """Return when the first round begins, in ms since 1970."""
        return instant(self.created.starts)

    @property
    def running(self) -> RoundPaired | None:
        """Return the round that is played now."""
        return self.paired[-1] if len(self.paired) > len(self.closed) else None

    @property
    def present(self) -> list[Place]:
        """Return the places whose players have not withdrawn."""
        return [place for place in range(len(self.places)) if place not in self.left]

    def closes(self, number: int) -> int:
        """Return when a round closes at the latest, in ms since 1970."""
        return self.starts + number * duration(self.created.round_time)

    @property
    def rounds(self) -> int:
        """Return how many rounds there are: in a round robin at most as many as it takes for all to meet."""
        count = len(self.places)
        return min(self.created.rounds, count - 1 + count % 2) if self._is_round_robin else self.created.rounds

    @property
    def _is_round_robin(self) -> bool:
        return self.created.pairing == "round_robin"

    def has(self, player: str) -> bool:
        """Return whether a player has a place, or is a reserve."""
        return player in self.reserves or any(self.places[place] == player for place in self.present)


def create(tournament_id: str, created: TournamentCreated) -> Decided:
    """Announce a tournament."""
    return [created], Tournament(tournament_id, created)


def enter(before: Tournament, player: str, now: int) -> Decided:
    """Enter a player, as a reserve if all places are taken or entries have closed; ``now`` is in ms since 1970."""
    _check_going_on(before)
    if before.has(player):
        return [], before
    if player in before.place_of and before.paired:
        raise wrong_moment("withdrawn")
    if len(before.reserves) >= MOST_PLACES:
        raise wrong_moment("tournament-full")
    is_late = now >= instant(before.created.entries_close)
    return _after(before, Entered(player, is_late or len(before.present) >= before.created.most))


def withdraw(before: Tournament, player: str, now: int, reason: str | None = None) -> Decided:
    """Withdraw a player; while entries are open, the first reserve takes the place."""
    _check_going_on(before)
    if not before.has(player):
        raise wrong_moment("not-entered.tournament")
    events: list[object] = [Withdrawn(player, reason)]
    if player not in before.reserves and before.reserves and now < instant(before.created.entries_close):
        events.append(Entered(before.reserves[0], reserve=False))
    return _after(before, *events)


def substitute(before: Tournament, player: str, by: str, reason: str) -> Decided:
    """Give the place of a player to a reserve."""
    _check_going_on(before)
    _check_placed(before, player)
    if by not in before.reserves:
        raise wrong_moment("no-reserve")
    return _after(before, Substituted(player, by, reason))


def adjust(before: Tournament, player: str, points: int, reason: str) -> Decided:
    """Change the points of a player by so many."""
    _check_going_on(before)
    _check_placed(before, player)
    if not before.paired:
        raise wrong_moment("not-started")
    return _after(before, PointsAdjusted(player, points, reason))


def cancel(before: Tournament, reason: str) -> Decided:
    """Cancel a tournament; it ends when the round that is played has been closed."""
    _check_going_on(before)
    return _after(before, TournamentCancelled(reason))


def pair(before: Tournament, one: DealSet) -> Decided:
    """Draw the tables of the next round by lots of its deal set, which has been sealed."""
    _check_going_on(before)
    number = len(before.closed) + 1
    if before.running is not None or number > before.rounds:
        raise ValueError("no round is to be drawn")
    tables = drawn(before, lots_of(one))
    is_bye = before.created.bot is None
    byes = [place for table in tables for place in table if is_bye and BOT in table and place != BOT]
    named = [
        tuple(None if place == BOT else before.places[place] for place in table)
        for table in tables
        if not (is_bye and BOT in table)
    ]
    bye, closes = tuple(before.places[place] for place in byes), moment(before.closes(number))
    return _after(before, RoundPaired(number, one.id, tuple(named), bye, closes))


def lots_of(one: DealSet) -> Chance:
    """Return the source of the lots of a round: they follow from the secret of its set as that of a deal number 0."""
    return Chance(one.deal_secret(0), one.id, ())


def drawn(before: Tournament, lots: Chance) -> list[pairing.Table]:
    """Return the tables of the next round, by place; one with deals to compare is not alone: bots play them, too."""
    past = [[_by_place(before, table) for table in (*each.tables, *_bye_tables(each))] for each in before.paired]
    if before.created.pairing == "round_robin":
        tables = pairing.round_robin(range(len(before.places)), len(before.paired) + 1)
        there = [tuple(BOT if place in before.left else place for place in table) for table in tables]
        return [table for table in there if any(place != BOT for place in table)]
    points = points_by_place(before) if before.created.pairing == "swiss" else None
    here = None if points is None else {place: points[place] for place in before.present}
    tables = pairing.by_lots(before.present, before.created.seats, past, lots, here)
    is_alone = len(tables) == 1 and before.created.deals > 0
    return [*tables, (BOT,) * before.created.seats] if is_alone else tables


def _bye_tables(each: RoundPaired) -> list[tuple[str | None, ...]]:
    return [(player, None) for player in each.byes]


def _by_place(before: Tournament, table: Sequence[str | None]) -> pairing.Table:
    return tuple(BOT if player is None else before.place_of[player] for player in table)


def close_round(before: Tournament, tables: Sequence[TableResult]) -> Decided:
    """End the round that is played, with the results of its tables."""
    if before.running is None:
        raise ValueError("no round is played")
    return _after(before, RoundClosed(before.running.round, tuple(tables)))


def end(before: Tournament, how: Ending) -> Decided:
    """End a tournament, with the standings after the rounds that have closed."""
    return _after(before, TournamentEnded(how, tuple(standings(before))))


def points_by_place(before: Tournament) -> dict[Place, int]:
    """Return the points of each place after the rounds that have closed."""
    total = {place: before.adjusted.get(place, 0) for place in range(len(before.places))}
    for paired, closed in zip(before.paired, before.closed, strict=False):
        for bye in paired.byes:
            total[before.place_of[bye]] += WIN
        seats = before.created.seats
        points = against_the_field(closed.tables, seats) if before.created.deals else _outcomes(closed.tables, seats)
        for table, of_table in zip(paired.tables, points, strict=True):
            for player, gained in zip(table, of_table, strict=True):
                if player is not None:
                    total[before.place_of[player]] += gained
    return total


def _outcomes(tables: Sequence[TableResult], seats: int) -> list[Sequence[int]]:
    """Return the points of each table by seat; a game that was not finished has none."""
    return [table.scores[0] or (0,) * seats for table in tables]


def against_the_field(tables: Sequence[TableResult], seats: int) -> list[Sequence[int]]:
    """Return the points of each table by seat: scores minus the mean of the same seat, deal by deal.

    A deal that a table did not finish counts as the lowest score of the seat.
    """
    total: list[Sequence[int]] = [(0,) * seats for _ in tables]
    for scores in zip(*(table.scores for table in tables), strict=True):
        fields = [sorted(each) for each in zip(*(each for each in scores if each is not None), strict=True)]
        means = [robust_mean(field) or 0 for field in fields]
        lowest = tuple(field[0] for field in fields)
        for number, each in enumerate(scores if fields else ()):
            reached = zip(total[number], each or lowest, means, strict=True)
            total[number] = tuple(before + score - mean for before, score, mean in reached)
    return total


def standings(before: Tournament) -> list[FinalStanding]:
    """Rank all who have or had a place when they withdrew: by points, then by those of the opponents they met."""
    points, opponents = points_by_place(before), dict[Place, int]()
    for paired in before.paired[: len(before.closed)] if not before.created.deals else ():
        for table in paired.tables:
            one, other = _by_place(before, table)
            opponents[one] = opponents.get(one, 0) + points.get(other, 0)
            opponents[other] = opponents.get(other, 0) + points.get(one, 0)
    reached = {place: (points[place], opponents.get(place, 0)) for place in points}
    ordered = sorted(reached, key=lambda place: (*(-each for each in reached[place]), place))
    rank_of = {value: rank for rank, value in reversed([*enumerate((reached[place] for place in ordered), 1)])}
    return [FinalStanding(rank_of[reached[place]], before.places[place], *reached[place]) for place in ordered]


def fold(records: Iterable[Record]) -> Tournament:
    """Fold a whole log."""
    return aggregates.fold(records, Tournament, EVENTS, evolve)


def _check_going_on(before: Tournament) -> None:
    if before.ended is not None or before.cancelled is not None:
        raise wrong_moment("tournament-ended")


def _check_placed(before: Tournament, player: str) -> None:
    if player not in before.places:
        raise wrong_moment("no-place")


def _after(before: Tournament, *events: object) -> Decided:
    return events, reduce(evolve, events, before)


def _entered(before: Tournament, event: Entered) -> Mapping[str, Any]:
    if event.reserve:
        return {"reserves": (*before.reserves, event.player)}
    places = (*before.places, event.player)
    place_of = {**before.place_of, event.player: len(before.places)}
    return {"reserves": _without(before.reserves, event.player), "places": places, "place_of": place_of}


def _withdrawn(before: Tournament, event: Withdrawn) -> Mapping[str, Any]:
    if event.player in before.reserves:
        return {"reserves": _without(before.reserves, event.player)}
    if before.paired:
        return {"left": before.left | {before.place_of[event.player]}}
    places = _without(before.places, event.player)
    return {"places": places, "place_of": {each: place for place, each in enumerate(places)}}


def _substituted(before: Tournament, event: Substituted) -> Mapping[str, Any]:
    place = before.place_of[event.player]
    return {
        "places": replaced(before.places, place, event.by),
        "place_of": {**before.place_of, event.by: place},
        "reserves": _without(before.reserves, event.by),
        "left": before.left - {place},
    }


def _adjusted(before: Tournament, event: PointsAdjusted) -> Mapping[str, Any]:
    place = before.place_of[event.player]
    return {"adjusted": {**before.adjusted, place: before.adjusted.get(place, 0) + event.points}}


def _without(players: Sequence[str], player: str) -> tuple[str, ...]:
    return tuple(each for each in players if each != player)


_CHANGES: Mapping[type, Callable[[Tournament, Any], Mapping[str, Any]]] = {
    Entered: _entered,
    Withdrawn: _withdrawn,
    Substituted: _substituted,
    RoundPaired: lambda before, event: {"paired": (*before.paired, event)},
    RoundClosed: lambda before, event: {"closed": (*before.closed, event)},
    PointsAdjusted: _adjusted,
    TournamentCancelled: lambda _, event: {"cancelled": event.reason},
    TournamentEnded: lambda _, event: {"ended": event},
}


def evolve(before: Tournament, event: object) -> Tournament:
    """Record an event that follows the first."""
    return replace(before, version=before.version + 1, **_CHANGES[type(event)](before, event))
