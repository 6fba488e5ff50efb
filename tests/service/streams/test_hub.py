"""News are read once for all who follow a topic in the same way, and never keep the loop from others for long."""

import asyncio
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import pytest

from service.common.greenlets import current
from service.store import change_feed
from service.store.redis.connections import connect
from service.streams.hub import Hub, Outcome
from service.streams.source import Batch
from tests.support.server import PATIENCE


class Source:
    """A topic as one kind of follower reads it: notes each read, and does what the test wants in it."""

    player = None

    def __init__(self, topic: str, shared: Hashable, in_read: Callable[[str | None], None] = lambda _: None) -> None:
        self.topics, self.shared, self._in_read = (topic,), shared, in_read
        self.reads: list[str | None] = []

    def read(self, after: str, heard: str | None) -> Batch:
        self.reads.append(heard)
        self._in_read(heard)
        return Batch((), heard or after)


class Ear:
    """A follower that waits for news; notes what it takes, and whether it was woken to read for itself."""

    def __init__(self, source: Source, cursor: str = "1") -> None:
        self.source, self.cursor, self.topics, self.player = source, cursor, source.topics, None
        self.is_idle = True
        self.taken: list[Outcome] = []
        self.woken: list[str | None] = []

    def wake(self, heard: str | None) -> None:
        self.woken.append(heard)

    def take(self, after: str, heard: str, outcome: Outcome) -> None:
        assert after == self.cursor
        self.taken.append(outcome)


def hears(url: str, ears: Sequence[Ear], news: Callable[[Any], None], done: Callable[[], bool]) -> None:
    """Let followers hear news until it is done."""

    async def hear() -> None:
        hub, client = Hub(connect(url)), connect(url)
        for ear in ears:
            hub.add(ear)
        await reached(lambda: all(ear.woken for ear in ears))  # the subscription has begun
        for ear in ears:
            ear.woken.clear()
        await asyncio.gather(asyncio.to_thread(news, client), reached(done))
        for ear in ears:
            hub.remove(ear)
        await asyncio.to_thread(hub.close)
        client.close()

    asyncio.run(hear())


async def reached(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.001)


def test_followers_of_the_same_kind_share_one_read(valkey_url: str) -> None:
    spectators, seat = Source("gm_1", "anyone"), Source("gm_1", "seat 0")
    ears = [Ear(spectators), Ear(spectators), Ear(seat), Ear(spectators, cursor="0")]
    hears(
        valkey_url,
        ears,
        lambda client: change_feed.publish(client, "gm_1", "2"),
        lambda: all(ear.taken for ear in ears),
    )
    assert (spectators.reads, seat.reads) == (["2", "2"], ["2"])
    assert ears[0].taken[0] is ears[1].taken[0] is not ears[3].taken[0]


def test_a_follower_that_is_busy_is_only_woken(valkey_url: str) -> None:
    source = Source("gm_1", "anyone")
    busy, idle = Ear(source), Ear(source)
    busy.is_idle = False
    hears(valkey_url, [busy, idle], lambda client: change_feed.publish(client, "gm_1", "2"), lambda: bool(idle.taken))
    assert (busy.woken, busy.taken, source.reads) == (["2"], [], ["2"])


def test_an_error_of_a_read_reaches_all_who_share_it(valkey_url: str) -> None:
    failure = ValueError()

    def fail(_: str | None) -> None:
        raise failure

    source = Source("gm_1", "anyone", fail)
    ears = [Ear(source), Ear(source)]
    hears(
        valkey_url,
        ears,
        lambda client: change_feed.publish(client, "gm_1", "2"),
        lambda: all(ear.taken for ear in ears),
    )
    assert [ear.taken for ear in ears] == [[failure], [failure]]
    assert source.reads == ["2"]


def test_news_that_come_during_a_read_are_read_after_it(valkey_url: str) -> None:
    waits: list[Any] = []

    def wait(heard: str | None) -> None:
        if heard == "2":
            waits.append(by := current())
            assert by is not None
            by.wait_for(by.loop.create_task(asyncio.sleep(0.1)))

    def news(client: Any) -> None:
        change_feed.publish(client, "gm_1", "2")
        while not waits:
            time.sleep(0.001)
        change_feed.publish(client, "gm_1", "3")
        change_feed.publish(client, "gm_1", "4")

    source = Source("gm_1", "anyone", wait)
    ear = Ear(source)
    hears(valkey_url, [ear], news, lambda: "4" in source.reads)
    assert source.reads[0] == "2"
    assert source.reads[-1] == "4"
    assert len(source.reads) <= 3


@pytest.mark.parametrize("is_of_one_topic", [True, False], ids=["one-topic", "many-topics"])
def test_many_reads_give_way_to_others(valkey_url: str, is_of_one_topic: bool) -> None:
    turns = [0]
    read_in: set[int] = set()

    def take_a_while(_: str | None) -> None:
        read_in.add(turns[0])
        until = time.perf_counter() + 0.001
        while time.perf_counter() < until:
            pass

    def is_done() -> bool:
        turns[0] += 1
        return all(ear.taken for ear in ears)

    names = ["gm_1"] * 300 if is_of_one_topic else [f"gm_{number}" for number in range(300)]
    ears = [Ear(Source(name, number, take_a_while)) for number, name in enumerate(names)]

    def news(client: Any) -> None:
        for name in dict.fromkeys(names):
            change_feed.publish(client, name, "2")

    hears(valkey_url, ears, news, is_done)
    assert len(read_in) > 3, "reads that do not give way end in one turn or two; a busy machine takes few"
