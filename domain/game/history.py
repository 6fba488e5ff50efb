"""A game and its log: decided events become records, and records fold to the game."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from operator import attrgetter

from domain.events import EVENTS, GameCreated
from domain.game import time_control
from domain.game.aggregate import Decided, Game, born, evolve, with_pending
from domain.game.durations import instant
from domain.log import chain
from domain.log.bot_moves import BotMove
from domain.log.record import Record, Writer
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import Plain, changed, from_plain


def record(
    before: Game | None,
    step: Decided,
    at: str,
    request: str,
    canonical: Callable[[Plain], bytes] = chain.canonical,
    by: BotMove | None = None,
) -> tuple[list[Record], Game]:
    """Write decided events, perhaps of a bot, as records; return them and the game with its head and time moved on."""
    events, after = step
    version, head = (before.version, before.head) if before else (0, chain.GENESIS)
    writer = Writer(after.secrets, version, head, canonical)
    records = writer.write(named(after.ruleset, events), at, request, by)
    after = changed(after, created_at=at) if before is None else after
    return records, _stamped(before, after, events, at, records[-1].hash)


def named(ruleset: AnyRuleset, events: Iterable[object]) -> list[tuple[str, object]]:
    """Return events, each after its name in the log."""
    names = _event_names(ruleset)
    return [(names[type(event)], event) for event in events]


@cache
def _event_names(ruleset: AnyRuleset) -> Mapping[type, str]:
    return {cls: name for name, cls in {**EVENTS, **ruleset.events}.items()}


def _stamped(before: Game | None, after: Game, events: Sequence[object], at: str, head: str) -> Game:
    """Update the chain, the time and the clocks to those of the last record of a request."""
    times = after.times
    if after.clock is not None or after.status != (before.status if before else "open"):
        pending = before.pending if before else {}
        if before is not None and before.bidder is not None:  # a bot's bid does not bring a player back
            events = [event for event in events if type(event) in EVENTS.values()]
        running = {} if after.bidder else {seat: after.pending[seat] for seat in after.waiting_for}
        times = time_control.passed(after.clock, times, instant(at), events, pending, running)
    return changed(after, head=head, at=at, times=times)


def _ended(before: Game | None, game: Game, events: Sequence[object], at: str, head: str) -> Game:
    """Return the game after all the events of one request."""
    return _stamped(before, with_pending(before, game, events), events, at, head)


def fold(records: Iterable[Record], game: Game | None = None) -> Game:
    """Fold a log, or the records that follow a game already folded."""
    for _, of_request in groupby(records, key=attrgetter("request")):
        batch = list(of_request)
        before, events = game, list[object]()
        for one in batch:
            game = _fold_one(game, one, events)
        if game is not None:
            game = _ended(before, game, events, batch[-1].at, batch[-1].hash)
    if game is None:
        raise ValueError("an empty log folds to nothing")
    return game


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A log folded up to an event: from here, folding needs nothing that came before.

    ``game`` is the game after this event. Within a request, ``before`` is the game before the request (None: there was
    none), and ``events`` are those of the request up to here; they are None if ``game`` is at the end of a request.
    ``request``, ``at`` and ``head`` are the last event's.
    """

    game: Game
    request: str
    at: str
    head: str
    before: Game | None = None
    events: Sequence[object] | None = None

    @property
    def version(self) -> int:
        """Return the version of the last event."""
        return self.game.version

    def ended(self) -> Game:
        """Return the game as it is if the request ends here."""
        if self.events is None:
            return self.game
        return _ended(self.before, self.game, self.events, self.at, self.head)

    def until(self, following: Record | None) -> Game:
        """Return the game as it is before the next record; between the events of one request, no seat is active."""
        cut = following is not None and following.request == self.request
        return within_request(self.ended()) if cut else self.ended()


def snapshots(records: Iterable[Record], every: int, start: Snapshot | None = None) -> Iterator[Snapshot]:
    """Fold a log, or the records after a snapshot; yield a snapshot at each multiple of ``every``, and at the end."""
    latest = start
    game, before, events = (start.game, start.before, [*(start.events or ())]) if start else (None, None, [])
    for one in records:
        if latest is not None and latest.request != one.request:
            before = game = latest.ended()
            events = []
        game = _fold_one(game, one, events)
        latest = Snapshot(game, one.request, one.at, one.hash, before, events)
        if game.version % every == 0:
            yield replace(latest, events=tuple(events))
    if latest is not None and latest is not start and latest.version % every:
        yield replace(latest, events=tuple(events))


def fold_to(records: Sequence[Record], version: int) -> Game:
    """Fold a log up to a version; between the events of one request, no seat is active."""
    (latest,) = snapshots(records[:version], version)
    return latest.until(records[version] if len(records) > version else None)


def step_by_step(records: Iterable[Record]) -> Iterator[tuple[object, Game]]:
    """Fold a log without take-backs, and yield each event with the game after it, in which nothing is pending."""
    game: Game | None = None
    for one in records:
        events: list[object] = []
        game = _fold_one(game, one, events)
        yield events[0], game


def within_request(game: Game) -> Game:
    """Return the game in the middle of a request's events: no seat is to act until the last one."""
    return changed(game, pending={}, waiting_for=())


def seen_at(records: Iterable[Record], versions: Collection[int]) -> Iterator[Game]:
    """Fold a log once, and yield what can be seen of the game at each of some versions: all but its clocks."""
    game: Game | None = None
    for _, of_request in groupby(records, key=attrgetter("request")):
        before, events, game_then = game, list[object](), list[Game]()
        for one in of_request:
            game = _fold_one(game, one, events)
            game_then.append(game)
        yield from (within_request(each) for each in game_then[:-1] if each.version in versions)
        if game is not None:
            game = with_pending(before, game, events)
            if game.version in versions:
                yield game


def _fold_one(game: Game | None, one: Record, events: list[object]) -> Game:
    """Fold a record, and note its event."""
    data = one.whole_data()
    if game is None:
        created = from_plain(GameCreated, data)
        events.append(created)
        return changed(born(one.game_id, created, RULESETS[created.ruleset]), created_at=one.at)
    event: object = from_plain(EVENTS.get(one.type) or game.ruleset.events[one.type], data)
    events.append(event)
    return evolve(game, event)
