"""Processes on hosts with other clocks, as they really run: nothing that they share goes by their own clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from domain.game.durations import SECOND, instant
from service.store import keys
from tests.recorded.player import Player
from tests.support.server import Hand, RealServer, RunningService, wait_until

pytestmark = pytest.mark.long

SKEWING = """
import datetime, os, time
skew, real_time, real = float(os.environ["SKEW"]), time.time, datetime.datetime
class Skewed(real):
    @classmethod
    def now(cls, tz=None):
        return real.now(tz) + datetime.timedelta(seconds=skew)
time.time = lambda: real_time() + skew
datetime.datetime = Skewed
"""
"""What a process runs first: its clock is off by some seconds."""

CLOCK = {"per_move": "PT1S", "on_timeout": "bot", "bot": "random"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RealServer]:
    """A server for all processes."""
    server = RealServer.start("valkey", tmp_path / "store")
    yield server
    server.stop()


@contextmanager
def host(folder: Path, store: RealServer, skew: float) -> Iterator[RunningService]:
    """Run a web process on a host whose clock is off."""
    folder.mkdir()
    service = RunningService(folder, env_of(folder, store, skew))
    try:
        service.start()
        yield service
    finally:
        service.stop()


def env_of(folder: Path, store: RealServer, skew: float) -> dict[str, str]:
    (folder / "sitecustomize.py").write_text(SKEWING)
    env = {"REDIS_URL": store.url, "PYTHONPATH": str(folder), "SKEW": str(skew), "PLATEAU_LEAST_MOVE_SECONDS": "1"}
    return env | {"PLATEAU_LOG_LEVEL": "warning"}


@contextmanager
def hand(command: str, folder: Path, store: RealServer, skew: float) -> Iterator[Hand]:
    """Run a process beside the web on a host whose clock is off."""
    folder.mkdir()
    running = Hand(command, folder, env_of(folder, store, skew)).start()
    try:
        yield running
    finally:
        running.kill()


def store_ms(client: redis.Redis) -> int:
    seconds, micros = client.time()
    return 1000 * seconds + micros // 1000


def test_a_clocked_game_on_four_hosts_with_four_clocks(store: RealServer, tmp_path: Path) -> None:
    with (
        redis.Redis.from_url(store.url) as client,
        host(tmp_path / "behind", store, -600) as behind,
        host(tmp_path / "ahead", store, 600) as ahead,
        hand("dispatch", tmp_path / "dispatch", store, -30),
        hand("worker", tmp_path / "worker", store, 30) as worker,
    ):
        began = store_ms(client)
        ada, bob = Player(behind.url, "Ada"), Player(ahead.url, "Bob")
        body = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}], "clock": CLOCK}
        game = ada.ask("POST", "/v1/games", body)["id"]
        bob.ask("POST", f"/v1/games/{game}/seats", {"seat": 1})
        assert 0 < instant(ada.view(game)["decision"]["deadline"]) - store_ms(client) <= SECOND

        def timed_out() -> list[str]:
            return [event["at"] for event in bob.events(game) if event["type"] == "turn_timed_out"]

        wait_until(lambda: len(timed_out()) >= 4, "four turns that time out")
        events = bob.events(game)
        times = [instant(event["at"]) for event in events]
        assert times == sorted(times)
        assert began <= times[0]
        assert times[-1] <= store_ms(client)
        started = next(instant(event["at"]) for event in events if event["type"] == "game_started")
        for number, at in enumerate(timed_out(), 1):
            assert instant(at) >= started + number * SECOND
        assert "time_credited" not in {event["type"] for event in events}
        assert client.zcard(keys.DOWNTIMES) == 0
        wait_until(lambda: "behind that of Redis" in behind.errors, "the warning of the host that is behind")
        assert "ahead of that of Redis" in ahead.errors
        wait_until(lambda: "ahead of that of Redis" in worker.errors, "the warning of the worker")
        metrics = ada.text("/metrics")
        (skew,) = (line for line in metrics.splitlines() if line.startswith("plateau_clock_skew_seconds "))
        assert 599 < float(skew.split()[1]) < 601
