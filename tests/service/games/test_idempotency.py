"""Repeated requests: never a second act, always the first answer, through the use cases and byte for byte over HTTP."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import Any

import pytest
import redis
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.errors import WrongMoment
from domain.french_tarot.actions import Pass
from service.accounts.players import Key, Players
from service.api import create_app
from service.common import wall_clock
from service.common.errors import AtVersion, Unprocessable
from service.store.event_store import EventStore
from tests.support.games import ADA, BOB, body, choose, order, play_on, requests_of, sandbox, spec, wish
from tests.support.server import wait_until
from tests.support.stores import KINDS, empty_store, everything
from tests.support.wiring import Games, games_on, services_on

KEY = Key("once", "fingerprint")
over_http = pytest.mark.parametrize("client", ["valkey"], indirect=True)


@pytest.fixture(params=KINDS)
def client(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    yield from empty_store(request)


@pytest.fixture
def games(client: redis.Redis) -> Games:
    return games_on(client)


def log(client: redis.Redis, game_id: str) -> list[Any]:
    return EventStore(client).read(game_id)


def keyed(games: Games, game_id: str, key: Key = KEY) -> Callable[[], Any]:
    """Choose an action now, and give the request that asks for it, to be sent any number of times."""
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(0))
    return lambda by=games, key=key: by.act(game_id, ADA, order(action, seat=seat, key=key))


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises((AtVersion, Unprocessable)) as refusal:
        ask()
    error = refusal.value.refusal if isinstance(refusal.value, AtVersion) else refusal.value
    return error.code


# -- through the use cases ----------------------------------------------------------------------------------------


def test_a_repeated_action_gets_the_first_answer_and_appends_nothing(games: Games, client: redis.Redis) -> None:
    game_id = sandbox(games)
    ask = keyed(games, game_id)
    first = ask()
    written = everything(client)
    assert [ask() for _ in range(3)] == [first] * 3
    assert everything(client) == written


def test_an_action_without_a_key_is_judged_each_time(games: Games, client: redis.Redis) -> None:
    game_id = sandbox(games)
    ask = keyed(games, game_id)
    ask(key=None)
    before = log(client, game_id)
    assert refused(lambda: ask(key=None)) == "not-your-turn"
    assert log(client, game_id) == before


def test_a_repetition_after_other_seats_acted_gets_the_first_answer(games: Games, client: redis.Redis) -> None:
    game_id = sandbox(games, seats=3)
    ask = keyed(games, game_id)
    first = ask()
    rng = random.Random(1)
    for _ in range(20):
        play_on(games, game_id, rng)
        before = log(client, game_id)
        assert ask() == first
        assert log(client, game_id) == before
    assert before[-1].version > body(first)["version"]


def test_a_repetition_after_the_game_is_over_gets_the_first_answer(games: Games, client: redis.Redis) -> None:
    game_id = games.create(ADA, spec([True, True]), None)[0]
    ask = keyed(games, game_id)
    first = ask()
    rng = random.Random(2)
    while not games.show(game_id, None).is_over:
        play_on(games, game_id, rng)
    before = log(client, game_id)
    assert ask() == ask(by=games_on(client)) == first
    assert refused(lambda: ask(key=Key("new", "fingerprint"))) == "game-not-active"
    assert log(client, game_id) == before


def test_a_key_that_came_with_another_request_is_refused(games: Games, client: redis.Redis) -> None:
    game_id = sandbox(games)
    keyed(games, game_id)()
    before = everything(client)
    other = keyed(games, game_id, Key(KEY.name, "other fingerprint"))
    assert refused(other) == "key-reused"
    assert refused(lambda: other(by=games_on(client))) == "key-reused"
    assert everything(client) == before


def test_a_key_that_came_with_another_request_is_refused_even_where_the_rules_would_refuse(games: Games) -> None:
    game_id = sandbox(games)
    ask = keyed(games, game_id)
    ask()
    assert refused(lambda: ask(key=Key(KEY.name, "other fingerprint"))) == "key-reused"


def test_a_repetition_of_a_refused_request_is_judged_anew(games: Games, client: redis.Redis) -> None:
    game_id = games.create(ADA, spec([True, False], sandbox=False), None)[0]
    assert refused(lambda: games.act(game_id, ADA, order(None, key=KEY))) == "game-not-active"
    games.join(game_id, BOB, wish())
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(3))
    caller, other = (ADA, BOB) if seat == 0 else (BOB, ADA)
    assert refused(lambda: games.act(game_id, other, order(action, key=KEY))) == "not-your-turn"
    assert games.act(game_id, caller, order(action, key=KEY)).status == 201
    assert len(requests_of(log(client, game_id))) == 3


def test_concurrent_repetitions_make_one_event_set_and_get_one_answer(client: redis.Redis) -> None:
    processes = [games_on(client) for _ in range(8)]
    game_id = sandbox(processes[0])
    rng = random.Random(4)
    for number in range(10):
        ask = keyed(processes[0], game_id, Key(f"key {number}", "fingerprint"))
        start = Barrier(len(processes))
        before = log(client, game_id)

        def at_once(games: Games, ask: Callable[..., Any] = ask, start: Barrier = start) -> Any:
            start.wait()
            return ask(by=games)

        with ThreadPoolExecutor(len(processes)) as threads:
            answers = list(threads.map(at_once, processes))
        assert answers == [answers[0]] * len(processes)
        assert len(requests_of(log(client, game_id))) == len(requests_of(before)) + 1
        play_on(rng.choice(processes), game_id, rng)


def test_a_repetition_after_a_restart_gets_the_first_answer(games: Games, client: redis.Redis) -> None:
    game_id = sandbox(games)
    ask = keyed(games, game_id)
    first = ask()
    play_on(games, game_id, random.Random(5))
    before = log(client, game_id)
    assert ask(by=games_on(client)) == first
    assert log(client, game_id) == before


def test_a_repetition_on_a_cache_that_is_behind_gets_the_first_answer(games: Games, client: redis.Redis) -> None:
    other = games_on(client)
    game_id = sandbox(games)
    ask = keyed(other, game_id)
    first = ask(by=games)
    assert ask(by=other) == first
    assert len(requests_of(log(client, game_id))) == 2


def test_another_callers_same_key_is_another_key(games: Games, client: redis.Redis) -> None:
    game_id = games.create(ADA, spec([False, False, False], sandbox=False), None)[0]
    first, second = games.join(game_id, ADA, wish(key=KEY)), games.join(game_id, BOB, wish(key=KEY))
    assert (body(first)["seat"], body(second)["seat"]) == (0, 1)
    assert games.join(game_id, ADA, wish(key=KEY)) == first
    assert games.join(game_id, BOB, wish(key=KEY)) == second
    assert len(log(client, game_id)) == 3


def test_a_repeated_join_gets_the_first_answer(games: Games, client: redis.Redis) -> None:
    game_id = games.create(ADA, spec([True, False, False], sandbox=False), None)[0]
    first = games.join(game_id, BOB, wish(key=KEY))
    before = everything(client)
    assert games.join(game_id, BOB, wish(key=KEY)) == first
    assert games_on(client).join(game_id, BOB, wish(key=KEY)) == first
    assert refused(lambda: games.join(game_id, BOB, wish(key=Key("once", "other")))) == "key-reused"
    assert refused(lambda: games.join(game_id, BOB, wish())) == "already-seated"
    assert everything(client) == before


def test_a_repeated_join_after_leaving_again_takes_no_seat(games: Games, client: redis.Redis) -> None:
    game_id = games.create(ADA, spec([True, False, False], sandbox=False), None)[0]
    first = games.join(game_id, BOB, wish(key=KEY))
    games.leave(game_id, BOB, 1)
    before = log(client, game_id)
    assert games.join(game_id, BOB, wish(key=KEY)) == first
    assert log(client, game_id) == before


def test_a_keyed_creation_makes_one_game(games: Games, client: redis.Redis) -> None:
    first = games.create(ADA, spec(), KEY)
    written = everything(client)
    assert games.create(ADA, spec(), KEY) == first
    assert games_on(client).create(ADA, spec(), KEY) == first
    assert everything(client) == written
    assert body(first[1])["id"] == first[0]


def test_a_keyed_creation_is_answered_as_at_first_after_the_game_went_on(games: Games) -> None:
    first = games.create(ADA, spec(), KEY)
    play_on(games, first[0], random.Random(6))
    assert games.create(ADA, spec(), KEY) == first


def test_a_keyed_creation_with_another_body_is_refused(games: Games, client: redis.Redis) -> None:
    games.create(ADA, spec(), KEY)
    written = everything(client)
    assert refused(lambda: games.create(ADA, spec([True] * 3), Key(KEY.name, "other"))) == "key-reused"
    assert everything(client) == written


def test_creations_with_other_keys_by_others_or_without_a_key_are_other_games(games: Games) -> None:
    made = [
        games.create(ADA, spec(), KEY),
        games.create(ADA, spec(), Key("twice", KEY.fingerprint)),
        games.create(BOB, spec(), KEY),
        games.create(ADA, spec(), None),
        games.create(ADA, spec(), None),
    ]
    assert len({game_id for game_id, _ in made}) == len(made)


def test_concurrent_keyed_creations_make_one_game(client: redis.Redis) -> None:
    processes = [games_on(client) for _ in range(8)]
    start = Barrier(len(processes))

    def at_once(games: Games) -> Any:
        start.wait()
        return games.create(ADA, spec(), KEY)

    with ThreadPoolExecutor(len(processes)) as threads:
        made = list(threads.map(at_once, processes))
    assert made == [made[0]] * len(processes)
    assert len(requests_of(log(client, made[0][0]))) == 1


def test_a_refused_creation_makes_nothing(games: Games, client: redis.Redis) -> None:
    with pytest.raises(Exception, match="a player can hold only one"):
        games.create(ADA, spec([True, True], sandbox=False), KEY)
    assert [*client.scan_iter("*gm_*")] == []
    assert games.create(ADA, spec(), KEY)[1].status == 201


def forgotten(client: redis.Redis) -> None:
    """Let the time of all answers be over, as the store does it."""
    for answer in [*client.scan_iter("*:answer:*")]:
        client.pexpire(answer, 1)
    wait_until(lambda: not [*client.scan_iter("*:answer:*")], "the answers to expire")


def test_after_the_time_of_its_answer_a_repetition_is_judged_anew(games: Games, client: redis.Redis) -> None:
    game_id = sandbox(games, seats=3)
    ask = keyed(games, game_id)
    ask()
    forgotten(client)
    before = log(client, game_id)
    assert refused(ask) == "not-your-turn"
    assert refused(lambda: ask(by=games_on(client))) == "not-your-turn"
    assert log(client, game_id) == before


def test_after_that_time_only_the_version_keeps_an_action_that_is_legal_again_from_acting_twice(
    games: Games, client: redis.Redis
) -> None:
    """All pass, so the cards are dealt again, and the first to bid can pass again."""
    game_id = games.create(ADA, spec([True] * 4, ruleset="french-tarot"))[0]
    game = games.current(game_id)
    (seat,) = game.pending
    bound = order(Pass(), seat=seat, version=game.version, key=KEY)
    free = order(Pass(), seat=seat, key=Key("free", "fingerprint"))
    games.act(game_id, ADA, bound)
    while seat not in (game := games.current(game_id)).pending:
        games.act(game_id, ADA, order(Pass(), seat=min(game.pending)))
    forgotten(client)
    before = log(client, game_id)
    assert refused(lambda: games.act(game_id, ADA, bound)) == "stale-version"
    assert log(client, game_id) == before
    assert games.act(game_id, ADA, free).status == 201
    assert len(log(client, game_id)) > len(before)


def test_after_that_time_a_repeated_creation_or_join_is_refused(games: Games, client: redis.Redis) -> None:
    game_id, _ = games.create(ADA, spec([True, False, False], sandbox=False), KEY)
    games.join(game_id, BOB, wish(key=KEY))
    forgotten(client)
    before = everything(client)
    assert refused(lambda: games.create(ADA, spec([True, False, False], sandbox=False), KEY)) == "key-reused"
    assert refused(lambda: games.join(game_id, BOB, wish(key=KEY))) == "already-seated"
    assert everything(client) == before


# -- over HTTP ----------------------------------------------------------------------------------------------------


@dataclass
class Web:
    """A web process, and someone who uses it."""

    http: FlaskClient
    token: str

    def post(self, path: str, json: Any, key: str | None = None, match: str | None = None, **more: Any) -> TestResponse:
        given = {"Idempotency-Key": key, "If-Match": match and f'"{match}"'}
        headers = {"Authorization": f"Bearer {self.token}"} | {name: value for name, value in given.items() if value}
        return self.http.post(path, json=json, headers=headers, **more)

    def get(self, path: str) -> Any:
        return self.http.get(path, headers={"Authorization": f"Bearer {self.token}"}).get_json()


@pytest.fixture
def players(client: redis.Redis) -> Iterator[Players]:
    players = Players(client, wall_clock.now)
    yield players
    players.close()


@pytest.fixture
def web(client: redis.Redis, players: Players) -> Web:
    return Web(app_on(client, players), players.create("Ada")[1])


def app_on(client: redis.Redis, players: Players) -> FlaskClient:
    store = EventStore(client)
    return create_app(services_on(store, players)).test_client()


SANDBOX = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 2, "sandbox": True}


def acting(web: Web) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Create a sandbox; give where to post actions, the game, and two legal actions."""
    game = web.post("/v1/games", SANDBOX).get_json()
    listed = web.get(f"/v1/games/{game['id']}/legal-actions")
    return f"/v1/games/{game['id']}/actions?as={listed['seat']}", *listed["actions"][:2]


@over_http
def test_over_http_a_repetition_gets_the_same_bytes(web: Web, client: redis.Redis, players: Players) -> None:
    path, action, _ = acting(web)
    first = web.post(path, action, "once")
    assert (first.status_code, first.get_json()["events"] != []) == (201, True)
    written = everything(client)
    restarted = Web(app_on(client, players), web.token)
    for process in (web, web, restarted):
        again = process.post(path, action, "once")
        assert (again.status_code, again.data, again.content_type) == (201, first.data, first.content_type)
    assert everything(client) == written


@over_http
def test_over_http_the_order_of_fields_makes_no_other_request(web: Web) -> None:
    path, action, _ = acting(web)
    first = web.post(path, action, "once")
    turned = dict(reversed(action.items()))
    assert list(turned) != list(action)
    assert web.post(path, turned, "once").data == first.data


@over_http
def test_over_http_a_key_with_another_body_path_or_query_is_refused(web: Web, client: redis.Redis) -> None:
    path, action, other = acting(web)
    assert web.post(path, action, "once").status_code == 201
    written = everything(client)
    bare = path.partition("?")[0]
    for where, what in ((path, other), (bare, action), (f"{bare}?as=0&dry_run=false", action)):
        refusal = web.post(where, what, "once")
        assert (refusal.status_code, refusal.get_json()["code"]) == (422, "key-reused")
    assert everything(client) == written


@over_http
def test_over_http_a_repeated_creation_gets_the_same_bytes_and_place(web: Web, client: redis.Redis) -> None:
    first = web.post("/v1/games", SANDBOX, "once")
    written = everything(client)
    again = web.post("/v1/games", SANDBOX, "once")
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Location"] == first.headers["Location"]
    refusal = web.post("/v1/games", SANDBOX | {"visibility": "unlisted"}, "once")
    assert (refusal.status_code, refusal.get_json()["code"]) == (422, "key-reused")
    assert everything(client) == written


@over_http
def test_over_http_a_repeated_join_gets_the_same_bytes(web: Web, client: redis.Redis, players: Players) -> None:
    made = web.post("/v1/games", {"ruleset": "le-plateau", "seats": [{"player": "me"}, {"open": True}]}).get_json()
    guest = Web(web.http, players.create("Bob")[1])
    path = f"/v1/games/{made['id']}/seats"
    first = guest.post(path, {"client_seed": "é"}, "once", made["head"])
    written = everything(client)
    again = guest.post(path, {"client_seed": "é"}, "once", made["head"])
    assert (again.status_code, again.data) == (first.status_code, first.data) == (201, first.data)
    assert guest.post(path, {"client_seed": "e"}, "once").get_json()["code"] == "key-reused"
    assert guest.post(path, {"client_seed": "é"}).get_json()["code"] == "game-not-open"
    assert everything(client) == written


@over_http
def test_over_http_a_dry_run_is_never_remembered(web: Web, client: redis.Redis) -> None:
    path, action, _ = acting(web)
    written = everything(client)
    assert web.post(f"{path}&dry_run=true", action, "once").get_json() == {"legal": True}
    assert everything(client) == written
    assert web.post(path, action, "once").status_code == 201


@pytest.mark.parametrize("key", ["", "k" * 129, "tab\there", "é"])
@over_http
def test_over_http_a_key_of_another_form_is_refused_and_nothing_is_written(
    web: Web, client: redis.Redis, key: str
) -> None:
    path, action, _ = acting(web)
    written = everything(client)
    headers = {"Authorization": f"Bearer {web.token}", "Idempotency-Key": key}
    refusal = web.http.post(path, json=action, headers=headers)
    assert refusal.status_code == 400
    assert refusal.get_json()["errors"][0]["pointer"] == "Idempotency-Key"
    assert everything(client) == written


def test_a_wrong_moment_says_so_without_a_key_too(games: Games) -> None:
    game_id = games.create(ADA, spec([True, False], sandbox=False), None)[0]
    with pytest.raises(AtVersion) as refusal:
        games.act(game_id, ADA, order(None))
    assert isinstance(refusal.value.refusal, WrongMoment)
    assert refusal.value.version == 2
