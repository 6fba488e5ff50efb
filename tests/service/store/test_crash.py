"""A server that is killed and comes back, with all of its log or with less: what was acknowledged, what continues."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis

from domain.game import history, seating
from domain.log.record import Record
from service.accounts.players import Key, Players
from service.common import wall_clock
from service.common.errors import AtVersion, NotFound
from service.store.event_store import EventStore, LogDamaged
from service.store.redis.connections import connect
from tests.service.store.tables import Table, log, verified
from tests.support.clusters import RealCluster
from tests.support.games import ADA, body, choose, order, play_on, requests_of, spec
from tests.support.server import RealServer, wait_until
from tests.support.stores import ON_CLUSTER, everything
from tests.support.wiring import Games, client_of, games_on

CYCLES = 3
ACTIONS_A_CYCLE = 60


@pytest.fixture(params=["valkey", ON_CLUSTER])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealServer | RealCluster]:
    """A server that answers once a write is on the disk; with `everysec` a kill, too, may cost the last two seconds."""
    server: RealServer | RealCluster
    if request.param == "cluster":
        server = RealCluster("valkey", tmp_path / "data", fsync="always")
    else:
        server = RealServer.start("valkey", tmp_path / "data", extra=("--appendfsync", "always"))
    yield server
    server.stop()


@pytest.fixture
def client(server: RealServer | RealCluster) -> Iterator[redis.Redis]:
    with connect(server.url) as client:
        yield client


@pytest.fixture
def games(client: redis.Redis) -> Games:
    return games_on(client)


# -- killed, and back with everything -----------------------------------------------------------------------------


def test_what_was_acknowledged_outlasts_every_kill_and_the_games_continue(
    server: RealServer | RealCluster, client: redis.Redis, games: Games
) -> None:
    table = Table(games)

    def wait_for_more() -> None:
        wanted = len(table.acknowledged) + ACTIONS_A_CYCLE
        wait_until(lambda: len(table.acknowledged) >= wanted or playing.done(), f"{ACTIONS_A_CYCLE} more actions")

    with ThreadPoolExecutor(1) as thread:
        playing = thread.submit(table.play)
        try:
            for _ in range(CYCLES):
                wait_for_more()
                refused = table.refused
                server.kill()
                wait_until(lambda refused=refused: table.refused > refused or playing.done(), "the table to notice")
                server.restart()
            wait_for_more()
        finally:
            table.stop()
        playing.result()

    assert 0 <= table.check(client) <= CYCLES


def test_while_the_server_is_down_actions_get_503_and_nothing_is_appended(
    server: RealServer | RealCluster, client: redis.Redis
) -> None:
    store, players = EventStore(client), Players(client, wall_clock.now)
    http = client_of(store, players)
    token = {"Authorization": f"Bearer {players.create('Ada')[1]}"}
    sandboxed = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 2, "sandbox": True}
    path = f"/v1/games/{http.post('/v1/games', json=sandboxed, headers=token).get_json()['id']}"
    legal = http.get(f"{path}/legal-actions", headers=token).get_json()

    def post() -> Any:
        return http.post(f"{path}/actions", json=legal["actions"][0], headers=token | {"Idempotency-Key": "once"})

    before = everything(client)
    server.kill()
    for answer in (post(), post(), http.get(f"{path}/view", headers=token), http.get("/readyz")):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        assert answer.content_type == "application/problem+json"
        assert answer.get_json()["code"] == "unavailable"
    server.restart()
    assert everything(client) == before
    first, second = post(), post()
    assert (first.status_code, second.data) == (201, first.data)
    assert http.get("/readyz").status_code == 200
    players.close()


# -- back with less: the tail of a log is lost --------------------------------------------------------------------


class Loss:
    """A game whose log can lose its tail while processes know it whole."""

    def __init__(self, client: redis.Redis) -> None:
        self.client = client
        self.warm = games_on(client)
        self.id = body(self.warm.create(ADA, spec([True] * 3), None)[1])["id"]
        self._rng = random.Random(0)
        self.key = EventStore(client).keys_of(self.id).events
        self._older = b""

    def play(self, times: int, games: Games | None = None) -> None:
        """Act some times; in the process that knows the game, or in another."""
        for _ in range(times):
            play_on(games or self.warm, self.id, self._rng)

    def keep_copy(self) -> None:
        """Remember the log as it is now."""
        self._older = self.client.dump(self.key)

    def lose_tail(self) -> list[Record]:
        """Bring back the log as it was; return its records."""
        self.client.restore(self.key, 0, self._older, replace=True)
        return log(self.client, self.id)

    def ask(self) -> Callable[[], Any]:
        """Choose an action for the game as the warm process knows it, to be asked for there without reading first."""
        game = self.warm.repository.cached(self.id)
        seat, action = choose(game, self._rng)
        return lambda: self.warm.act(self.id, ADA, order(action, seat=seat))

    def assert_in_order(self) -> None:
        """Nothing is forked: the log verifies, and the warm process knows exactly what stands in it."""
        records = log(self.client, self.id)
        assert [record.version for record in records] == list(range(1, len(records) + 1))
        cold = games_on(self.client)
        assert verified(cold, self.id) == verified(self.warm, self.id) == records[-1].hash
        assert self.warm.show(self.id, None) == cold.show(self.id, None) == history.fold(records)


@pytest.fixture
def loss(client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> Loss:
    """A warm process that knows eleven actions, of which the log is to lose eight; dealt the same each time."""
    create = seating.create
    monkeypatch.setattr(seating, "create", lambda new, *_: create(replace(new, id="gm_lost"), bytes(32)))
    loss = Loss(client)
    loss.play(3)
    loss.keep_copy()
    loss.play(8)
    return loss


def try_out(ask: Callable[[], Any]) -> None:
    """Try an action that can be rejected: it was chosen for an earlier version of the game."""
    try:
        ask()
    except AtVersion:
        return


def test_reads_show_the_shorter_log(loss: Loss) -> None:
    records = loss.lose_tail()
    head = history.fold(records)
    assert loss.warm.show(loss.id, None) == head
    assert loss.warm.look(loss.id, ADA, None, None)[0] == head
    assert loss.warm.reader.legal_actions(loss.id, ADA, None)[0] == head
    assert verified(loss.warm, loss.id) == head.head
    assert loss.warm.events(loss.id, None, None, head.version, 100)["events"] == []
    loss.assert_in_order()


def test_the_next_action_continues_from_the_shorter_log(loss: Loss) -> None:
    records = loss.lose_tail()
    loss.play(1)
    after = log(loss.client, loss.id)
    assert after[: len(records)] == records
    assert len(requests_of(after)) == len(requests_of(records)) + 1
    loss.assert_in_order()
    loss.play(5)
    loss.assert_in_order()


def test_an_action_asked_for_without_reading_is_judged_on_the_shorter_log(loss: Loss) -> None:
    ask = loss.ask()
    records = loss.lose_tail()
    try_out(ask)
    assert log(loss.client, loss.id)[: len(records)] == records
    loss.assert_in_order()


def test_an_action_for_a_version_that_was_lost_is_refused_with_the_version(loss: Loss) -> None:
    lost = loss.warm.show(loss.id, None)
    seat, action = choose(lost, random.Random(0))
    records = loss.lose_tail()
    with pytest.raises(AtVersion) as refusal:
        loss.warm.act(loss.id, ADA, order(action, seat=seat, version=lost.version))
    assert refusal.value.refusal.code == "game-went-back"
    assert refusal.value.version == len(records)
    assert log(loss.client, loss.id) == records


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("more", [-4, 0, 2])
def test_a_log_that_another_process_continued_otherwise_is_not_forked(
    loss: Loss, client: redis.Redis, more: int, seed: int
) -> None:
    ask, known = loss.ask(), loss.warm.show(loss.id, None).version
    loss.lose_tail()
    other, rng = games_on(client), random.Random(seed)
    while other.show(loss.id, None).version < known + more:
        play_on(other, loss.id, rng)
    records = log(client, loss.id)
    assert (len(records) > known, len(records) < known) == (more > 0, more < 0)
    try_out(ask)
    assert log(client, loss.id)[: len(records)] == records
    loss.assert_in_order()
    loss.play(3)
    loss.assert_in_order()


@pytest.mark.parametrize("more", [-4, 0, 2])
def test_reads_show_what_another_process_made_of_the_shorter_log(loss: Loss, client: redis.Redis, more: int) -> None:
    known = loss.warm.show(loss.id, None)
    loss.lose_tail()
    other, rng = games_on(client), random.Random(0)
    while other.show(loss.id, None).version < known.version + more:
        play_on(other, loss.id, rng)
    assert loss.warm.look(loss.id, ADA, None, None) == other.look(loss.id, ADA, None, None)
    assert loss.warm.show(loss.id, None) != known
    loss.assert_in_order()


@pytest.mark.parametrize("gone", ["1-0", "4-0"])
def test_a_log_with_a_hole_is_refused_by_all_processes(loss: Loss, client: redis.Redis, gone: str) -> None:
    ask = loss.ask()
    client.xdel(loss.key, gone)
    before = everything(client)
    cold = games_on(client)
    for question in (ask, ask, lambda: loss.play(1), lambda: cold.show(loss.id, None), lambda: loss.play(1, cold)):
        with pytest.raises(LogDamaged, match=f"log of {loss.id} is damaged at version {gone[0]}: it is missing"):
            question()
        assert everything(client) == before


def test_a_keyed_request_that_was_lost_with_the_tail_can_be_sent_again(loss: Loss, client: redis.Redis) -> None:
    key = Key("once", "fingerprint")
    answers = "*:answer:*"
    game = loss.warm.show(loss.id, None)
    loss.keep_copy()
    seat, action = choose(game, random.Random(0))
    first = body(loss.warm.act(loss.id, ADA, order(action, seat=seat, key=key)))
    loss.lose_tail()
    client.delete(*client.keys(answers))
    again = body(loss.warm.act(loss.id, ADA, order(action, seat=seat, key=key)))
    assert [event["type"] for event in again["events"]] == [event["type"] for event in first["events"]]
    loss.assert_in_order()


def test_a_game_that_is_lost_altogether_is_unknown_and_not_begun_again(loss: Loss, client: redis.Redis) -> None:
    ask = loss.ask()
    client.flushall()
    for question in (ask, lambda: loss.warm.show(loss.id, None), ask):
        with pytest.raises(NotFound):
            question()
    assert everything(client) == {}
