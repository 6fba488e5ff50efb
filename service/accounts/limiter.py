"""Count against the limits: rates and places in Redis, requests, writes and events in the process.

The library ``limits`` counts rates in windows: the count of the last window weighs as much as that window overlaps the
period that ends now. A place belongs to a game that its player has started (``reserve_place.lua``). Only when
all places are taken does the limiter check their games, and frees the places of those that no longer count.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from operator import itemgetter
from typing import Any, cast

import redis
from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from service.accounts.limits import FREE, LIMITS, PLACE_DAYS, Amounts, Room, Toll, Unlimited, refuse
from service.store import keys
from service.store.event_store import StoreUnavailable
from service.store.scripts import script

_COUNTED: Mapping[str, frozenset[str]] = {
    "open-games": frozenset({"open"}),
    "running-games": frozenset({"open", "active", "paused"}),
    "seats": frozenset({"open", "active", "paused"}),
}
"""The statuses in which a game can keep a place; a game that leaves them never returns to them."""

_BEGINNING_MS = 120_000
"""How long a place is kept for a game or a seat that does not exist: it is being taken, or that has failed."""
_PLACE_MS = PLACE_DAYS * 24 * 3600 * 1000

Games = Callable[[Sequence[str]], Mapping[str, Mapping[str, Any] | None]]
"""Returns the public data of games by id, None for a game that does not exist."""


class Pace:
    """The rate of each client, as this process counts it; threads that race can let one extra request pass."""

    _MOST_KNOWN = 50_000

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._step = seconds / most
        self._slack = seconds
        self._now = now
        self._full_at: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait(self, whom: str) -> float:
        """Count a request and return 0, or return the seconds to wait if it is over the limit and was not counted."""
        wait = self.over(whom)
        if not wait:
            self.note(whom, 1)
        return wait

    def over(self, whom: str) -> float:
        """Return the seconds to wait until there is room for one more, 0 if there is room."""
        now = self._now()
        return max(0.0, self._full_at.get(whom, now) + self._step - now - self._slack)

    def note(self, whom: str, number: int) -> None:
        """Count so many, whether there is room or not."""
        now = self._now()
        with self._lock:
            full_at = max(self._full_at.get(whom, now), now) + number * self._step
            if len(self._full_at) >= self._MOST_KNOWN:
                self._forget()
            self._full_at[whom] = full_at

    def _forget(self) -> None:
        """Keep the busier half, so that this happens rarely, however many clients come."""
        busiest = sorted(self._full_at.items(), key=itemgetter(1), reverse=True)
        self._full_at = dict(busiest[: self._MOST_KNOWN // 2])


class _Storage(RedisStorage):
    """The library's storage on a client of ours, be it of one server or of a cluster."""

    def __init__(self, client: redis.Redis) -> None:
        # The address is not used, because the client knows it.
        super().__init__("redis://", connection_pool=client.connection_pool, key_prefix=keys.RATES)
        self.storage = client
        self.initialize_storage("")


class Limiter(Unlimited):
    """Count for all processes on one Redis, and for this process; ``games`` returns the public data of games by id."""

    def __init__(
        self, client: redis.Redis, amounts: Amounts, games: Games, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._redis = client
        self._amounts = {bucket: most for bucket, most in amounts.items() if most}
        self._games = games
        self._items = {
            bucket: RateLimitItemPerSecond(most, seconds)
            for bucket, most in self._amounts.items()
            if LIMITS[bucket].kept == "redis" and (seconds := LIMITS[bucket].seconds)
        }
        self._rates = SlidingWindowCounterRateLimiter(_Storage(client))
        self._paces = {
            bucket: Pace(most, seconds, now)
            for bucket, most in self._amounts.items()
            if LIMITS[bucket].kept != "redis" and (seconds := LIMITS[bucket].seconds)
        }
        self._take = script(client, __name__, "reserve_place")

    def pace(self, bucket: str, whom: str) -> None:
        """Count against a limit that is counted in this process; raise ``Limited`` if it is reached."""
        pace = self._paces.get(bucket)
        if pace is not None and (wait := pace.wait(whom)):
            refuse(bucket, self._amounts[bucket], wait)

    def check(self, bucket: str, whom: str) -> None:
        """Raise ``Limited`` if a limit that is counted by ``note`` is reached; count nothing."""
        pace = self._paces.get(bucket)
        if pace is not None and (wait := pace.over(whom)):
            refuse(bucket, self._amounts[bucket], wait)

    def note(self, bucket: str, whom: str, number: int) -> None:
        """Count so many against a limit of this process, even beyond it."""
        pace = self._paces.get(bucket)
        if pace is not None:
            pace.note(whom, number)

    def charge(self, toll: Toll, player: str, game_id: str) -> None:
        """Count a write to a game; raise ``Limited`` if a limit is reached.

        A write that one limit rejects does not count against the others, unless a simultaneous write takes the last
        room.
        """
        rates = [(bucket, whom) for bucket, whom in toll.rates if bucket in self._amounts]
        places = [bucket for bucket in toll.places if bucket in self._amounts]
        if len(rates) + len(places) > 1:
            for bucket, whom in rates:
                self._go_through(self._rates.test, bucket, whom, toll.cost)
        if places:
            self._take_places(places, player, game_id)
        for bucket, whom in rates:
            self._go_through(self._rates.hit, bucket, whom, toll.cost)

    def pay(self, toll: Toll, player: str, address: str, game_id: str, events: int) -> None:
        """Count a write to a game and its events; without an ``address``, it is the service's own: its events are free.

        It is accepted while there is any room for events, however many it appends.
        """
        written = [("events-written", player), ("events-written-from-address", address)] if address else []
        for bucket, whom in written:
            self.check(bucket, whom)
        if toll is not FREE:
            self.charge(toll, player, game_id)
        for bucket, whom in written:
            self.note(bucket, whom, events)

    def count(self, bucket: str, whom: str) -> None:
        """Count against a limit that all processes share; raise ``Limited`` if it is reached."""
        if bucket in self._items:
            self._go_through(self._rates.hit, bucket, whom)

    def room(self, bucket: str, whom: str) -> Room | None:
        """Return how much room a rate has; None if it has no limit, or cannot be read now."""
        if bucket not in self._items:
            return None
        try:
            return self._room(bucket, whom)
        except StoreUnavailable:
            return None

    def _go_through(self, try_rate: Callable[..., bool], bucket: str, whom: str, cost: int = 1) -> None:
        """Count against a rate, or only test whether it has room."""
        cost = min(cost, self._amounts[bucket])
        has_room = try_rate(self._items[bucket], bucket, keys.subject(whom), cost=cost)
        if not has_room:
            refuse(bucket, self._amounts[bucket], self._room(bucket, whom).after)

    def _room(self, bucket: str, whom: str) -> Room:
        at, left = self._rates.get_window_stats(self._items[bucket], bucket, keys.subject(whom))
        most, period = self._amounts[bucket], self._items[bucket].get_expiry()
        wait = at - time.time()
        if wait <= 0 and left < most:
            wait = period  # in the first millisecond of a window, the library takes its end for its beginning
        return Room(bucket, most, period, left, min(period, max(1, ceil(wait))))

    def _take_places(self, buckets: Sequence[str], player: str, game_id: str) -> None:
        places = [keys.places(bucket, player) for bucket in buckets]
        args: list[str | int] = [game_id, _PLACE_MS, *(self._amounts[bucket] for bucket in buckets)]
        while True:
            number, now, taken = cast("tuple[int, int, list[bytes]]", self._take(keys=places, args=args))
            if not number:
                return
            bucket = buckets[number - 1]
            free = self._given_up(bucket, player, now, taken)
            if not free:
                refuse(bucket, self._amounts[bucket])
            self._redis.zrem(places[number - 1], *free)

    def _given_up(self, bucket: str, player: str, now: int, taken: Sequence[bytes]) -> list[str]:
        """List the games that no longer need their place; ``taken`` alternates games and the times they took it."""
        since = {game.decode(): int(at) for game, at in zip(taken[::2], taken[1::2], strict=True)}
        games = self._games(list(since))
        return [
            game
            for game, at in since.items()
            if not _counts(bucket, player, games[game], is_beginning=now - at <= _BEGINNING_MS)
        ]


def _counts(bucket: str, player: str, shown: Mapping[str, Any] | None, *, is_beginning: bool) -> bool:
    """Return whether a game counts against a player's limit; what it takes the place for may only just begin."""
    if shown is None:
        return is_beginning
    is_there = bucket != "seats" or is_beginning or any(seat["player"] == player for seat in shown["seats"])
    return is_there and shown["status"] in _COUNTED[bucket]
