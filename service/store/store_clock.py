"""The one clock of a service: that of the Redis of the games, as each process knows it.

Hosts have clocks of their own, which differ and jump. What the processes of a service have to agree on (the times of
events, deadlines, downtimes, leases) goes by the clock of the store. Redis says its time beside the heartbeat, so this
costs no round trip; in between, a process counts on from there with a clock that nobody sets.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import redis

from service.store.event_store import StoreUnavailable

_log = logging.getLogger(__name__)

MOST_SKEW = 5_000
"""In ms; a process whose own clock differs by more says so."""

_FRESH_SECONDS = 15.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


steady_seconds: Callable[[], float] = partial(time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
"""Returns seconds that only go forward, also while the machine sleeps, whatever its clock is set to."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """The time of the store, in ms since 1970, at a time of the steady clock."""

    store_ms: int
    at: float


class StoreClock:
    """The time of one store.

    ``steady`` counts seconds; ``local`` returns the time that this host takes it to be, in s since 1970.
    """

    def __init__(
        self,
        client: redis.Redis,
        steady: Callable[[], float] = steady_seconds,
        local: Callable[[], float] = time.time,
    ) -> None:
        self._redis = client
        self._steady = steady
        self._local = local
        self._heard: _Heard | None = None
        self._has_warned = False

    def now_ms(self) -> int:
        """Return the time in ms since 1970: never ahead of the store, and behind it by the delay of one reply at most.

        Ask the store if its last reply is older than 15 s. While it cannot be reached, count locally: nothing can be
        written then. Raise ``StoreUnavailable`` if it has never replied.
        """
        heard = self._heard
        if heard is None or self._steady() - heard.at > _FRESH_SECONDS:
            heard = self._asked(heard)
        return heard.store_ms + int(1000 * (self._steady() - heard.at))

    def now(self) -> str:
        """Return the time as the log writes it: RFC 3339, UTC, with milliseconds."""
        now = _EPOCH + timedelta(milliseconds=self.now_ms())
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def seconds(self) -> float:
        return self.now_ms() / 1000

    def hear(self, store_ms: int) -> _Heard:
        self._heard = heard = _Heard(store_ms, self._steady())
        self._warn(heard)
        return heard

    def skew(self) -> int:
        """Return by how many ms the clock of this host is ahead of the store; what it is behind by is negative."""
        return round(1000 * self._local()) - self.now_ms()

    def _asked(self, before: _Heard | None) -> _Heard:
        try:
            seconds, micros = self._redis.time()
        except StoreUnavailable:
            if before is None:
                raise
            return before
        return self.hear(1000 * seconds + micros // 1000)

    def _warn(self, heard: _Heard) -> None:
        """Say once that the clock of this host is off, and again after it was right in between."""
        skew = round(1000 * self._local()) - heard.store_ms
        is_off = abs(skew) > MOST_SKEW
        if is_off and not self._has_warned:
            text = "the clock of this host is %.1f s %s that of Redis, which the service goes by; synchronize it (NTP)"
            _log.warning(text, abs(skew) / 1000, "ahead of" if skew > 0 else "behind")
        self._has_warned = is_off
