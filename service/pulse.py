"""The heartbeat of the web processes, and from it the times at which the service was down.

While nobody can act, nobody's time should run out: each web process beats, and a beat that comes after more than a
minute of silence records a downtime. Workers and dispatchers do not beat: that they are down gives no time back.
"""

import logging
import threading
from collections.abc import Sequence
from typing import cast

import redis

from service import keys
from service.store import unavailable

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


class Pulse:
    """The heartbeat kept in one Redis, and the downtimes last read from there."""

    def __init__(self, client: redis.Redis) -> None:
        self._script = client.register_script(_BEAT)
        self._downtimes: tuple[Downtime, ...] = ()

    def downtimes(self) -> Sequence[Downtime]:
        """Give the downtimes as last heard of, oldest first."""
        return self._downtimes

    def beat(self) -> None:
        """Show that this web process serves."""
        self._hear("beat")

    def silence(self) -> int:
        """Say for how many ms no web process has shown that it serves; 0 where none ever has."""
        return self._hear("listen")

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

    def _hear(self, how: str) -> int:
        with unavailable():
            said = self._script(keys=[keys.HEARTBEAT, keys.DOWNTIMES], args=[how, LONGEST_SILENCE, _MOST_REMEMBERED])
        silence, known = cast("tuple[int, list[bytes]]", said)
        self._downtimes = tuple(_downtime(each) for each in known)
        return int(silence)


def _downtime(member: bytes) -> Downtime:
    began, ended = member.split(b"-")
    return int(began), int(ended)
