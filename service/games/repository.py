"""The games of a process: read from the log, verified, cached, and brought up to date.

All records are verified when they are read: each event against the one before it, and its hidden parts against their
seals.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

from domain.game import history
from domain.game.aggregate import Game
from domain.log import chain
from domain.log.record import Record, verify
from domain.log.secrets import Secrets, of_deals
from domain.registry import RULESETS
from service import tracing
from service.errors import no_such_game
from service.store.codec import Head, canonical
from service.store.event_store import EventStore, LogDamaged, NotServed, Remembered
from service.tally import TALLY

_MOST_EVENTS = 250_000
"""The maximum number of events in all cached games: a game takes about 250 to 400 bytes of memory an event."""
_MOST_TAILS, _LONGEST_TAIL = 256, 32


class RulesetMissing(NotServed):
    """The ruleset of a game has been uninstalled; the log is intact."""

    code = "ruleset-missing"
    detail = "the ruleset of this game is not installed; the game is not served"


def head_of(game: Game) -> Head:
    """Return where the log of a game ends."""
    return Head(game.id, game.version, game.head, game.at)


class GameCache:
    """The most recently used games; they are frozen, so callers share them without copies."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._events = 0
        self._lock = threading.Lock()

    def games(self) -> int:
        """Count the cached games."""
        return len(self._games)

    def events(self) -> int:
        """Count their events."""
        return self._events

    def find(self, game_id: str) -> Game | None:
        """Return a cached game."""
        with self._lock:
            if game_id in self._games:
                self._games.move_to_end(game_id)
            return self._games.get(game_id)

    def keep(self, game: Game) -> None:
        """Cache a game, unless a later version of it is cached."""
        with self._lock:
            known = self._games.get(game.id)
            if known is None or known.version < game.version:
                self._games[game.id] = game
                self._games.move_to_end(game.id)
                self._events += game.version - (known.version if known else 0)
            while self._events > _MOST_EVENTS and len(self._games) > 1:
                _, oldest = self._games.popitem(last=False)
                self._events -= oldest.version

    def drop(self, game_id: str) -> None:
        """Drop a game from the cache."""
        with self._lock:
            dropped = self._games.pop(game_id, None)
            self._events -= dropped.version if dropped else 0


class _Tails:
    """The records that were last added to each of the latest games: what those who follow a game read next."""

    def __init__(self) -> None:
        self._tails: OrderedDict[str, Sequence[Record]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, records: Sequence[Record]) -> None:
        """Keep the records of one game, unless they are too many to keep."""
        if 0 < len(records) <= _LONGEST_TAIL:
            with self._lock:
                self._tails[records[0].game_id] = records
                self._tails.move_to_end(records[0].game_id)
                if len(self._tails) > _MOST_TAILS:
                    self._tails.popitem(last=False)

    def find(self, game: Game, after: int) -> Sequence[Record] | None:
        """Return the records of a game after a version, if they are here up to its head."""
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
        """Return what there is to know of the cache, for the figures of operators."""
        return {"cached_games": self._cache.games, "cached_events": self._cache.events}

    def cached(self, game_id: str) -> Game | None:
        """Return a game from the cache."""
        return self._cache.find(game_id)

    def keep(self, game: Game, records: Sequence[Record]) -> None:
        """Cache a game after a commit of records."""
        self._cache.keep(game)
        self._tails.keep(records)

    def fresh(self, game_id: str) -> Game:
        """Return the current game, in one round trip."""
        cached = self._cache.find(game_id)
        TALLY.count("game_reads", "miss" if cached is None else "hit")
        if cached is not None:
            return self._continued(cached, self.store.read(game_id, cached.version - 1))
        return self._read_whole(game_id)

    def looked_up(self, game: Game, request_key: str) -> tuple[Remembered | None, Game]:
        """Return the stored response to a request, and the current game, in one round trip."""
        kept, records = self.store.look_up(game.id, game.version - 1, request_key)
        return kept, self._continued(game, records)

    def records(self, game: Game, after: int = 0, limit: int | None = None) -> list[Record]:
        """Read the records of a known game after a version, at most ``limit``."""
        if after >= game.version:
            return []
        tail = self._tails.find(game, after)
        if tail is not None:
            return list(tail[:limit])
        if after == 0:
            found = self.store.read(game.id, limit=limit)
            _check(found, chain.GENESIS, game.secrets)
            return found
        found = self.store.read(game.id, after - 1, None if limit is None else limit + 1)
        if found:
            _check(found[1:], found[0].hash, game.secrets)
        return found[1:]

    def caught_up(self, game: Game, missing: Sequence[Record]) -> Game:
        """Add the records that a conflict returned; if it returned none, the log is not the one known here."""
        if missing:
            return self._grown(game, missing)
        self._cache.drop(game.id)
        return self._read_whole(game.id)

    def _continued(self, known: Game, records: Sequence[Record]) -> Game:
        """Add the records from the game's last version on; reread a log that does not have that version."""
        if records and records[0].hash == known.head:
            return self._grown(known, records[1:])
        self._cache.drop(known.id)
        return self._read_whole(known.id)

    def _read_whole(self, game_id: str) -> Game:
        records = self.store.read(game_id)
        if not records:
            raise no_such_game()
        return self._grown(None, records)

    def _grown(self, game: Game | None, records: Sequence[Record]) -> Game:
        if game is None:
            _check(records, chain.GENESIS, secrets_in(records[0]))
            _check_ruleset(records[0])
        elif records:
            _check(records, game.head, game.secrets)
        else:
            return game
        with tracing.span("fold", events=len(records)):
            game = history.fold(records, game)
        self.keep(game, records)
        return game


def _check(records: Sequence[Record], head: str, secrets: Secrets) -> None:
    """Check records that follow a hash; raise ``LogDamaged``."""
    try:
        verify(records, head, secrets, canonical)
    except chain.BrokenChain as broken:
        raise LogDamaged(records[0].game_id, broken.version, str(broken)) from broken


def _check_ruleset(first: Record) -> None:
    ruleset = first.data["ruleset"]
    if ruleset not in RULESETS:
        message = f"the ruleset of {first.game_id} is not installed: {ruleset}; install its package again"
        raise RulesetMissing(first.game_id, first.version, message)


def secrets_in(first: Record) -> Secrets:
    """Return the secrets of a game, as they were at its first record; raise ``LogDamaged`` if it has none."""
    try:
        secret = bytes.fromhex(str(first.whole_data()["secret"]))
        deals = of_deals(secret, first.game_id) if first.data.get("deal_anchor") is not None else None
        return Secrets(first.game_id, secret, deals)
    except (LookupError, ValueError) as error:
        raise LogDamaged(first.game_id, first.version, "it does not create a game") from error
