"""What the streams of all web processes do, kept in Redis so that every process can show it."""

import logging
import secrets
import threading
import time
from dataclasses import dataclass
from typing import cast

import redis

from service.store import keys
from service.store.event_store import unavailable
from service.store.store_clock import StoreClock
from service.streams.streams import Streams

_log = logging.getLogger(__name__)
_REPORT_SECONDS = 5.0
_BELIEVED_SECONDS = 30
"""A process that has not reported for so long has ended."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a web process reports: its open streams, when (in s since 1970), and the skew of its clock in ms.

    Earlier releases report no skew.
    """

    open: int
    at: int
    skew: int


class StreamFigures:
    """The open streams of each process, and counters of what streams have sent and how they ended."""

    def __init__(self, client: redis.Redis, streams: Streams, clock: StoreClock) -> None:
        self._redis = client
        self._clock = clock
        self._streams = streams
        self._process = secrets.token_hex(4)

    def report_for_ever(self) -> None:
        """Report from a thread of its own, for the lifetime of the process."""
        threading.Thread(target=self._report_for_ever, name="stream-figures", daemon=True).start()

    def _report_for_ever(self) -> None:
        while True:
            time.sleep(_REPORT_SECONDS)
            try:
                self.report()
            except redis.RedisError as error:
                _log.warning("the figures of streams were not reported: %s", type(error).__name__)

    def report(self) -> None:
        """Write how many streams are open here, and count what has ended since the last time."""
        ended, items = self._streams.take_counts()
        now = int(self._clock.seconds())
        pipe = self._redis.pipeline(transaction=False)
        pipe.hset(keys.STREAMS, self._process, f"{self._streams.places.open()} {now} {self._clock.skew()}")
        pipe.pexpire(keys.STREAMS, 2 * _BELIEVED_SECONDS * 1000)
        if items:
            pipe.hincrby(keys.COUNTERS, "stream_items", items)
        for why, number in ended.items():
            pipe.hincrby(keys.COUNTERS, f"streams_ended {why}", number)
        for process, each in _reports(self._redis).items():
            if each.at < now - _BELIEVED_SECONDS:
                pipe.hdel(keys.STREAMS, process)
        pipe.execute()

    def open(self) -> int:
        """Return how many streams and waiting requests are open in all processes."""
        return sum(each.open for each in living(self._redis, self._clock))


def skew_of_all(client: redis.Redis, clock: StoreClock) -> int:
    """Return by how many ms the clock of a web process differs from the store's: of all processes, the most."""
    return max((abs(each.skew) for each in living(client, clock)), default=0)


def living(client: redis.Redis, clock: StoreClock) -> list[Report]:
    """Return what the processes that have not ended have reported."""
    since = clock.seconds() - _BELIEVED_SECONDS
    return [each for each in _reports(client).values() if each.at >= since]


def _reports(client: redis.Redis) -> dict[bytes, Report]:
    with unavailable():
        kept = cast("dict[bytes, bytes]", client.hgetall(keys.STREAMS))
    return {process: _read(line) for process, line in kept.items()}


def _read(line: bytes) -> Report:
    number, at, *skew = line.split(b" ")
    return Report(int(number), int(at), int(skew[0]) if skew else 0)
