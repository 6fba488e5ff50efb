"""The threads that read for streams, when there is more news than they can handle."""

import asyncio
import threading
from typing import Any, cast

import pytest

from service.common.metrics import METRICS
from service.streams import readers
from service.streams.readers import Following, Readers
from tests.support.server import PATIENCE, wait_until


def test_news_beyond_what_can_wait_are_dropped_and_counted(monkeypatch):
    monkeypatch.setattr(readers, "_MOST_WAITING", 3)
    threads, go_on, loop = Readers(threads=1), threading.Event(), asyncio.new_event_loop()
    threads.run(lambda: cast("Any", go_on.wait(PATIENCE)))
    wait_until(lambda: not threads._orders.qsize(), "the thread to begin")
    many = cast("list[Following]", [None] * (readers._AT_ONCE + 1))
    METRICS.take()
    for _ in range(5):
        threads.read_for(many, "7", loop)
    assert threads._orders.qsize() == 3
    assert METRICS.take()["news_dropped", ""] == 2
    while threads._orders.qsize():
        threads._orders.get()
    go_on.set()
    loop.close()


@pytest.mark.parametrize("number", [1, readers._AT_ONCE])
def test_news_that_few_follow_are_read_at_once_and_never_dropped(monkeypatch, number):
    monkeypatch.setattr(readers, "_MOST_WAITING", 0)
    taken: list[object] = []

    class Idle:
        """Somebody who is not waiting, and so takes news without a read."""

        source, cursor, is_idle = None, "1", False

        def take(self, news: object) -> None:
            taken.append(news)

    async def hear() -> None:
        following = cast("list[Following]", [Idle() for _ in range(number)])
        await asyncio.to_thread(Readers().read_for, following, "7", asyncio.get_running_loop())
        await asyncio.sleep(0)

    asyncio.run(hear())
    assert len(taken) == number
