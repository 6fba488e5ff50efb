"""With ``PLATEAU_REPLICAS``, no write is reported as done before so many replicas have it, whatever is lost."""

import random
from collections.abc import Iterator

import pytest
import redis
from flask.testing import FlaskClient

from service.accounts.players import Key, Players
from service.common import wall_clock
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from service.store.event_store import EventStore, NotReplicated
from service.store.redis.connections import connect
from service.store.redis.redis_rights import GAMES
from service.store.redis.redis_server import StoreMisconfigured
from tests.service.store.redis_users import restricted
from tests.support.clusters import Pair
from tests.support.games import ADA, BOB, body, play_on, requests_of, sandbox, spec, wish
from tests.support.server import PROGRAMS, wait_until
from tests.support.wiring import Games, client_of

KEY = Key("once", "fingerprint")


@pytest.fixture(params=PROGRAMS, scope="module")
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    pair = Pair(request.param, tmp_path_factory.mktemp("pair"))
    with redis.Redis.from_url(pair.old.url) as primary:
        wait_until(lambda: primary.set("x", "x") and primary.wait(1, 1000), "the replica to confirm")
    yield pair
    pair.close()


@pytest.fixture
def client(pair: Pair) -> Iterator[redis.Redis]:
    with connect(pair.url) as client:
        yield client
    pair.new.resume()
    pair.catch_up()


@pytest.fixture
def store(client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> EventStore:
    monkeypatch.setattr("service.store.event_store.CONFIRM_MS", 200)
    store = EventStore(client, replicas=1)
    store.confirm()
    return store


@pytest.fixture
def games(store: EventStore) -> Games:
    return Games(store)


def on_the_replica(pair: Pair, game_id: str) -> int:
    with redis.Redis.from_url(pair.new.url) as replica:
        return int(replica.xlen(EventStore(replica).keys_of(game_id).events))


def test_an_accepted_write_is_on_the_replica(pair: Pair, games: Games) -> None:
    game_id = sandbox(games)
    for turn in range(10):
        shown = body(play_on(games, game_id, random.Random(turn)))
        assert on_the_replica(pair, game_id) == shown["version"]


def test_an_append_waits_in_its_own_round_trip(pair: Pair, games: Games) -> None:
    game_id = sandbox(games)
    game, _ = games.look(game_id, ADA, None, None)
    with pair.proxy.counted() as commands:
        play_on(games, game_id, random.Random(1))
    assert (commands.count("EVALSHA"), commands.count("WAIT"), commands.count("SET")) == (1, 1, 0)
    assert game.version < on_the_replica(pair, game_id)


def test_a_write_that_the_replica_lacks_is_no_success_until_the_replica_has_it(pair: Pair, games: Games) -> None:
    game_id = sandbox(games)
    before = games.show(game_id, None).version
    pair.new.pause()
    for _ in range(2):
        with pytest.raises(NotReplicated, match="0 of 1"):
            play_on(games, game_id, random.Random(1), KEY)
    reached = games.show(game_id, None).version
    assert reached > before
    pair.new.resume()
    answer = play_on(games, game_id, random.Random(2), KEY)
    assert body(answer)["version"] == reached == games.show(game_id, None).version == on_the_replica(pair, game_id)
    requests = requests_of(games.repository.store.read(game_id))
    assert len(requests) == len({*requests})


@pytest.mark.parametrize("key", [None, KEY], ids=["without a key", "with a key"])
def test_a_retry_after_a_lost_reply_waits_too(pair: Pair, games: Games, key: Key | None) -> None:
    game_id = sandbox(games)
    pair.new.pause()
    pair.proxy.lose_reply("WAIT", 1)
    with pytest.raises(NotReplicated):
        play_on(games, game_id, random.Random(1), key)
    requests = requests_of(games.repository.store.read(game_id))
    assert len(requests) == len({*requests})


def test_creating_and_joining_wait_too(pair: Pair, games: Games) -> None:
    key = Key("create", "fingerprint")
    wanted = spec([True, False], sandbox=False, ruleset="plateau")
    pair.new.pause()
    with pytest.raises(NotReplicated):
        games.create(ADA, wanted, key)
    with pytest.raises(NotReplicated):
        games.create(ADA, wanted, key)
    pair.new.resume()
    game_id, _ = games.create(ADA, wanted, key)
    assert on_the_replica(pair, game_id) > 0
    pair.new.pause()
    with pytest.raises(NotReplicated):
        games.join(game_id, BOB, wish())
    pair.new.resume()
    games.repository.store.confirm()
    assert on_the_replica(pair, game_id) == games.show(game_id, None).version


@pytest.fixture
def web(store: EventStore) -> Iterator[FlaskClient]:
    players = Players(store.client, wall_clock.now)
    yield client_of(store, players)
    players.close()


def test_no_request_that_writes_succeeds_before_the_replica_has_it(pair: Pair, web: FlaskClient) -> None:
    ada = {"Authorization": f"Bearer {web.post('/v1/players', json={'name': 'Ada'}).json['token']}"}
    game = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}
    headers = ada | {"Idempotency-Key": "game"}
    pair.new.pause()
    for method, path, sent, own in (
        ("POST", "/v1/players", {"name": "Bob"}, {}),
        ("PATCH", "/v1/me", {"name": "Ada L."}, ada),
        ("POST", "/v1/games", game, headers),
    ):
        refused = web.open(path, method=method, json=sent, headers=own)
        assert (refused.status_code, refused.json["code"]) == (503, "not-replicated"), path
        assert refused.headers["Retry-After"] == "1"
        assert "Plateau-Receipt" not in refused.headers
        assert "token" not in refused.json
    assert web.get("/v1/me", headers=ada).json["name"] == "Ada L."
    pair.new.resume()
    made = web.post("/v1/games", json=game, headers=headers)
    assert (made.status_code, on_the_replica(pair, made.json["id"])) == (201, made.json["version"])


def test_the_start_warns_while_the_server_has_too_few_replicas(client: redis.Redis) -> None:
    assert not any("PLATEAU_REPLICAS" in each for each in EventStore(client, replicas=1).check())
    assert any("PLATEAU_REPLICAS is 2, but 1" in each for each in EventStore(client, replicas=2).check())


def test_a_user_who_cannot_wait_is_refused_at_the_start_only_if_it_must(pair: Pair) -> None:
    with connect(restricted(pair.old, "impatient", [*GAMES, "+info"])) as client:
        EventStore(client).check(allow_unsafe=True)
        with pytest.raises(StoreMisconfigured, match=r"add to the user's ACL: \+wait$"):
            EventStore(client, replicas=1).check(allow_unsafe=True)


def test_the_embedded_engine_has_no_replicas_to_wait_for() -> None:
    with pytest.raises(InvalidSettings, match="needs REDIS_URL"):
        Settings.from_environment({"PLATEAU_REPLICAS": "1"})
