"""What all processes count together: each in memory, and exchanged by a store of every kind once a client is busy."""

import threading
from collections.abc import Iterator

import pytest
import redis

from service.accounts.limiter import Limiter
from service.accounts.shared_pace import SharedPace
from service.common.errors import Limited
from service.store import keys
from service.store.event_store import StoreUnavailable
from tests.servers import wait_until
from tests.service import builders

MOST = 1000
SECONDS = 60
NOW = 60_000.0


@pytest.fixture(params=builders.KINDS)
def client(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    yield from builders.empty_store(request)


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be exchanged but when the test says so."""
    monkeypatch.setattr(threading.Thread, "start", lambda _thread: None)


@pytest.fixture
def paces(client: redis.Redis) -> list[SharedPace]:
    """Make the counts of two processes on one store."""
    return [_of_writes(Limiter(client, {"writes": MOST}, dict.fromkeys)) for _ in range(2)]


def _of_writes(limiter: Limiter) -> SharedPace:
    pace = limiter._paces["writes"]
    assert isinstance(pace, SharedPace)
    pace._now = lambda: NOW
    return pace


def passed(pace: SharedPace, number: int, whom: str = "ada") -> int:
    """Count so many requests; return how many passed."""
    return sum(pace.wait(whom) == 0.0 for _ in range(number))


@pytest.mark.usefixtures("still")
def test_a_process_counts_by_itself_until_the_next_exchange(paces: list[SharedPace]) -> None:
    one, other = paces
    assert (passed(one, 700), passed(other, 700)) == (700, 700)
    assert one.exchange()
    assert other.exchange()
    assert passed(other, 10) == 0
    assert passed(one, 400) == 300
    assert one.exchange()
    assert passed(one, 10) == 0


@pytest.mark.usefixtures("still")
def test_below_the_limit_the_processes_let_through_what_it_allows_together(paces: list[SharedPace]) -> None:
    total = 0
    for _ in range(200):
        for pace in paces:
            total += passed(pace, 5)
            pace.exchange()
    assert MOST <= total <= MOST + 5


@pytest.mark.usefixtures("still")
def test_what_is_refused_is_not_counted_and_others_are_not_held_up(paces: list[SharedPace]) -> None:
    one, _ = paces
    assert passed(one, MOST + 50) == MOST
    one.exchange()
    assert passed(one, 5, "bob") == 5
    assert one.wait("ada") == pytest.approx(SECONDS)


@pytest.mark.usefixtures("still")
def test_a_client_that_is_not_busy_leaves_no_trace_in_the_store(paces: list[SharedPace], client: redis.Redis) -> None:
    one, _ = paces
    assert passed(one, MOST // 100 - 1) == MOST // 100 - 1
    assert not one.exchange()
    assert list(client.scan_iter()) == []
    one.wait("ada")
    assert one.exchange()
    (key,) = client.scan_iter()
    assert key == f"{keys.RATES}:writes/{keys.subject('ada')}/1000".encode()
    assert int(client.get(key) or 0) == MOST // 100
    assert 0 < client.ttl(key) <= 2 * SECONDS


@pytest.mark.usefixtures("still")
def test_with_the_next_period_counts_begin_anew() -> None:
    now = [NOW + 59]
    pace = SharedPace(MOST, SECONDS, lambda _name, number: number, lambda: now[0])
    assert passed(pace, MOST + 1) == MOST
    assert pace.wait("ada") == pytest.approx(1)
    now[0] += 1
    assert passed(pace, MOST + 1) == MOST


@pytest.mark.usefixtures("still")
def test_without_the_store_each_process_keeps_the_limit_and_sends_its_sum_later() -> None:
    sent: list[tuple[str, int]] = []
    is_away = True

    def add(name: str, number: int) -> int:
        if is_away:
            raise StoreUnavailable("away")
        sent.append((name, number))
        return number

    pace = SharedPace(MOST, SECONDS, add, lambda: NOW)
    assert passed(pace, 600) == 600
    assert pace.exchange()
    assert passed(pace, 600) == 400
    is_away = False
    assert pace.exchange()
    assert sent == [("ada/1000", MOST)]


@pytest.mark.usefixtures("still")
def test_so_many_clients_are_remembered_and_the_busiest_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SharedPace, "_MOST_KNOWN", 100)
    now = [NOW]
    pace = SharedPace(10, SECONDS, lambda _name, number: number, lambda: now[0])
    passed(pace, 10, "busy")
    for number in range(1000):
        pace.wait(str(number))
        assert len(pace._counts) <= 100
    assert pace.wait("busy") > 0
    now[0] += SECONDS
    for number in range(150):
        pace.wait(str(number))
    assert "busy" not in pace._counts


def test_sums_are_exchanged_in_the_background(client: redis.Redis) -> None:
    one, other = (Limiter(client, {"writes": MOST}, dict.fromkeys) for _ in range(2))
    _of_writes(one), _of_writes(other)
    for _ in range(MOST):
        one.pace("writes", "ada")

    def is_refused() -> bool:
        try:
            other.pace("writes", "ada")
        except Limited as limited:
            return limited.bucket == "writes"
        return False

    for _ in range(MOST // 100):
        is_refused()
    wait_until(is_refused, "the other process to learn of it")


@pytest.mark.usefixtures("still")
def test_what_was_done_already_counts_even_beyond_the_limit_and_everywhere(paces: list[SharedPace]) -> None:
    one, other = paces
    one.note("ada", MOST - 1)
    assert one.over("ada") == 0.0
    one.note("ada", 5 * MOST)
    assert 0 < one.over("ada") <= SECONDS
    assert other.over("ada") == 0.0
    assert one.exchange()
    other.note("ada", MOST // 10)
    assert other.exchange()
    assert other.over("ada") > 0
    assert one.over("bob") == 0.0
