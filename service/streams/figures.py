"""What the streams of all web processes do, kept in Redis so that every process can show it."""

import logging
import secrets
import threading
import time
from typing import cast

import redis

from service.store import keys
from service.store.event_store import unavailable
from service.streams.streams import Streams

_log = logging.getLogger(__name__)
_REPORT_SECONDS = 5.0
_BELIEVED_SECONDS = 30
"""A process that has not reported for so long has ended."""


class StreamFigures:
    """The open streams of each process, and counters of what streams have sent and how they ended."""

    def __init__(self, client: redis.Redis, streams: Streams) -> None:
        self._redis = client
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
        pipe = self._redis.pipeline(transaction=False)
        pipe.hset(keys.STREAMS, self._process, f"{self._streams.places.open()} {time.time():.0f}")
        pipe.pexpire(keys.STREAMS, 2 * _BELIEVED_SECONDS * 1000)
        if items:
            pipe.hincrby(keys.COUNTERS, "stream_items", items)
        for why, number in ended.items():
            pipe.hincrby(keys.COUNTERS, f"streams_ended {why}", number)
        for process in self._silent():
            pipe.hdel(keys.STREAMS, process)
        pipe.execute()

    def open(self) -> int:
        """Return how many streams and waiting requests are open in all processes."""
        with unavailable():
            silent = self._silent()
            return sum(int(kept.split(b" ")[0]) for process, kept in self._all().items() if process not in silent)

    def _silent(self) -> set[bytes]:
        """Return the processes that have ended."""
        since = time.time() - _BELIEVED_SECONDS
        return {process for process, kept in self._all().items() if int(kept.split(b" ")[1]) < since}

    def _all(self) -> dict[bytes, bytes]:
        return cast("dict[bytes, bytes]", self._redis.hgetall(keys.STREAMS))
