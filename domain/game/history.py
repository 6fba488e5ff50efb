"""A game and its log: decided events become records, and records fold to the game."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    return records, _stamped(before, after, events, records[-1])


def named(ruleset: AnyRuleset, events: Iterable[object]) -> list[tuple[str, object]]:
    """Return events, each after its name in the log."""
    names = _event_names(ruleset)
    return [(names[type(event)], event) for event in events]


@cache
def _event_names(ruleset: AnyRuleset) -> Mapping[type, str]:
    return {cls: name for name, cls in {**EVENTS, **ruleset.events}.items()}


def _stamped(before: Game | None, after: Game, events: Sequence[object], last: Record) -> Game:
    """Update the chain, the time and the clocks to the last record of a request."""
    times = after.times
    if after.clock is not None or after.status != (before.status if before else "open"):
        pending = before.pending if before else {}
        running = {seat: after.pending[seat] for seat in after.waiting_for}
        times = time_control.passed(after.clock, times, instant(last.at), events, pending, running)
    return changed(after, head=last.hash, at=last.at, times=times)


def fold(records: Iterable[Record], game: Game | None = None) -> Game:
    """Fold a log, or the records that follow a game already folded."""
    for _, of_request in groupby(records, key=attrgetter("request")):
        batch = list(of_request)
        before, events = game, list[object]()
        for one in batch:
            game = _fold_one(game, one, events)
        if game is not None:
            game = _stamped(before, with_pending(before, game, events), events, batch[-1])
    if game is None:
        raise ValueError("an empty log folds to nothing")
    return game


def fold_to(records: Sequence[Record], version: int) -> Game:
    """Fold a log up to a version; between the events of one request, no seat is active."""
    game = fold(records[:version])
    cut = len(records) > version and records[version].request == records[version - 1].request
    return within_request(game) if cut else game


def within_request(game: Game) -> Game:
    """Return a game as it is between the events of one request: nobody is to act before the last of them."""
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
