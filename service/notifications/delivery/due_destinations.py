"""The list of due destinations: the destinations of all players by the time at which each is due, taken with a lease.

A courier that takes a destination holds it until it is settled, or until the lease ends. No other courier gets it until
then, but it can become due again. If the courier is killed, the destination is taken again after the lease.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, cast, get_args

import redis

from service.notifications.delivery.destinations import TURN_SECONDS, Destination, Kind
from service.store import keys
from service.store.scripts import script

_KEYS = (keys.OUTBOX, keys.OUTBOX_LEASES, keys.OUTBOX_CALLS)
_MOST_AT_ONCE = 500
_MOST_TOLD_APART = 10_000

LEASE_MS = TURN_SECONDS * 1000 + 10_000


@dataclass(frozen=True, slots=True)
class Taken:
    """A destination that was taken; ``until``, the end of the lease in ms, also tells this lease from later ones."""

    destination: Destination
    until: int


class DueDestinations:
    def __init__(self, client: redis.Redis, lease_ms: int = LEASE_MS) -> None:
        self._redis = client
        self._lease_ms = lease_ms
        self._make_due, self._take, self._settle = (
            script(client, __name__, name) for name in ("make_due", "take_due", "finish_delivery")
        )

    def make_due(self, destinations: Iterable[Destination], at: int = 0) -> None:
        """Make destinations due at a time in ms, by default at once; one that is due earlier stays so."""
        wanted = [_written(destination) for destination in destinations]
        for start in range(0, len(wanted), _MOST_AT_ONCE):
            self._make_due(keys=(keys.OUTBOX, keys.OUTBOX_CALLS), args=[at, *wanted[start : start + _MOST_AT_ONCE]])

    def take(self, most: int) -> list[Taken]:
        """Take destinations that are due, first those whose taker was killed, then the longest due."""
        return self.take_or_learn(most)[0]

    def take_or_learn(self, most: int) -> tuple[list[Taken], float]:
        """Take destinations that are due; return also in how many seconds another one is due, if nothing changes."""
        found = self._take(keys=_KEYS, args=[self._lease_ms, most])
        until, later, *destinations = cast("list[Any]", found)
        rest = int(later) / 1000 if int(later) >= 0 else inf
        return [Taken(_read(destination), int(until)) for destination in destinations], rest

    def wait(self, seconds: float) -> None:
        """Wait until something is due that was not, for at most so many seconds; one of those who wait notices."""
        self._redis.blpop([keys.OUTBOX_CALLS], seconds)

    def settle(self, taken: Taken, again: int | None) -> bool:
        """Return a destination, due again at a time in ms or (None) when something makes it due.

        Return False, and change nothing, if the lease has ended and the destination was taken again.
        """
        args: list[str | int] = [_written(taken.destination), taken.until, "" if again is None else again]
        return bool(self._settle(keys=_KEYS, args=args))

    def overdue(self, now: int) -> int:
        return self._redis.zcount(keys.OUTBOX, "-inf", now)

    def overdue_kinds(self, now: int) -> Mapping[str, int]:
        """Count them by kind; if there are more than ten thousand, those that became due later count as ``other``."""
        oldest = cast("list[bytes]", self._redis.zrangebyscore(keys.OUTBOX, "-inf", now, 0, _MOST_TOLD_APART))
        others = self.overdue(now) - len(oldest) if len(oldest) == _MOST_TOLD_APART else 0
        kinds = Counter[str](dict.fromkeys(get_args(Kind), 0))
        kinds.update(_read(each).kind for each in oldest)
        return kinds | {"other": others}

    def waiting(self) -> tuple[int, int, int | None]:
        """Count the destinations that wait and those that are served; return also when in ms the first one is due."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.zcard(keys.OUTBOX)
        pipe.zcard(keys.OUTBOX_LEASES)
        pipe.zrange(keys.OUTBOX, 0, 0, withscores=True)
        number, served, first = cast("tuple[int, int, list[tuple[bytes, float]]]", pipe.execute())
        return number, served, int(first[0][1]) if first else None


def _written(destination: Destination) -> str:
    return f"{destination.player} {destination.field}"


def _read(written: bytes) -> Destination:
    player, kind, destination_id = written.decode().split(" ")
    return Destination(player, cast("Kind", kind), destination_id)
