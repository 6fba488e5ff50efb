"""A fail-over that leaves the old server up, as a replica, with every connection to it open."""

import json
import random
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Barrier
from typing import cast

import pytest
import redis

from service.accounts.players import Players
from service.common import wall_clock
from service.jobs.job_queue import Job, RqQueue
from service.store.change_feed import ChangeFeed
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import NotPrimary, connect, connect_queue, own_connection
from tests.support.clusters import Pair, ask
from tests.support.games import play_on, sandbox
from tests.support.people import Client
from tests.support.server import PATIENCE, PROGRAMS, RealServer, fetch, running_service, wait_until
from tests.support.wiring import games_on

THREADS = 4
TRIES = 4
"""How often a command is sent before the caller hears that Redis is away."""


@pytest.fixture(params=PROGRAMS)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(request.param, tmp_path)
    yield pair
    pair.close()


@pytest.fixture
def client(pair: Pair) -> Iterator[redis.Redis]:
    with connect(pair.url) as client:
        yield client


def test_every_thread_acts_on_the_new_primary_at_its_first_try(pair: Pair, client: redis.Redis) -> None:
    games = games_on(client)
    tables = [sandbox(games, seats=3) for _ in range(THREADS)]
    both = Barrier(THREADS)

    def play(game_id: str) -> int:
        play_on(games, game_id, random.Random(1))
        if both.wait(PATIENCE) == 0:
            pair.fail_over()
        both.wait(PATIENCE)
        return play_on(games, game_id, random.Random(2)).status

    with ThreadPoolExecutor(THREADS) as threads:
        assert list(threads.map(play, tables)) == [201] * THREADS
    with connect(pair.new.url) as new:
        for game_id in tables:
            assert EventStore(new).read(game_id)[-1].version == games.show(game_id, None).version
    with connect(pair.old.url) as old:
        assert all(EventStore(old).read(each) != EventStore(client).read(each) for each in tables)


def test_one_refused_write_is_enough_for_all_connections_to_follow(pair: Pair, client: redis.Redis) -> None:
    games = games_on(client)
    game_id = sandbox(games, seats=3)
    with ThreadPoolExecutor(THREADS) as threads:
        both = Barrier(THREADS)
        list(threads.map(lambda _: (both.wait(PATIENCE), client.get("x")), range(THREADS)))
        pair.fail_over()
        with connect(pair.new.url) as new:
            new.set("x", "new")
        play_on(games, game_id, random.Random(1))
        assert set(threads.map(lambda _: client.get("x"), range(50))) == {b"new"}


def test_tokens_revoked_on_the_new_primary_are_refused(pair: Pair, client: redis.Redis) -> None:
    here = Players(client, wall_clock.now)
    ada, token = here.create("Ada")
    wait_until(lambda: here.authenticate(token) and ada.id in here._callers.known(), "the cache")
    pair.fail_over()
    here.create("Bob")
    with connect(pair.new.url) as new:
        elsewhere = Players(new, wall_clock.now)
        elsewhere.revoke(ada.id, elsewhere.tokens(ada.id, None, 1)[0][0].id)
        elsewhere.close()
    wait_until(lambda: here.authenticate(token) is None, "the token to be refused")
    here.close()


def test_a_reader_that_waits_at_the_old_primary_continues_at_the_new_one(pair: Pair, client: redis.Redis) -> None:
    feed = ChangeFeed(client, 16, "group", "reader")
    feed.join()
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(feed.read, 4000)
        wait_until(lambda: _is_blocked(pair.old), "the reader to wait")
        pair.step_down()
        with pytest.raises(StoreUnavailable):
            waiting.result()
    pair.take_over()
    with connect(pair.new.url) as new:
        game_id = sandbox(games_on(new))
    assert {change.game_id for change in feed.read(4000)} == {game_id}


def _is_blocked(server: RealServer) -> bool:
    with redis.Redis.from_url(server.url) as client:
        return bool(client.info("clients")["blocked_clients"])


def test_jobs_are_queued_on_the_new_primary(pair: Pair) -> None:
    with connect_queue(pair.url) as client:
        jobs = RqQueue(client, 5)
        jobs.put([Job("gm_1", 1)])
        pair.fail_over()
        jobs.put([Job("gm_2", 1)])
        assert jobs.waiting() == 2
    with connect_queue(pair.new.url) as new:
        assert RqQueue(new, 5).waiting() == 2


def test_while_there_is_no_primary_a_write_is_given_up_after_a_few_tries(pair: Pair, client: redis.Redis) -> None:
    games = games_on(client)
    game_id = sandbox(games, seats=3)
    play_on(games, game_id, random.Random(1))
    pair.step_down()
    with pair.proxy.counted() as commands, pytest.raises(NotPrimary):
        play_on(games, game_id, random.Random(2))
    assert commands.count("EVALSHA") == TRIES
    assert not EventStore(client).is_up()
    ask(pair.old.url, "REPLICAOF", "NO", "ONE")
    assert play_on(games, game_id, random.Random(2)).status == 201
    assert EventStore(client).is_up()


def test_a_primary_without_its_replicas_is_left_until_it_has_them(pair: Pair, client: redis.Redis) -> None:
    games = games_on(client)
    game_id = sandbox(games, seats=3)
    ask(pair.old.url, "CONFIG", "SET", "min-replicas-to-write", "2")
    with pytest.raises(NotPrimary):
        play_on(games, game_id, random.Random(1))
    pair.catch_up()
    pair.take_over()
    assert play_on(games, game_id, random.Random(1)).status == 201


def test_what_was_watched_at_the_old_primary_counts_as_changed_at_the_new_one(pair: Pair, client: redis.Redis) -> None:
    client.set("x", 1)
    with client.pipeline() as pipe:
        pipe.watch("x")
        found = int(cast("bytes", pipe.get("x")))
        client.set("y", 1)
        pair.fail_over()
        with connect(pair.new.url) as new:
            new.incr("x")
        client.set("y", 2)  # on the connection from before, so that all of them are left
        pipe.multi()
        pipe.set("x", found + 1)
        with pytest.raises(redis.WatchError):
            pipe.execute()
    assert client.get("x") == b"2"


@contextmanager
def swallowing() -> Iterator[str]:
    """Yield the address of a host that answers no attempt to connect, as one behind a firewall."""
    with socket.socket() as listening, ExitStack() as waiting:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        for _ in range(4):
            line = waiting.enter_context(socket.socket())
            line.settimeout(0)
            line.connect_ex(listening.getsockname())
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


def test_a_host_that_answers_nothing_is_given_up_after_one_wait() -> None:
    limit = 0.3
    with swallowing() as url, connect(f"{url}?socket_connect_timeout={limit}") as client:
        began = time.monotonic()
        for ask in (client.ping, lambda: own_connection(client).ask(("PING",))):
            with pytest.raises(redis.TimeoutError):
                ask()
        assert limit <= time.monotonic() - began < 2 * limit


@pytest.mark.long
def test_a_running_service_refuses_writes_and_recovers_by_itself(tmp_path: Path) -> None:
    pair = Pair("valkey", tmp_path)
    env = {"REDIS_URL": pair.url, "PLATEAU_WEB_PROCESSES": "2", "PLATEAU_WORKERS": "1", "PLATEAU_BOT_SECONDS": "1"}
    with running_service(tmp_path, env) as service:
        ada = Client(service.url)
        bots = {"ruleset": "le-plateau", "options": {"hands": 30}, "seats": [{"bot": "random"}] * 3}
        game = f"{service.url}/v1/games/{ada.ask('POST', '/v1/games', bots)[1]['id']}"

        def version() -> int:
            return int(json.loads(fetch(game)[1])["version"])

        wait_until(lambda: version() > 20, "the game to be under way")
        pair.step_down()
        wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 503, "the service to notice")
        assert ada.ask("POST", "/v1/games", bots)[0] == 503
        pair.take_over()
        wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 200, "the service to recover")
        assert [ada.ask("POST", "/v1/games", bots)[0] for _ in range(20)] == [201] * 20
        reached = version()
        wait_until(lambda: version() > reached + 20, "the bots to continue", 2 * PATIENCE)
        assert "starting it again" not in service.errors
    pair.close()
