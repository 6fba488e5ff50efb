"""The games of a process: read from the log, verified, cached, and brought up to date.

All records are verified when they are read: each event against the one before it, and its hidden parts against their
seals.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from domain.deal_sets.events import SET_CLOSED
from domain.game import history
from domain.game.aggregate import Game
from domain.game.history import Snapshot
from domain.log import chain
from domain.log.record import Record, verify
from domain.log.secrets import Secrets, in_first_event
from domain.registry import RULESETS
from domain.serialization import changed
from domain.table import Seat
from domain.tournaments.events import TOURNAMENT_CREATED
from service.common import observability
from service.common.errors import no_such_game
from service.common.observability import METRICS
from service.store.codec import Head, canonical
from service.store.event_store import EventStore, LogDamaged, NotServed, Remembered

_MOST_EVENTS = 250_000
"""The maximum number of events in all cached games: a game takes about 250 to 400 bytes of memory an event."""
INTERVAL = 128
"""A cached game has a snapshot about every so many events: one takes 6 to 15 KB of memory."""
PART = 512
"""How many records are read and folded at once, so that a long log takes little memory, and Redis little time."""
_MOST_TAILS, _LONGEST_TAIL = 256, 32


class RulesetMissing(NotServed):
    """The ruleset of a game has been uninstalled; the log is intact."""

    code = "ruleset-missing"
    detail = "the ruleset of this game is not installed; the game is not served"


def head_of(game: Game) -> Head:
    return Head(game.id, game.version, game.head, game.at)


@dataclass(slots=True)
class _Cached:
    """A game, and the first known snapshot of each interval of its log, by the number of the interval."""

    game: Game
    snapshots: dict[int, Snapshot] = field(default_factory=dict)

    def add(self, snapshot: Snapshot) -> None:
        """Add a snapshot, unless an earlier one of its interval is there; the first interval needs none."""
        number = snapshot.version // INTERVAL
        if number and snapshot.version <= self.snapshots.setdefault(number, snapshot).version:
            self.snapshots[number] = snapshot

    def latest(self, version: int) -> Snapshot | None:
        earlier = (self.snapshots.get(number) for number in range(version // INTERVAL, 0, -1))
        return next((snapshot for snapshot in earlier if snapshot is not None and snapshot.version <= version), None)


class GameCache:
    """The most recently used games, with snapshots of their past; all are frozen, so callers share them."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, _Cached] = OrderedDict()
        self._events = 0
        self._lock = threading.Lock()

    def games(self) -> int:
        return len(self._games)

    def events(self) -> int:
        return self._events

    def find(self, game_id: str) -> Game | None:
        with self._lock:
            if game_id not in self._games:
                return None
            self._games.move_to_end(game_id)
            return self._games[game_id].game

    def snapshot(self, game_id: str, version: int) -> Snapshot | None:
        with self._lock:
            cached = self._games.get(game_id)
            return None if cached is None else cached.latest(version)

    def keep(self, game: Game, snapshots: Iterable[Snapshot] = ()) -> None:
        """Cache a game, unless a later version of it is cached, and snapshots of its past."""
        with self._lock:
            cached = self._games.get(game.id)
            if cached is None:
                cached = self._games[game.id] = _Cached(game)
                self._events += game.version
            elif cached.game.version < game.version:
                self._events += game.version - cached.game.version
                self._games.move_to_end(game.id)
                cached.game = game
            for snapshot in snapshots:
                cached.add(snapshot)
            while self._events > _MOST_EVENTS and len(self._games) > 1:
                _, oldest = self._games.popitem(last=False)
                self._events -= oldest.game.version

    def replace(self, game: Game) -> None:
        """Put the same version of a game in the place of the cached one."""
        with self._lock:
            cached = self._games.get(game.id)
            if cached is not None and cached.game.version == game.version:
                cached.game = game

    def drop(self, game_id: str) -> None:
        with self._lock:
            dropped = self._games.pop(game_id, None)
            self._events -= dropped.game.version if dropped else 0


class _Tails:
    """The latest records of the games that changed last: what followers of a game read next."""

    def __init__(self) -> None:
        self._tails: OrderedDict[str, Sequence[Record]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, records: Sequence[Record]) -> None:
        if 0 < len(records) <= _LONGEST_TAIL:
            with self._lock:
                self._tails[records[0].game_id] = records
                self._tails.move_to_end(records[0].game_id)
                if len(self._tails) > _MOST_TAILS:
                    self._tails.popitem(last=False)

    def find(self, game: Game, after: int) -> Sequence[Record] | None:
        """Return the records of a game after a version, if all of them up to its head are stored here."""
        tail = self._tails.get(game.id)
        if tail is None or tail[-1].hash != game.head or after < tail[0].version - 1:
            return None
        return tail[after - tail[0].version + 1 :]


class GameRepository:
    """The games of one store. A cached game can be behind its log, but never ahead of it."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._cache = GameCache()
        self._tails = _Tails()

    def gauges(self) -> dict[str, Callable[[], float]]:
        """Return the metrics of the cache."""
        return {"cached_games": self._cache.games, "cached_events": self._cache.events}

    def cached(self, game_id: str) -> Game | None:
        return self._cache.find(game_id)

    def keep(self, game: Game, records: Sequence[Record]) -> None:
        read_on()
        begins_interval = game.version // INTERVAL > (records[0].version - 1) // INTERVAL
        self._cache.keep(game, (_end_of(game),) if begins_interval else ())
        self._tails.keep(records)

    def fresh(self, game_id: str) -> Game:
        """Return the current game; if it is cached and little is new, or its log is short, in one round trip."""
        return self.fresh_with_plans(game_id, ())[0]

    def fresh_with_plans(self, game_id: str, seats: Sequence[Seat]) -> tuple[Game, Mapping[Seat, bytes]]:
        """Return the current game, and if it is cached, the stored plans of some of its seats, in one round trip."""
        cached = self._cache.find(game_id)
        METRICS.count("game_reads", "miss" if cached is None else "hit")
        if cached is None:
            return self._unsealed(self._read_whole(game_id)), {}
        after, most = cached.version - 1, most_at_once(PART)
        records, plans = self.store.read_with_plans(game_id, seats, after, most)
        return self._unsealed(self._continued(cached, records)), plans

    def _unsealed(self, game: Game) -> Game:
        """Return a game of a deal set as visible to anyone, if the log of the set shows that it has closed."""
        if not game.sealed or game.deal is None:
            return game
        log = self.store.read(game.deal.set)
        if not log or log[-1].type != SET_CLOSED:
            return game
        opened = changed(game, sealed=False)
        self._cache.replace(opened)
        return opened

    def at(self, game: Game, version: int) -> Game:
        """Return a game as it was at a version, folded from the snapshot before it."""
        if version >= game.version:
            return game
        latest, snapshots = self._cache.snapshot(game.id, version), list[Snapshot]()
        while True:
            after = latest.version if latest else 0
            count_read(min(PART, version - after))
            part = self.store.read(game.id, after, min(PART, version + 1 - after))
            if not part:
                raise LogDamaged(game.id, after + 1, "it is missing")
            snapshots += _folded(part, latest, game.secrets, version)
            latest = snapshots[-1] if snapshots else latest
            if latest is not None and part[-1].version > version:
                self._cache.keep(game, snapshots)
                return latest.until(part[-1])

    def looked_up(self, game: Game, request_key: str) -> tuple[Remembered | None, Game]:
        """Return the stored response to a request, and the current game, in one round trip."""
        response, records = self.store.look_up(game.id, game.version - 1, request_key)
        return response, self._continued(game, records)

    def records(self, game: Game, after: int = 0, limit: int | None = None) -> list[Record]:
        """Read the records of a game after a version, at most ``limit``."""
        if after >= game.version:
            return []
        tail = self._tails.find(game, after)
        if tail is not None:
            return list(tail[:limit])
        number = game.version - after
        count_read(number if limit is None else min(limit, number))
        records, most = list[Record](), None if limit is None else limit + (after > 0)
        while most is None or len(records) < most:
            last, number_left = (
                records[-1].version if records else max(0, after - 1),
                PART if most is None else most - len(records),
            )
            part = self.store.read(game.id, last, min(PART, number_left))
            records += part
            if len(part) < PART:
                break
        head = chain.GENESIS
        if records and after:
            head, records = records[0].hash, records[1:]
        _check(records, head, game.secrets)
        return records

    def forget(self, game_id: str) -> None:
        self._cache.drop(game_id)

    def caught_up(self, game: Game, missing: Sequence[Record]) -> Game:
        """Add the records that a conflict returned; if there are none, the cached game is wrong: reread the log."""
        if missing:
            return self._grown(_end_of(game), missing)
        self._cache.drop(game.id)
        return self._read_whole(game.id)

    def _continued(self, cached: Game, records: Sequence[Record]) -> Game:
        """Add the records from the game's last version on; reread a log without that record."""
        if records and records[0].hash == cached.head:
            return cached if len(records) == 1 else self._grown(_end_of(cached), records[1:])
        self._cache.drop(cached.id)
        return self._read_whole(cached.id)

    def _read_whole(self, game_id: str) -> Game:
        records = self.store.read(game_id, limit=most_at_once(PART))
        if not records:
            raise no_such_game()
        _check_ruleset(records[0])
        return self._grown(None, records)

    def _grown(self, start: Snapshot | None, records: Sequence[Record]) -> Game:
        """Fold records that follow a snapshot, and the rest of a longer log."""
        snapshots, part = list[Snapshot](), records
        while part:
            latest = snapshots[-1] if snapshots else start
            count_read(len(part))
            snapshots += _folded(part, latest, latest.game.secrets if latest else secrets_in(part[0]))
            records = part
            part = self.store.read(part[0].game_id, part[-1].version, PART) if len(part) >= PART - 1 else ()
        game = snapshots[-1].ended()
        self._cache.keep(game, snapshots)
        self._tails.keep(records)
        return game


def _end_of(game: Game) -> Snapshot:
    return Snapshot(game, "", game.at, game.head)


def _folded(
    records: Sequence[Record], start: Snapshot | None, secrets: Secrets, version: int | None = None
) -> list[Snapshot]:
    """Check records that follow a snapshot, and fold them, at most to a version.

    Return a snapshot for each interval, and one for the end.
    """
    _check(records, start.head if start else chain.GENESIS, secrets)
    to_fold = records if version is None else [record for record in records if record.version <= version]
    with observability.span("fold", events=len(to_fold)):
        return [*history.snapshots(to_fold, INTERVAL, start)]


def _check(records: Sequence[Record], head: str, secrets: Secrets) -> None:
    try:
        verify(records, head, secrets, canonical)
    except chain.BrokenChain as broken:
        raise LogDamaged(records[0].game_id, broken.version, str(broken)) from broken


def _check_ruleset(first: Record) -> None:
    ruleset = first.data.get("ruleset")
    if ruleset is not None and ruleset not in RULESETS:
        message = f"the ruleset of {first.game_id} is not installed: {ruleset}; install its package again"
        raise RulesetMissing(first.game_id, first.version, message)


def secrets_in(first: Record) -> Secrets:
    """Return the secrets of a log, as they were at its first record; raise ``LogDamaged`` if it has none.

    In the log of a tournament, nothing is hidden.
    """
    if first.type == TOURNAMENT_CREATED:
        return Secrets(first.game_id, b"")
    try:
        return in_first_event(first.game_id, first.whole_data())
    except (LookupError, TypeError, ValueError) as error:
        raise LogDamaged(first.game_id, first.version, "it does not create a game") from error


# -- long reads ---------------------------------------------------------------------------------------------------
#
# Reading records is what takes longer, the longer a log is. Every request can read a few records at once. To read more,
# it must wait in the line of long requests, of which a process handles few at a time, so that short requests never wait
# for long logs. Reads in that line count against a limit, by events.

BESIDE = 32
"""How many records a request can read outside of that line; reading and folding them takes about a millisecond."""

Pay = Callable[[int], None]
"""Counts a number of events; with 0, only raises ``Limited`` if there is no room for more."""


class LongRequest(Exception):
    """The request reads so much that it must wait in the line of long requests; it has written nothing."""


@dataclass(slots=True)
class _LongRead:
    """A long read: ``pay`` counts it, and with ``is_in_turn`` it may take more than a few records."""

    pay: Pay
    is_in_turn: bool
    records: int = 0


_LONG_READ: ContextVar[_LongRead | None] = ContextVar("long_read", default=None)


@contextmanager
def counted_reading(pay: Pay, *, is_in_turn: bool) -> Iterator[None]:
    """Count the records that are read inside, and pay for them at the end, if they are more than a few."""
    now = _LongRead(pay, is_in_turn)
    before = _LONG_READ.set(now)
    try:
        yield
    finally:
        _LONG_READ.reset(before)
        if now.records > BESIDE:
            pay(now.records)


def count_read(records: int) -> None:
    """Count records that are about to be read; raise ``LongRequest`` or ``Limited`` if they must not be read now.

    Outside of ``counted_reading``, as in a worker, nothing is counted.
    """
    now = _LONG_READ.get()
    if now is None:
        return
    was_long, is_long = now.records > BESIDE, now.records + records > BESIDE
    if is_long and not now.is_in_turn:
        raise LongRequest
    if is_long and not was_long:
        now.pay(0)
    now.records += records


def is_counted() -> bool:
    return _LONG_READ.get() is not None


def most_at_once(number: int) -> int:
    """Return how many of so many records to read at once: one more than allowed shows that there are more."""
    now = _LONG_READ.get()
    return number if now is None or now.is_in_turn else min(number, max(0, BESIDE - now.records) + 1)


def read_on() -> None:
    """Lift the limit, because the request has written something, and must not be handled again."""
    now = _LONG_READ.get()
    if now is not None:
        now.is_in_turn = True
