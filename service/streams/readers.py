"""The threads that read sources for all streams of a process, so that neither request threads nor the loop wait."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

from service.common.metrics import METRICS
from service.streams.source import Batch, Source

_AT_ONCE = 32
"""How many sources a thread reads for a topic before it hands the results over: each hand-over wakes the loop."""

_MOST_WAITING = 10_000
"""How much can wait for the threads before news of topics that many follow are dropped."""


class Following(Protocol):
    """A subscriber to a source; ``is_idle`` tells whether it waits for updates."""

    source: Source
    cursor: str

    @property
    def is_idle(self) -> bool:
        """Return whether the subscriber waits for updates; may be called from any thread."""
        ...

    def take(self, news: "News") -> None:
        """Take what was read for them, on the event loop."""
        ...


class News(NamedTuple):
    """Updates of a topic up to the cursor ``heard``, and what was read for a subscriber, if it waited."""

    following: Following
    after: str
    heard: str
    outcome: Batch | Exception | None


class _Order(NamedTuple):
    """A source to read, and where the result goes."""

    source: Source
    after: str
    heard: str | None
    result: "asyncio.Future[Batch]"


class _Call(NamedTuple):
    """Those who follow a topic that has news, and their loop."""

    following: Sequence[Following]
    heard: str
    loop: asyncio.AbstractEventLoop


class Readers:
    """Read sources in a number of threads, in the order in which they are asked for."""

    def __init__(self, threads: int = 2) -> None:
        self._orders: SimpleQueue[_Order | _Call | Callable[[], None]] = SimpleQueue()
        self._to_start = threads

    async def read(self, source: Source, after: str, heard: str | None) -> Batch:
        """Read a source; what it raises is raised here."""
        result: asyncio.Future[Batch] = asyncio.get_running_loop().create_future()
        self._put(_Order(source, after, heard, result))
        return await result

    def run(self, errand: Callable[[], None]) -> None:
        """Run something that must not keep the loop waiting."""
        self._put(errand)

    def read_for(self, following: Sequence[Following], heard: str, loop: asyncio.AbstractEventLoop) -> None:
        """Read for all who follow a topic that has news, and hand it over to them; from the thread that hears of it.

        That thread reads for a few by itself; if there are more, it must not keep other topics waiting.
        """
        call = _Call(following, heard, loop)
        if len(following) <= _AT_ONCE:
            _read_for_all(call)
        elif self._orders.qsize() < _MOST_WAITING:
            self._orders.put(call)  # a follower has read before, so the threads have started
        else:
            METRICS.count("news_dropped")  # those who follow look at the store with their next heartbeat

    def _put(self, order: _Order | Callable[[], None]) -> None:
        """Put an order for the threads, which start when they are first needed."""
        while self._to_start:
            self._to_start -= 1
            threading.Thread(target=self._work, name="stream-reader", daemon=True).start()
        self._orders.put(order)

    def _work(self) -> None:
        while True:
            order = self._orders.get()
            if isinstance(order, _Call):
                _read_for_all(order)
            elif isinstance(order, _Order):
                outcome = _outcome(order.source, order.after, order.heard)
                _call(order.result.get_loop(), _settle, order.result, outcome)
            else:
                order()


def _read_for_all(call: _Call) -> None:
    """Read for those who wait; the others read for themselves when they are ready for more."""
    for start in range(0, len(call.following), _AT_ONCE):
        part = [_news(each, call.heard) for each in call.following[start : start + _AT_ONCE]]
        _call(call.loop, _hand_over, part)


def _news(following: Following, heard: str) -> News:
    after = following.cursor
    outcome = _outcome(following.source, after, heard) if following.is_idle else None
    return News(following, after, heard, outcome)


def _hand_over(news: Sequence[News]) -> None:
    for each in news:
        each.following.take(each)


def _outcome(source: Source, after: str, heard: str | None) -> Batch | Exception:
    try:
        return source.read(after, heard)
    except Exception as failure:  # noqa: BLE001 - the stream that asked handles it
        return failure


def _call(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *args: Any) -> None:
    with suppress(RuntimeError):  # the loop has ended, and with it the streams
        loop.call_soon_threadsafe(call, *args)


def _settle(result: "asyncio.Future[Batch]", outcome: Batch | Exception) -> None:
    settle: Callable[..., None] = result.set_exception if isinstance(outcome, Exception) else result.set_result
    if not result.done():  # it is done if the stream has ended
        settle(outcome)
