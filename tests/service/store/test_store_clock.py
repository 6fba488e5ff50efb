"""Every process goes by the clock of the store, whatever its own clock says."""

import logging
import time

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from domain.game.durations import instant
from service.store.event_store import StoreUnavailable
from service.store.heartbeat import Heartbeat, StoreClock, steady_seconds
from tests.support.stores import BUNDLED, empty_store

client = pytest.fixture(params=BUNDLED)(empty_store)


def store_ms(client: redis.Redis) -> int:
    seconds, micros = client.time()
    return 1000 * seconds + micros // 1000


class Steady:
    """A clock of a host that counts seconds, and stands still until the test moves it on."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize("skew", [-600, -30, 0, 30, 600])
def test_the_time_is_that_of_the_store_on_hosts_with_any_clock(client: redis.Redis, skew: int) -> None:
    clock = StoreClock(client, local=lambda: time.time() + skew)
    before = store_ms(client)
    heard = clock.now_ms()
    assert before <= heard <= store_ms(client)
    assert abs(clock.skew() - 1000 * skew) < 1000
    assert abs(instant(clock.now()) - clock.now_ms()) < 1000


def test_the_time_continues_between_two_replies_and_never_ahead_of_the_store(client: redis.Redis) -> None:
    steady = Steady()
    clock = StoreClock(client, steady)
    first = clock.now_ms()
    steady.seconds += 14.5
    assert clock.now_ms() == first + 14_500
    steady.seconds += 1.0
    assert clock.now_ms() <= store_ms(client)


def test_a_host_whose_clock_jumps_keeps_the_time(client: redis.Redis) -> None:
    local = [time.time()]
    clock = StoreClock(client, local=lambda: local[0])
    clock.now_ms()
    local[0] += 3600
    assert abs(clock.now_ms() - store_ms(client)) < 1000


def test_a_heartbeat_tells_the_time_so_that_nothing_else_has_to_ask(client: redis.Redis) -> None:
    heartbeat = Heartbeat(client, serves=True)
    heartbeat.beat()
    heartbeat.clock._redis = redis.Redis(unix_socket_path="/nowhere", retry=Retry(NoBackoff(), 0))
    assert store_ms(client) - 1000 < heartbeat.clock.now_ms() <= store_ms(client)


def test_while_the_store_is_away_the_time_continues(client: redis.Redis) -> None:
    steady = Steady()
    clock = StoreClock(client, steady)
    first = clock.now_ms()
    clock._redis = redis.Redis(unix_socket_path="/nowhere", retry=Retry(NoBackoff(), 0))
    steady.seconds += 100
    assert clock.now_ms() == first + 100_000
    with pytest.raises(StoreUnavailable):
        StoreClock(clock._redis).now_ms()


def test_a_host_whose_clock_is_off_says_so_once(client: redis.Redis, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    skew = [0.0]
    clock = StoreClock(client, local=lambda: time.time() + skew[0])
    for off, said in ((4.0, 0), (-90.0, 1), (-91.0, 1), (0.0, 1), (600.0, 2)):
        skew[0] = off
        clock.hear(store_ms(client))
        assert len(caplog.records) == said
    assert "behind that of Redis" in caplog.messages[0]
    assert "ahead of that of Redis" in caplog.messages[1]


def test_the_steady_clock_only_goes_forward() -> None:
    times = [steady_seconds() for _ in range(100)]
    assert times == sorted(times)
