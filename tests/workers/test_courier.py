"""The courier: every destination that is due is served, the slow ones delay nobody, and a defect stops nothing."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
import redis

from domain.game.durations import MINUTE
from service.notifications.delivery.destinations import Destination
from service.notifications.delivery.due_destinations import DueDestinations
from service.store import keys
from service.store.event_store import StoreUnavailable
from tests.support.processes import PATIENCE
from tests.support.server import wait_until
from workers import courier as couriers
from workers.courier import Courier
from workers.loops import StopSignal, until

Serve = Callable[[Destination], int | None]


def destination(name: str) -> Destination:
    return Destination(f"pl_{name}", "webhook", "wh_1")


class _Channel:
    """Notes what it serves, and how often, and does what the test says."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self.served: Counter[Destination] = Counter()
        self.at_once: Counter[Destination] = Counter()
        self._turn = threading.Lock()

    def deliver(self, destination: Destination) -> int | None:
        with self._turn:
            self.at_once[destination] += 1
        try:
            return self._serve(destination)
        finally:
            with self._turn:
                self.at_once[destination] -= 1
                self.served[destination] += 1


class Post:
    """A running courier with its list of due destinations."""

    def __init__(self, client: redis.Redis) -> None:
        self.client = client
        self.due_destinations = DueDestinations(client)
        self.stop = StopSignal()
        self._threads: list[threading.Thread] = []
        self._couriers: list[Courier] = []

    def run(self, serve: Serve, threads: int = 4) -> tuple[_Channel, Courier]:
        channel = _Channel(serve)
        courier = Courier(self.due_destinations, {"webhook": channel}, threads)
        self._couriers.append(courier)
        self._threads.append(threading.Thread(target=until, args=(self.stop, courier.run)))
        self._threads[-1].start()
        return channel, courier

    def end(self) -> None:
        self.stop.fail()
        for thread in self._threads:
            thread.join()

    def close(self) -> None:
        """End, and see every delivery settled, before the store goes away."""
        self.end()
        for courier in self._couriers:
            assert courier.finish(PATIENCE)


@pytest.fixture
def post(client: redis.Redis) -> Iterator[Post]:
    post = Post(client)
    yield post
    post.close()


def nothing(_: Destination) -> None:
    return None


def test_all_that_is_due_is_served_and_then_rests(post: Post) -> None:
    destinations = [destination(str(number)) for number in range(40)]
    post.due_destinations.make_due(destinations)
    channel, courier = post.run(nothing)
    wait_until(lambda: channel.served.total() == 40, "the deliveries")
    assert channel.served == Counter(destinations)
    assert courier.finish(PATIENCE)
    assert post.client.zcard(keys.OUTBOX) == post.client.zcard(keys.OUTBOX_LEASES) == 0


def test_a_courier_that_waits_is_called_when_something_becomes_due_now_or_later(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(couriers, "_REST_SECONDS", 4)
    soon = [int(time.time() * 1000) + 200]
    channel, _ = post.run(lambda _: soon.pop() if soon else None)
    began = time.monotonic()
    for name, at in (("ada", 0), ("bob", 0), ("eve", int(time.time() * 1000) + 300)):
        post.due_destinations.make_due([destination(name)], at)
    wait_until(
        lambda: channel.served == {destination("ada"): 2, destination("bob"): 1, destination("eve"): 1},
        "the deliveries",
    )
    assert time.monotonic() - began < 3.5
    post.stop.fail()
    post.due_destinations.make_due([destination("ada")])


def test_of_much_that_is_due_each_courier_that_waits_takes_a_part(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(couriers, "_REST_SECONDS", 4)
    together = threading.Barrier(3, timeout=3)
    first, _ = post.run(lambda _: together.wait() and None, threads=1)
    second, _ = post.run(lambda _: together.wait() and None, threads=1)
    post.due_destinations.make_due([destination("ada"), destination("bob")])
    together.wait()
    wait_until(lambda: first.served.total() == second.served.total() == 1, "a delivery by each")
    post.stop.fail()
    post.client.rpush(keys.OUTBOX_CALLS, "", "")  # both end


def test_slow_destinations_leave_half_of_the_threads_to_the_others(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(couriers, "_QUICK_SECONDS", 0.1)
    monkeypatch.setattr(couriers, "_LATER_MS", 20)
    slow = [destination(f"slow{number}") for number in range(12)]
    stuck = threading.Semaphore(0)

    def serve(wanted: Destination) -> int | None:
        if wanted in slow:
            stuck.acquire(timeout=60)
        return None

    channel, courier = post.run(serve, threads=4)
    fast = [destination(f"fast{number}") for number in range(50)]
    post.due_destinations.make_due(fast)
    wait_until(lambda: set(fast) <= channel.served.keys(), "the fast ones to have been fast once")
    post.due_destinations.make_due(slow)
    wait_until(lambda: sum(channel.at_once.values()) == 2, "the slow ones to fill their half")
    for times in range(2, 6):
        post.due_destinations.make_due(fast)
        wait_until(lambda: min(channel.served[each] for each in fast) == times, "the fast ones")  # noqa: B023
    assert sum(channel.at_once.values()) == 2
    assert not channel.served.keys() & set(slow)
    slow.clear()
    stuck.release(100)
    wait_until(lambda: courier.finish(0.1), "the slow ones to end")


def test_a_defect_of_a_channel_is_logged_and_the_other_destinations_are_served(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    def serve(wanted: Destination) -> None:
        if wanted == destination("eve"):
            raise RuntimeError("a defect")

    with caplog.at_level(logging.ERROR, "plateau.worker"):
        channel, courier = post.run(serve)
        post.due_destinations.make_due([destination("eve"), destination("ada")])
        wait_until(lambda: channel.served.keys() == {destination("eve"), destination("ada")}, "the deliveries")
        wait_until(lambda: post.client.zcard(keys.OUTBOX) == 1, "the one that failed to be put off")
        assert courier.finish(PATIENCE)
    assert "serving a destination of pl_eve failed: webhook wh_1" in caplog.text


def test_destinations_of_a_kind_without_a_channel_are_put_off_with_one_warning(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "plateau.worker"):
        channel, courier = post.run(nothing)
        post.due_destinations.make_due(
            [destination("ada"), Destination("pl_ada", "mail"), Destination("pl_bob", "mail")]
        )
        wait_until(lambda: channel.served.keys() == {destination("ada")}, "the delivery")
        wait_until(lambda: post.client.zcard(keys.OUTBOX) == 2, "the others to be put off")
        assert courier.finish(PATIENCE)
    (logged,) = caplog.records
    assert (logged.levelname, logged.getMessage()) == (
        "WARNING",
        "nothing is delivered by mail: this courier is not set up for it",
    )
    put_off = post.client.zrange(keys.OUTBOX, 0, -1, withscores=True)
    assert min(at for _, at in put_off) > time.time() * 1000 + 30 * MINUTE


def test_a_delivery_that_could_not_be_recorded_is_made_again(post: Post) -> None:
    post.due_destinations, failures = DueDestinations(post.client, lease_ms=50), [StoreUnavailable("away")]

    def serve(_: Destination) -> None:
        if failures:
            raise failures.pop()

    channel, _ = post.run(serve)
    post.due_destinations.make_due([destination("ada")])
    wait_until(lambda: channel.served[destination("ada")] >= 2, "the second attempt")
    assert failures == []


def test_a_courier_that_is_asked_to_stop_finishes_what_it_holds_within_limits(post: Post) -> None:
    go_on = threading.Event()
    channel, courier = post.run(lambda _: go_on.wait(20) and None)
    post.due_destinations.make_due([destination("ada")])
    wait_until(lambda: channel.at_once[destination("ada")], "the delivery to begin")
    post.end()
    post.due_destinations.make_due([destination("bob")])
    assert not courier.finish(0.05)
    go_on.set()
    assert courier.finish(PATIENCE)
    assert channel.served == {destination("ada"): 1}
    assert [each.destination for each in post.due_destinations.take(10)] == [destination("bob")]
