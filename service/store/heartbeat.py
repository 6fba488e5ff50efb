"""The clock of the store, the heartbeat of the web processes, and the downtimes that follow from it.

The clocks of hosts differ and jump. So everything on which the processes of a service must agree (the times of events,
deadlines, downtimes, leases) follows the clock of the store. Redis returns its time with the heartbeat, so this costs
no round trip; in between, a process adds the time of a clock that is never set.

While players cannot act, their time must not run out. So each web process beats, and a beat after more than a minute of
silence records a downtime. Workers and dispatchers do not beat: if only they were down, no time is credited.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal, cast

import redis

from service.store import keys
from service.store.event_store import StoreUnavailable
from service.store.scripts import script

MOST_SKEW = 5_000
"""In ms; a process whose own clock differs by more logs a warning."""

_FRESH_SECONDS = 15.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


steady_seconds: Callable[[], float] = partial(time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
"""Returns seconds that only increase, also while the machine sleeps or its clock is set."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The time of the store, in ms since 1970, at a time of the steady clock."""

    store_ms: int
    at: float


class StoreClock:
    """The time of one store.

    ``steady`` counts seconds; ``local`` returns the time of this host's clock, in s since 1970.
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
        self._heard: _Reading | None = None
        self._has_warned = False

    def now_ms(self) -> int:
        """Return the time in ms since 1970: never ahead of the store, and behind it by the delay of one reply at most.

        Read the store's time if its last reply is older than 15 s. While it cannot be reached, count locally, because
        nothing can be written then. Raise ``StoreUnavailable`` if it has never replied.
        """
        heard = self._heard
        if heard is None or self._steady() - heard.at > _FRESH_SECONDS:
            heard = self._asked(heard)
        return heard.store_ms + int(1000 * (self._steady() - heard.at))

    def now(self) -> str:
        """Return the time in the form of the log: RFC 3339, UTC, with milliseconds."""
        now = _EPOCH + timedelta(milliseconds=self.now_ms())
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def seconds(self) -> float:
        return self.now_ms() / 1000

    def hear(self, store_ms: int) -> _Reading:
        self._heard = heard = _Reading(store_ms, self._steady())
        self._warn(heard)
        return heard

    def skew(self) -> int:
        """Return by how many ms the clock of this host is ahead of the store; negative if it is behind."""
        return round(1000 * self._local()) - self.now_ms()

    def _asked(self, before: _Reading | None) -> _Reading:
        try:
            seconds, micros = self._redis.time()
        except StoreUnavailable:
            if before is None:
                raise
            return before
        return self.hear(1000 * seconds + micros // 1000)

    def _warn(self, heard: _Reading) -> None:
        """Log once that the clock of this host is wrong, and again only if it was right in between."""
        skew = round(1000 * self._local()) - heard.store_ms
        is_off = abs(skew) > MOST_SKEW
        if is_off and not self._has_warned:
            text = "the clock of this host is %.1f s %s that of Redis, which the service goes by; synchronize it (NTP)"
            _log.warning(text, abs(skew) / 1000, "ahead of" if skew > 0 else "behind")
        self._has_warned = is_off


_log = logging.getLogger(__name__)

LONGEST_SILENCE = 60_000
"""In ms; a longer silence is a downtime."""

ODD_SILENCE = 15_000
"""In ms; a longer silence may be the start of a downtime. While it lasts, no seat times out."""

_BEAT_SECONDS = 5.0
_MOST_REMEMBERED = 100

Downtime = tuple[int, int]
"""From and until, in ms since 1970."""


@dataclass(frozen=True, slots=True)
class _Beat:
    """The downtimes read at a time, and the last beat of any web process, in ms by the steady clock of this host.

    The two change together, so a thread never sees downtimes that are older than the beat.
    """

    downtimes: tuple[Downtime, ...]
    last_beat: float
    silence: int


class Heartbeat:
    """The heartbeat in one Redis, and the downtimes last read from it.

    A process that ``serves`` also beats whenever it reads. ``now`` counts seconds and must advance while the machine
    sleeps. ``clock`` gets the time of the store with each beat.
    """

    def __init__(
        self,
        client: redis.Redis,
        *,
        serves: bool = False,
        now: Callable[[], float] = steady_seconds,
        clock: StoreClock | None = None,
    ) -> None:
        self.clock = clock or StoreClock(client)
        self._script = script(client, __name__, "beat")
        self._now = now
        self._how: Literal["beat", "listen"] = "beat" if serves else "listen"
        self._heard: _Beat | None = None

    def downtimes(self) -> Sequence[Downtime]:
        """Return the past downtimes, oldest first.

        The cache is current for 15 s after a beat. After that, read Redis: it may just have come back, and the time
        that a player seems to have used may be a downtime.
        """
        heard = self._heard
        if heard is None or abs(1000 * self._now() - heard.last_beat) > ODD_SILENCE:
            heard = self._hear(self._how)
        return heard.downtimes

    def beat(self) -> None:
        self._hear("beat")

    def silence(self) -> int:
        """Return the ms since the last beat of any web process, or 0 if there has never been one."""
        return self._hear("listen").silence

    def beat_for_ever(self) -> None:
        """Beat in the background; the first beat is recorded before this returns."""
        self.beat()
        threading.Thread(target=self._continue_beating, name="heartbeat", daemon=True).start()

    def _continue_beating(self) -> None:
        while True:
            threading.Event().wait(_BEAT_SECONDS)
            try:
                self.beat()
            except Exception as error:  # noqa: BLE001 - without a heartbeat, all clocks would stand still
                _log.warning("cannot record a heartbeat: %s", error)

    def _hear(self, how: Literal["beat", "listen"]) -> _Beat:
        asked = 1000 * self._now()
        said = self._script(keys=[keys.HEARTBEAT, keys.DOWNTIMES], args=[how, LONGEST_SILENCE, _MOST_REMEMBERED])
        silence, known, store_ms = cast("tuple[int, list[bytes], int]", said)
        self.clock.hear(store_ms)
        last_beat = asked if how == "beat" else asked - silence
        self._heard = heard = _Beat(tuple(map(_downtime, known)), last_beat, silence)
        return heard


def _downtime(member: bytes) -> Downtime:
    began, ended = member.split(b"-")
    return int(began), int(ended)
