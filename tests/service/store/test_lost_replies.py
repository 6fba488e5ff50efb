"""Replies of the server that are lost after the commit: the client library asks again, and nothing happens twice."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from domain.game import history
from domain.log.record import Record
from service.accounts.players import Key, Players
from service.api import create_app
from service.common import wall_clock
from service.common.errors import AtVersion
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect
from tests.support.games import ADA, BOB, body, choose, order, play_on, requests_of, sandbox, spec, wish
from tests.support.proxies import Proxy
from tests.support.wiring import Games, games_on, services_on

KEY = Key("once", "fingerprint")
RETRIES = 3
with_and_without_key = pytest.mark.parametrize("key", [None, KEY], ids=["without a key", "with a key"])


@pytest.fixture
def direct(valkey_url: str) -> Iterator[redis.Redis]:
    """A client of the server itself."""
    with connect(valkey_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def proxy(valkey_url: str, direct: redis.Redis) -> Iterator[Proxy]:
    proxy = Proxy(valkey_url)
    yield proxy
    proxy.close()


@pytest.fixture
def client(proxy: Proxy) -> Iterator[redis.Redis]:
    """A client whose replies can be lost."""
    with connect(proxy.url) as client:
        yield client


@pytest.fixture
def games(client: redis.Redis) -> Games:
    return games_on(client)


def log(direct: redis.Redis, game_id: str) -> list[Record]:
    return EventStore(direct).read(game_id)


def hashes(records: list[Record]) -> list[str]:
    return [record.hash for record in records]


def told(answer: Any) -> list[str]:
    return [event["hash"] for event in body(answer)["events"]]


@with_and_without_key
@pytest.mark.parametrize("lost", range(1, RETRIES + 1))
def test_an_action_whose_reply_is_lost_is_accepted_once(
    games: Games, proxy: Proxy, direct: redis.Redis, key: Key | None, lost: int
) -> None:
    game_id = sandbox(games)
    before = log(direct, game_id)
    proxy.lose_reply("EVALSHA", *range(1, lost + 1))
    with proxy.counted() as commands:
        answer = play_on(games, game_id, random.Random(0), key)
    assert (proxy.lost, commands.count("EVALSHA")) == (lost, lost + 1)
    after = log(direct, game_id)
    assert answer.status == 201
    assert told(answer) == hashes(after[len(before) :])
    assert len(requests_of(after)) == 2
    assert games.show(game_id, None) == history.fold(after)


def test_a_repetition_after_a_lost_reply_gets_the_same_bytes(games: Games, proxy: Proxy, direct: redis.Redis) -> None:
    game_id = sandbox(games)
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(0))
    wanted = order(action, seat=seat, key=KEY)
    proxy.lose_reply("EVALSHA", 1)
    first = games.act(game_id, ADA, wanted)
    written = log(direct, game_id)
    assert proxy.lost == 1
    assert games.act(game_id, ADA, wanted) == first
    assert games_on(direct).act(game_id, ADA, wanted) == first
    assert log(direct, game_id) == written


@with_and_without_key
def test_an_action_stands_though_others_acted_before_the_reply_came(
    games: Games, proxy: Proxy, direct: redis.Redis, key: Key | None
) -> None:
    other, rng = games_on(direct), random.Random(1)
    game_id = sandbox(games, seats=3)
    before = log(direct, game_id)
    proxy.lose_reply("EVALSHA", 1, meanwhile=lambda: [play_on(other, game_id, rng) for _ in range(3)])
    answer = play_on(games, game_id, rng, key)
    after = log(direct, game_id)
    assert proxy.lost == 1
    assert len(requests_of(after)) == 1 + 1 + 3
    assert told(answer) == hashes(after[len(before) : body(answer)["version"]])
    assert games.show(game_id, None) == other.show(game_id, None) == history.fold(after)
    play_on(games, game_id, rng)
    assert len(requests_of(log(direct, game_id))) == 1 + 1 + 3 + 1


@with_and_without_key
def test_a_creation_whose_reply_is_lost_makes_one_game(
    games: Games, proxy: Proxy, direct: redis.Redis, key: Key | None
) -> None:
    sandbox(games)
    before = set(direct.keys("*:events"))
    proxy.lose_reply("EVALSHA", 1)
    game_id, answer = games.create(ADA, spec(), key)
    assert proxy.lost == 1
    assert body(answer)["id"] == game_id
    assert len(set(direct.keys("*:events")) - before) == 1
    assert body(answer)["version"] == len(log(direct, game_id))
    play_on(games, game_id, random.Random(2))


@with_and_without_key
def test_a_join_whose_reply_is_lost_seats_once(
    games: Games, proxy: Proxy, direct: redis.Redis, key: Key | None
) -> None:
    game_id = games.create(ADA, spec([True, False, False], sandbox=False), None)[0]
    proxy.lose_reply("EVALSHA", 1)
    answer = games.join(game_id, BOB, wish(key=key))
    assert proxy.lost == 1
    assert told(answer) == hashes(log(direct, game_id)[2:])
    assert [sitter and sitter.player for sitter in games.show(game_id, None).sitters] == ["pl_ada", "pl_bob", None]


def test_a_leaving_whose_reply_is_lost_happens_once(games: Games, proxy: Proxy, direct: redis.Redis) -> None:
    game_id = games.create(ADA, spec([True, False], sandbox=False), None)[0]
    proxy.lose_reply("EVALSHA", 1)
    games.leave(game_id, ADA, 0)
    assert proxy.lost == 1
    assert [record.type for record in log(direct, game_id)] == ["game_created", "seat_taken", "seat_left"]


def test_a_whole_game_goes_well_though_every_other_reply_is_lost(
    games: Games, proxy: Proxy, direct: redis.Redis
) -> None:
    game_id, rng = sandbox(games), random.Random(3)
    proxy.lose_reply("EVALSHA", *range(1, 2_000, 2))
    hashes_told = []
    while not games.show(game_id, None).is_over:
        hashes_told += told(play_on(games, game_id, rng))
    after = log(direct, game_id)
    assert hashes_told == hashes(after)[-len(hashes_told) :]
    assert proxy.lost == len(requests_of(after)) - 1


def test_where_no_reply_comes_through_the_caller_is_told_and_a_repetition_with_the_key_settles_it(
    games: Games, proxy: Proxy, direct: redis.Redis
) -> None:
    game_id = sandbox(games)
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(4))
    proxy.lose_reply("EVALSHA", *range(1, RETRIES + 2))
    with pytest.raises(StoreUnavailable):
        games.act(game_id, ADA, order(action, seat=seat, key=KEY))
    written = log(direct, game_id)
    assert len(requests_of(written)) == 2
    answer = games.act(game_id, ADA, order(action, seat=seat, key=KEY))
    assert told(answer) == hashes(written[game.version :])
    with pytest.raises(AtVersion):
        games.act(game_id, ADA, order(action, seat=seat, key=None))
    assert log(direct, game_id) == written


def test_over_http_an_action_whose_reply_is_lost_is_answered_201_and_repeated_byte_for_byte(
    client: redis.Redis, proxy: Proxy, direct: redis.Redis
) -> None:
    store, players = EventStore(client), Players(client, wall_clock.now)
    http = create_app(services_on(store, players)).test_client()
    token = {"Authorization": f"Bearer {players.create('Ada')[1]}"}
    sandboxed = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 2, "sandbox": True}
    game_id = http.post("/v1/games", json=sandboxed, headers=token).get_json()["id"]
    legal = http.get(f"/v1/games/{game_id}/legal-actions", headers=token).get_json()
    before = log(direct, game_id)

    def post() -> Any:
        keyed = token | {"Idempotency-Key": "once"}
        return http.post(f"/v1/games/{game_id}/actions", json=legal["actions"][0], headers=keyed)

    proxy.lose_reply("EVALSHA", *range(1, RETRIES + 2))
    unavailable = post()
    assert (unavailable.status_code, unavailable.headers["Retry-After"]) == (503, "1")
    proxy.lose_reply("EVALSHA", 1)
    first, second = post(), post()
    assert proxy.lost == RETRIES + 2
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.data == second.data
    after = log(direct, game_id)
    assert [event["hash"] for event in first.get_json()["events"]] == hashes(after[len(before) :])
    players.close()
