"""What counts against the limits, on every store and in the process: exactly, for each by itself, and not for ever."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from service.accounts.limiter import Limiter, Pace
from service.accounts.limits import LIMITS, Toll
from service.common.errors import Limited
from service.store import keys
from tests.support.stores import KINDS, empty_store

MOST = 10
OPEN = {"status": "open", "seats": []}
HOUR = 3_600_000


client = pytest.fixture(params=KINDS)(empty_store)


@pytest.fixture
def limiter(client: redis.Redis) -> Limiter:
    return Limiter(client, {"joins": MOST, "open-games": MOST, "proposals": 0}, dict.fromkeys)


def joins(limiter: Limiter, whom: str = "ada") -> float | None:
    """Count a join: None, or after how many seconds to try again."""
    try:
        limiter.count("joins", whom)
    except Limited as limited:
        return limited.after
    return None


def counters(client: redis.Redis, whom: str = "ada") -> list[str]:
    """The keys of a rate: the window that began last, and the one before."""
    return sorted(key.decode() for key in client.scan_iter(match=f"{keys.RATES}:*{keys.subject(whom)}*"))


def let_pass(client: redis.Redis, periods: float) -> None:
    """Let the counters of joins be as they are so many periods later, less than two after the first count."""
    for key in counters(client):
        left = client.pttl(key) - int(periods * HOUR)
        client.pexpire(key, left) if left > 0 else client.delete(key)


def test_a_rate_may_be_used_up_at_once_and_then_says_when_there_is_room(limiter: Limiter) -> None:
    assert [joins(limiter) for _ in range(MOST)] == [None] * MOST
    assert joins(limiter) == pytest.approx(3600, abs=2)
    assert joins(limiter, "bob") is None


def test_when_the_period_is_over_a_rate_refills_steadily(limiter: Limiter, client: redis.Redis) -> None:
    while joins(limiter) is None:
        pass
    let_pass(client, 0.9)
    assert joins(limiter) == pytest.approx(360, abs=2)
    let_pass(client, 0.45)
    answers = [joins(limiter) for _ in range(5)]
    assert answers[:4] == [None] * 3 + [answers[3]]
    assert answers[4] == pytest.approx(180, abs=2)
    let_pass(client, 0.3)
    assert [joins(limiter) for _ in range(4)].count(None) == 3


def test_a_rate_says_how_much_room_it_has(limiter: Limiter) -> None:
    for used in range(1, MOST + 1):
        joins(limiter)
        room = limiter.room("joins", "ada")
        assert room is not None
        assert (room.bucket, room.most, room.period, room.left) == ("joins", MOST, 3600, MOST - used)
        assert 3598 <= room.after <= 3600
    assert limiter.room("proposals", "ada") is None
    assert limiter.room("open-games", "ada") is None


def test_a_rate_is_forgotten_after_two_periods_without_a_count(limiter: Limiter, client: redis.Redis) -> None:
    joins(limiter)
    (key,) = counters(client)
    assert "ada" not in key
    assert 0 < client.pttl(key) <= 2 * HOUR
    let_pass(client, 1.5)
    joins(limiter)
    assert len(counters(client)) == 2
    assert all(0 < client.pttl(key) <= 2 * HOUR for key in counters(client))


def test_many_at_once_are_counted_exactly(limiter: Limiter) -> None:
    with ThreadPoolExecutor(8) as executor:
        answers = list(executor.map(lambda _: joins(limiter), range(5 * MOST)))
    assert answers.count(None) == MOST


def test_places_are_all_taken_or_none(limiter: Limiter, client: redis.Redis) -> None:
    both = Limiter(client, {"open-games": MOST, "running-games": 1}, lambda games: dict.fromkeys(games, OPEN))
    both.charge(Toll(places=["running-games"]), "pl_ada", "gm_first")
    with pytest.raises(Limited):
        both.charge(Toll(places=["open-games", "running-games"]), "pl_ada", "gm_second")
    assert client.zcard(keys.places("open-games", "pl_ada")) == 0
    both.charge(Toll(places=["open-games", "running-games"]), "pl_ada", "gm_first")
    assert client.zrange(keys.places("open-games", "pl_ada"), 0, -1) == [b"gm_first"]


def test_a_write_that_one_limit_refuses_uses_up_nothing_of_the_others(client: redis.Redis) -> None:
    amounts = {"new-games": MOST, "new-games-from-address": 2, "open-games": 3}
    limiter = Limiter(client, amounts, lambda games: dict.fromkeys(games, OPEN))

    def refused_by(game: str, *, rates: bool) -> str | None:
        both = [("new-games", "pl_ada"), ("new-games-from-address", "192.0.2.1")] if rates else []
        try:
            limiter.charge(Toll(both, ["open-games"]), "pl_ada", game)
        except Limited as limited:
            return limited.bucket
        return None

    assert [refused_by(f"gm_{number}", rates=True) for number in range(2)] == [None, None]
    refused = [refused_by(f"gm_over{number}", rates=True) for number in range(MOST)]
    assert refused == ["new-games-from-address"] * MOST
    assert client.zcard(keys.places("open-games", "pl_ada")) == 2
    assert refused_by("gm_last", rates=False) is None
    client.delete(*counters(client, "192.0.2.1"))
    assert [refused_by(f"gm_full{number}", rates=True) for number in range(MOST)] == ["open-games"] * MOST
    assert counters(client, "192.0.2.1") == []
    for _ in range(MOST - 2):
        limiter.count("new-games", "pl_ada")
    with pytest.raises(Limited):
        limiter.count("new-games", "pl_ada")


def test_what_has_no_limit_leaves_no_trace(limiter: Limiter, client: redis.Redis) -> None:
    for _ in range(3):
        limiter.charge(Toll([("proposals", "ada")], ["running-games"]), "pl_ada", "gm_1")
        limiter.pace("requests", "ada")
    assert list(client.scan_iter()) == []


def test_a_pace_is_kept_to_by_each_and_forgotten_when_nobody_hurries() -> None:
    now = [0.0]
    pace = Pace(10, 5, lambda: now[0])
    assert [pace.wait("ada") for _ in range(11)] == [0.0] * 10 + [0.5]
    assert pace.wait("bob") == 0.0
    now[0] += 0.5
    assert [pace.wait("ada"), pace.wait("ada")] == [0.0, 0.5]
    now[0] += 60
    assert [pace.wait("ada") for _ in range(11)] == [0.0] * 10 + [0.5]


@pytest.mark.parametrize("seconds_between", [0, 1])
def test_a_pace_remembers_so_many_clients_and_the_busiest_of_them(
    monkeypatch: pytest.MonkeyPatch, seconds_between: int
) -> None:
    monkeypatch.setattr(Pace, "_MOST_KNOWN", 100)
    now = [0.0]
    pace = Pace(10, 5, lambda: now[0])
    for number in range(1000):
        now[0] += seconds_between
        pace.wait(str(number))
        if number % 50 == 0:
            pace.wait("busy")
        assert len(pace._full_at) <= 100
    assert bool(pace.wait("busy")) == (seconds_between == 0)


def test_every_limit_has_a_default_and_what_a_process_counts_a_period() -> None:
    for bucket, limit in LIMITS.items():
        assert limit.default > 0, bucket
        assert (limit.kept == "process") <= (limit.seconds is not None), bucket
