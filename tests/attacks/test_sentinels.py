"""A primary is killed while games are played: Sentinels choose another one, and the service continues by itself."""

import json
import random
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import redis

from domain.game import history
from service.accounts.players import Key
from service.jobs.job_queue import Job, RqQueue
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect, connect_queue
from service.store.redis.sentinels import SentinelTlsConnection
from tests.support.clusters import NAME, SentinelGroup, ask
from tests.support.games import ADA, body, choose, order, requests_of, spec
from tests.support.people import Client
from tests.support.server import PATIENCE, PROGRAMS, fetch, running_service, wait_until
from tests.support.wiring import Games

THREADS = 3
MOVES_AFTERWARDS = 5


@pytest.fixture(params=[each if each == "valkey" else pytest.param(each, marks=pytest.mark.long) for each in PROGRAMS])
def group(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SentinelGroup]:
    group = SentinelGroup(request.param, tmp_path, replicas=2)
    yield group
    group.close()


class Persistent:
    """Someone who plays in a sandbox of their own, and repeats a request with its key until it is answered."""

    def __init__(self, client: redis.Redis, number: int, replicas: int) -> None:
        self.games = Games(EventStore(client, replicas=replicas))
        self.game_id = self.games.create(ADA, spec([True] * 3, hands=30))[0]
        self.accepted: list[Any] = []
        self.failures = 0
        self._number = number
        self._rng = random.Random(number)

    def move(self) -> None:
        """Move, whatever it takes."""
        key = Key(f"{self._number} {len(self.accepted)}", "fingerprint")
        chosen: Any = None
        deadline = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < deadline
            try:
                if chosen is None:
                    game, _ = self.games.look(self.game_id, ADA, None, None)
                    chosen = order(choose(game, self._rng)[1], seat=min(game.pending), key=key)
                self.accepted.append(body(self.games.act(self.game_id, ADA, chosen)))
            except StoreUnavailable:
                self.failures += 1
                time.sleep(0.05)
            else:
                return


def kill(group: SentinelGroup) -> None:
    group.primary.kill()


def replace(group: SentinelGroup) -> None:
    """Have another primary chosen while the first one runs, which takes writes for some seconds that are lost then."""
    group.ask_a_sentinel("SENTINEL", "FAILOVER", NAME)


@pytest.mark.parametrize(("end", "replicas"), [(kill, 1), pytest.param(replace, 2, marks=pytest.mark.long)])
def test_at_the_next_primary_nothing_acknowledged_is_lost_or_doubled(
    group: SentinelGroup, end: Callable[[SentinelGroup], None], replicas: int
) -> None:
    with connect(group.url) as client, ThreadPoolExecutor(THREADS) as threads:
        everyone = [Persistent(client, number, replicas) for number in range(THREADS)]
        is_other = Event()

        def play(player: Persistent) -> None:
            while not is_other.is_set():
                player.move()
            for _ in range(MOVES_AFTERWARDS):
                player.move()

        playing = [threads.submit(play, player) for player in everyone]
        wait_until(lambda: all(player.accepted for player in everyone), "the games to be under way")
        first = group.primary
        end(group)
        wait_until(lambda: group.primary is not first, "the Sentinels")
        is_other.set()
        for each in playing:
            each.result()
    assert sum(player.failures for player in everyone) > 0
    with redis.Redis.from_url(group.primary.url) as primary:
        store = EventStore(primary)
        for player in everyone:
            check_whole(store, player)


def check_whole(store: EventStore, player: Persistent) -> None:
    """Check that a log has all that was acknowledged, once, in order, and in a chain that holds."""
    log = store.read(player.game_id)
    assert [each.version for each in log] == list(range(1, len(log) + 1))
    told = [event for answer in player.accepted for event in answer["events"]]
    hashes = {each.version: each.hash for each in log}
    assert {event["version"]: event["hash"] for event in told}.items() <= hashes.items()
    assert len(requests_of(log)) == len({*requests_of(log)}) == len(player.accepted) + 1
    assert Games(store).show(player.game_id, None) == history.fold(log)


def test_jobs_are_queued_at_the_next_primary(group: SentinelGroup) -> None:
    with connect_queue(group.url) as queue:
        jobs = RqQueue(queue, 5)
        jobs.put([Job("gm_1", 1)])
        group.primary.kill()

        def is_put() -> bool:
            with suppress(StoreUnavailable):
                return bool(jobs.put([Job("gm_2", 1)]))
            return False

        wait_until(is_put, "the Sentinels")
        assert ask(group.primary.url, "HLEN", "{jobs}:line") == 2


@pytest.mark.long
@pytest.mark.parametrize("group", ["valkey"], indirect=True)
def test_a_running_service_with_bots_continues_by_itself(group: SentinelGroup, tmp_path: Path) -> None:
    env = {"REDIS_URL": group.url, "PLATEAU_REPLICAS": "1", "PLATEAU_WEB_PROCESSES": "2", "PLATEAU_WORKERS": "1"}
    with running_service(tmp_path, env | {"PLATEAU_BOT_SECONDS": "1"}) as service:
        ada = Client(service.url)
        bots = {"ruleset": "le-plateau", "options": {"hands": 30}, "seats": [{"bot": "random"}] * 3}
        game = f"{service.url}/v1/games/{ada.ask('POST', '/v1/games', bots)[1]['id']}"

        def version() -> int:
            status, shown = fetch(game)
            return int(json.loads(shown)["version"]) if status == 200 else 0

        wait_until(lambda: version() > 20, "the game to be under way")
        acknowledged = version()
        group.primary.kill()
        wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 503, "the service to notice")
        wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 200, "the service to recover")
        wait_until(lambda: version() > acknowledged + 40, "the bots to continue", 2 * PATIENCE)
        assert ada.ask("POST", "/v1/games", bots)[0] == 201
        assert "starting it again" not in service.errors
        with urllib.request.urlopen(f"{game}/events?limit=1000") as answer:
            versions = [event["version"] for event in json.load(answer)["events"]]
        assert versions == list(range(1, len(versions) + 1))


def test_the_sentinels_are_asked_with_a_password_of_their_own_and_by_the_same_tls() -> None:
    place = "rediss+sentinel://ada:word@one.example:1,[::1]/games/2"
    with connect(f"{place}?sentinel_username=eve&sentinel_password=other&ssl_ca_certs=/ca&socket_timeout=3") as client:
        pool: Any = client.connection_pool
        assert issubclass(pool.connection_class, SentinelTlsConnection)
        made_with = {name: pool.connection_kwargs[name] for name in ("username", "password", "db", "ssl_ca_certs")}
        assert made_with == {"username": "ada", "password": "word", "db": 2, "ssl_ca_certs": "/ca"}
        assert pool.connection_kwargs["socket_timeout"] == 3
        asked = [sentinel.connection_pool for sentinel in pool.sentinel_manager.sentinels]
        assert [(each.connection_kwargs["host"], each.connection_kwargs["port"]) for each in asked] == [
            ("one.example", 1),
            ("::1", 26379),
        ]
        for each in asked:
            assert issubclass(each.connection_class, redis.SSLConnection)
            names = ("username", "password", "ssl_ca_certs")
            assert [each.connection_kwargs[name] for name in names] == ["eve", "other", "/ca"]
