"""The threads that read sources for all streams of a process, so that neither request threads nor the loop wait."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple

from service.streams.source import Batch, Source

_AT_ONCE = 32
"""How many sources a thread reads before it hands the results over: each hand-over wakes the loop."""


class _Order(NamedTuple):
    """A source to read, and where the result goes."""

    source: Source
    after: str
    heard: str | None
    result: "asyncio.Future[Batch]"


class Readers:
    """Read sources in a number of threads, in the order in which they are asked for."""

    def __init__(self, threads: int = 2) -> None:
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        self._to_start = threads

    async def read(self, source: Source, after: str, heard: str | None) -> Batch:
        """Read a source; what it raises is raised here. The threads start when they are first needed."""
        while self._to_start:
            self._to_start -= 1
            threading.Thread(target=self._work, name="stream-reader", daemon=True).start()
        result: asyncio.Future[Batch] = asyncio.get_running_loop().create_future()
        self._orders.put(_Order(source, after, heard, result))
        return await result

    def _work(self) -> None:
        while True:
            orders = self._taken()
            found = [(order.result, _outcome(order)) for order in orders]
            for loop in {order.result.get_loop() for order in orders}:
                with suppress(RuntimeError):  # the loop has ended, and with it the streams
                    loop.call_soon_threadsafe(_settle, [each for each in found if each[0].get_loop() is loop])

    def _taken(self) -> Sequence[_Order]:
        """Wait for an order, and take with it what else there is."""
        orders = [self._orders.get()]
        with suppress(Empty):
            while len(orders) < _AT_ONCE:
                orders.append(self._orders.get_nowait())
        return orders


def _outcome(order: _Order) -> Batch | Exception:
    try:
        return order.source.read(order.after, order.heard)
    except Exception as failure:  # noqa: BLE001 - the stream that asked handles it
        return failure


def _settle(found: Sequence[tuple["asyncio.Future[Batch]", Batch | Exception]]) -> None:
    for result, outcome in found:
        settle: Callable[..., None] = result.set_exception if isinstance(outcome, Exception) else result.set_result
        if not result.done():  # it is done if the stream ended meanwhile
            settle(outcome)
