"""The heartbeat of the web processes, and from it the times at which the service was down.

While nobody can act, nobody's time should run out: each web process beats, and a beat that comes after more than a
minute of silence records a downtime. Workers and dispatchers do not beat: that they are down gives no time back.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import redis

from service.store import keys
from service.store.event_store import unavailable

_log = logging.getLogger(__name__)

LONGEST_SILENCE = 60_000
"""In ms; more is a downtime."""

ODD_SILENCE = 15_000
"""In ms; more may be the beginning of a downtime, and until it is known whether it is, nobody's time runs out."""

_BEAT_SECONDS = 5.0
_MOST_REMEMBERED = 100

_BEAT = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call('GET', KEYS[1]) or now)
if ARGV[1] == 'beat' then
  redis.call('SET', KEYS[1], string.format('%.0f', now))
  if now - last > tonumber(ARGV[2]) then
    redis.call('ZADD', KEYS[2], string.format('%.0f', now), string.format('%.0f-%.0f', last, now))
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
  end
end
return {now - last, redis.call('ZRANGE', KEYS[2], 0, -1)}
"""

Downtime = tuple[int, int]
"""From and until, in ms since 1970."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """The downtimes known then, and when some web process last showed that it serves, in ms by the clock here.

    Both change as one: what a thread heard too late for another is at least as old as it says.
    """

    downtimes: tuple[Downtime, ...]
    last_beat: float
    silence: int


class Heartbeat:
    """The heartbeat kept in one Redis, and the downtimes last read from there.

    A web process ``serves``: whenever it asks, it beats. ``now`` gives the time in seconds; it must go on while the
    machine sleeps.
    """

    def __init__(self, client: redis.Redis, *, serves: bool = False, now: Callable[[], float] = time.time) -> None:
        self._script = client.register_script(_BEAT)
        self._now = now
        self._how: Literal["beat", "listen"] = "beat" if serves else "listen"
        self._heard: _Heard | None = None

    def downtimes(self) -> Sequence[Downtime]:
        """Give the downtimes that are over, oldest first.

        None can have ended unheard of shortly after a beat. Later than that Redis is asked: it may just have come back,
        and the time that a player seems to have used may be a downtime.
        """
        heard = self._heard
        if heard is None or abs(1000 * self._now() - heard.last_beat) > ODD_SILENCE:
            heard = self._hear(self._how)
        return heard.downtimes

    def beat(self) -> None:
        """Show that this web process serves."""
        self._hear("beat")

    def silence(self) -> int:
        """Say for how many ms no web process has shown that it serves; 0 where none ever has."""
        return self._hear("listen").silence

    def beat_for_ever(self) -> None:
        """Beat in the background from now on; the first beat is done when this returns."""
        self.beat()
        threading.Thread(target=self._go_on_beating, name="heartbeat", daemon=True).start()

    def _go_on_beating(self) -> None:
        while True:
            threading.Event().wait(_BEAT_SECONDS)
            try:
                self.beat()
            except Exception as error:  # noqa: BLE001 - a heart that stops would let clocks stand still for ever
                _log.warning("no heartbeat: %s", error)

    def _hear(self, how: Literal["beat", "listen"]) -> _Heard:
        asked = 1000 * self._now()
        with unavailable():
            said = self._script(keys=[keys.HEARTBEAT, keys.DOWNTIMES], args=[how, LONGEST_SILENCE, _MOST_REMEMBERED])
        silence, known = cast("tuple[int, list[bytes]]", said)
        last_beat = asked if how == "beat" else asked - silence
        self._heard = heard = _Heard(tuple(map(_downtime, known)), last_beat, silence)
        return heard


def _downtime(member: bytes) -> Downtime:
    began, ended = member.split(b"-")
    return int(began), int(ended)
