"""The listener hears of what is wanted and of nothing else, and a subscription begins before anything can be missed."""

import random
from collections.abc import Iterator

import pytest
import redis

from service.store import change_feed, keys
from service.store.redis.connections import connect
from service.streams import listener
from service.streams.listener import Listener
from tests.support.server import wait_until


class Ears:
    """A listener, and what it heard: the topics that began, and the last cursor of each."""

    def __init__(self, url: str) -> None:
        self.client = connect(url)
        self.wanted: dict[str, None] = {}
        self.begun: list[str] = []
        self.heard: dict[str, list[str]] = {}
        self._listener = Listener(self.client, self.wanted.keys(), self.begun.append, self._hear)

    def _hear(self, topic: str, cursor: str) -> None:
        self.heard.setdefault(topic, []).append(cursor)

    def want(self, topic: str) -> None:
        self.wanted[topic] = None
        if self._listener.note(topic):
            self._listener.interrupt()

    def drop(self, topic: str) -> None:
        del self.wanted[topic]
        self._listener.note(topic)

    def wait_for(self, topic: str, times: int = 1) -> None:
        wait_until(lambda: self.begun.count(topic) == times, f"subscription {times} to {topic}")

    def close(self) -> None:
        self.wanted.clear()
        self._listener.interrupt()  # it would notice only at its next ping
        self._listener.close()
        self.client.close()


@pytest.fixture
def ears(redis_url: str) -> Iterator[Ears]:
    ears = Ears(redis_url)
    yield ears
    ears.close()


@pytest.fixture
def never_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "_PING_SECONDS", 5)


def subscribers(client: redis.Redis, topic: str) -> int:
    ((_, number),) = client.pubsub_numsub(keys.topic(topic))
    return int(number)


def test_news_of_other_topics_are_not_even_received(ears: Ears) -> None:
    ears.want("gm_1")
    ears.wait_for("gm_1")
    assert (subscribers(ears.client, "gm_1"), subscribers(ears.client, "gm_2")) == (1, 0)
    change_feed.publish(ears.client, "gm_2", "7")
    change_feed.publish(ears.client, "gm_1", "8")
    wait_until(lambda: ears.heard, "the news")
    assert ears.heard == {"gm_1": ["8"]}


@pytest.mark.usefixtures("never_pings")
def test_a_topic_that_is_new_interrupts_the_waiting(ears: Ears) -> None:
    ears.want("gm_1")
    ears.wait_for("gm_1")
    ears.want("gm_2")
    ears.wait_for("gm_2")
    change_feed.publish(ears.client, "gm_2", "1")
    wait_until(lambda: ears.heard == {"gm_2": ["1"]}, "the news")


def test_what_is_no_longer_wanted_is_heard_no_more_and_can_be_wanted_again(ears: Ears) -> None:
    for topic in ("gm_1", "gm_2"):
        ears.want(topic)
        ears.wait_for(topic)
    ears.drop("gm_1")
    wait_until(lambda: subscribers(ears.client, "gm_1") == 0, "the end of the subscription")
    assert subscribers(ears.client, "gm_2") == 1
    ears.want("gm_1")
    ears.wait_for("gm_1", 2)


def test_nothing_is_held_while_nothing_is_wanted(ears: Ears) -> None:
    for times in (1, 2):
        ears.want("gm_1")
        ears.wait_for("gm_1", times)
        ears.drop("gm_1")
        wait_until(lambda: not ears.client.pubsub_channels("plateau:topic:*"), "the end of all subscriptions")


def test_after_a_loss_of_the_connection_every_subscription_begins_again(ears: Ears) -> None:
    for topic in ("gm_1", "gm_2"):
        ears.want(topic)
        ears.wait_for(topic)
    ears.client.client_kill_filter(_type="pubsub")
    for topic in ("gm_1", "gm_2"):
        ears.wait_for(topic, 2)
    change_feed.publish(ears.client, "gm_2", "3")
    wait_until(lambda: ears.heard == {"gm_2": ["3"]}, "the news")


@pytest.mark.parametrize("seed", range(3))
def test_news_of_a_wanted_topic_are_heard_whatever_comes_and_goes(ears: Ears, seed: int) -> None:
    rng, names = random.Random(seed), [f"gm_{number}" for number in range(4)]
    for cursor in range(150):
        topic = rng.choice(names)
        if topic in ears.wanted and rng.random() < 0.5:
            ears.drop(topic)
            continue
        ears.want(topic)
        begun, heard = ears.begun.count(topic), str(cursor)
        change_feed.publish(ears.client, topic, heard)
        wait_until(
            lambda topic=topic, begun=begun, heard=heard: (
                heard in ears.heard.get(topic, []) or ears.begun.count(topic) > begun
            ),
            "news, or a beginning",
        )
