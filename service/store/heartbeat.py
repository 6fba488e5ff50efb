"""The heartbeat of the web processes, and the downtimes of the service that follow from it.

While players cannot act, their time must not run out. So each web process beats, and a beat after more than a minute of
silence records a downtime. Workers and dispatchers do not beat: time is not credited when only they were down.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import redis

from service.store import keys
from service.store.scripts import script
from service.store.store_clock import StoreClock, steady_seconds

_log = logging.getLogger(__name__)

LONGEST_SILENCE = 60_000
"""In ms; a longer silence is a downtime."""

ODD_SILENCE = 15_000
"""In ms; a longer silence may be the start of a downtime, and until that is known, no seat times out."""

_BEAT_SECONDS = 5.0
_MOST_REMEMBERED = 100

Downtime = tuple[int, int]
"""From and until, in ms since 1970."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """The downtimes known at a time, and the last beat of any web process, in ms by the steady clock of this host.

    The two change together, so a thread never sees downtimes that are older than the beat beside them.
    """

    downtimes: tuple[Downtime, ...]
    last_beat: float
    silence: int


class Heartbeat:
    """The heartbeat in one Redis, and the downtimes last read from there.

    A process that ``serves`` also beats whenever it reads. ``now`` counts seconds and must advance while the machine
    sleeps. ``clock`` hears the time of the store beside each beat.
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
        self._heard: _Heard | None = None

    def downtimes(self) -> Sequence[Downtime]:
        """Return the past downtimes, oldest first.

        Within 15 s of a beat the cache is current; after that, read Redis again: it may just have come back, and the
        time that a player seems to have used may be a downtime.
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
        """Beat in the background from now on; the first beat is recorded before this returns."""
        self.beat()
        threading.Thread(target=self._go_on_beating, name="heartbeat", daemon=True).start()

    def _go_on_beating(self) -> None:
        while True:
            threading.Event().wait(_BEAT_SECONDS)
            try:
                self.beat()
            except Exception as error:  # noqa: BLE001 - without a heartbeat, all clocks would stand still
                _log.warning("cannot record a heartbeat: %s", error)

    def _hear(self, how: Literal["beat", "listen"]) -> _Heard:
        asked = 1000 * self._now()
        said = self._script(keys=[keys.HEARTBEAT, keys.DOWNTIMES], args=[how, LONGEST_SILENCE, _MOST_REMEMBERED])
        silence, known, store_ms = cast("tuple[int, list[bytes], int]", said)
        self.clock.hear(store_ms)
        last_beat = asked if how == "beat" else asked - silence
        self._heard = heard = _Heard(tuple(map(_downtime, known)), last_beat, silence)
        return heard


def _downtime(member: bytes) -> Downtime:
    began, ended = member.split(b"-")
    return int(began), int(ended)
