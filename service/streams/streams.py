"""The streams of a process: opened in the thread of a request, and continued by the event loop."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import redis

from service.accounts.limits import DEFAULTS, Amounts, refuse
from service.common.observability import METRICS, ProcessMetrics
from service.common.time_limit import TimeLimit
from service.streams.follower import SEND_SECONDS, Follower, Receive, Send
from service.streams.forms import Form
from service.streams.hub import Hub
from service.streams.source import Source

_log = logging.getLogger("plateau.stream")


class Streams:
    """What the streams of a process share: the hub, and the count of open streams."""

    def __init__(self, client: redis.Redis, limits: Amounts = DEFAULTS, metrics: ProcessMetrics = METRICS) -> None:
        self.hub = Hub(client)
        self.sending = TimeLimit(SEND_SECONDS)
        self.places = Places(limits)
        self._metrics = metrics
        self.is_closing = False

    def close(self) -> None:
        """Stop listening; call it when no stream is open any more."""
        self.hub.close()

    def count(self, why: str, items: int) -> None:
        """Count a stream that has ended, and the items that it sent."""
        self._metrics.count("streams_ended", why)
        self._metrics.count("stream_items", times=items)

    def account_changed(self, player: str | None) -> None:
        """Let all streams of a player (None: of all players) check again whether they may continue, from any thread."""
        self.hub.wake_soon(player)


class Stream:
    """A stream that a request has opened: ``run`` continues the response, after its head and its first items."""

    continues = True

    def __init__(
        self, streams: Streams, source: Source, form: Form, cursor: str, address: str, fields: Mapping[str, Any]
    ) -> None:
        self._streams = streams
        self._player, self._address = source.player, address
        self._form = form
        self._fields = fields
        self._follower = Follower(streams, source, cursor)

    async def run(self, receive: Receive, send: Send) -> bool:
        """Send what is new until the stream ends; the response is then complete (False)."""
        began, why = time.monotonic(), "broken-off"
        try:
            with self._streams.places.taken(self._player, self._address):
                why = await self._follower.stream(self._form, receive, send)
        finally:
            self._streams.count(why, self._follower.items)
            took = {"seconds": round(time.monotonic() - began, 1), "items": self._follower.items, "ended": why}
            _log.info("stream", extra={"fields": {**self._fields, **took}})
        return False

    def close(self) -> None:
        """End the stream, because the process ends."""
        self._follower.close()


class Wait:
    """A request that waits for updates: ``run`` waits; the request is then handled once more (True)."""

    continues = False

    def __init__(self, streams: Streams, source: Source, cursor: str, address: str, seconds: float) -> None:
        self._streams = streams
        self._player, self._address = source.player, address
        self._follower = Follower(streams, source, cursor)
        self._seconds = seconds

    async def run(self, receive: Receive, _send: Send) -> bool:
        """Wait; return False if the client has left."""
        with self._streams.places.taken(self._player, self._address):
            return await self._follower.wait(self._seconds, receive)

    def close(self) -> None:
        """Wake all waiting requests and reject new ones, because the process is shutting down."""
        self._streams.is_closing = True
        self._follower.close()


# -- how many streams and waiting requests a process has: for each player, from each address, and in total -------------


BUCKETS = ("streams", "streams-from-address", "streams-in-process")
_RETRY_SECONDS = 15.0


class Places:
    """Count open streams against the limits of this process; requests that race can exceed them by a few."""

    def __init__(self, amounts: Amounts) -> None:
        self._amounts = amounts
        self._taken: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def check(self, player: str | None, address: str) -> None:
        """Raise ``Limited`` if there is no room for one more."""
        for bucket, whom in _counted(player, address):
            if 0 < self._amounts.get(bucket, 0) <= self._taken.get((bucket, whom), 0):
                refuse(bucket, self._amounts[bucket], _RETRY_SECONDS)

    def open(self) -> int:
        """Return how many streams are open."""
        return self._taken[BUCKETS[2], ""]

    @contextmanager
    def taken(self, player: str | None, address: str) -> Iterator[None]:
        """Count a stream while it is open."""
        counted = _counted(player, address)
        self._count(counted, 1)
        try:
            yield
        finally:
            self._count(counted, -1)

    def _count(self, counted: list[tuple[str, str]], number: int) -> None:
        with self._lock:
            for place in counted:
                self._taken[place] += number
                if not self._taken[place]:
                    del self._taken[place]


def _counted(player: str | None, address: str) -> list[tuple[str, str]]:
    by_player = [] if player is None else [(BUCKETS[0], player)]
    return [*by_player, (BUCKETS[1], address), (BUCKETS[2], "")]
