"""Repeated requests, and replies that are lost: never a second act, always the first answer.

Most tests hold for each command that takes a key. The last ones go over HTTP, where answers agree byte for byte.
"""

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

from domain.french_tarot.actions import Pass
from domain.game import history
from domain.log.record import Record
from service.accounts.players import Key, Players
from service.common import wall_clock
from service.common.errors import AtVersion, Unprocessable
from service.store.codec import Answer
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect
from tests.support.games import ADA, BOB, body, choose, order, play_on, requests_of, sandbox, spec, wish
from tests.support.proxies import Proxy
from tests.support.server import wait_until
from tests.support.stores import KINDS, empty_store, everything
from tests.support.wiring import Games, client_of, games_on

KEY = Key("once", "fingerprint")
OTHER = Key(KEY.name, "other fingerprint")
RETRIES = 3
PROCESSES = 8
over_http = pytest.mark.parametrize("client", ["valkey"], indirect=True)

Request = Callable[[Games, Key | None], Answer]
Command = Callable[[Games], tuple[str | None, Request]]
"""Prepares a game, and returns its id and a request, to be sent by any process, with any key; no game yet is None."""


client = pytest.fixture(params=KINDS)(empty_store)


@pytest.fixture
def games(client: redis.Redis) -> Games:
    return games_on(client)


def log(client: redis.Redis, game_id: str | None) -> list[Record]:
    return EventStore(client).read(game_id) if game_id else []


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises((AtVersion, Unprocessable)) as refusal:
        ask()
    error = refusal.value.refusal if isinstance(refusal.value, AtVersion) else refusal.value
    return error.code


def an_action(games: Games) -> tuple[str | None, Request]:
    game_id = sandbox(games, seats=3)
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(0))
    return game_id, lambda by, key: by.act(game_id, ADA, order(action, seat=seat, key=key))


def a_join(games: Games) -> tuple[str | None, Request]:
    game_id = games.create(ADA, spec([True, False, False], sandbox=False))[0]
    return game_id, lambda by, key: by.join(game_id, BOB, wish(key=key))


def a_creation(_games: Games) -> tuple[str | None, Request]:
    return None, lambda by, key: by.create(ADA, spec([True, False, False], sandbox=False), key)[1]


COMMANDS = {"an action": an_action, "a join": a_join, "a creation": a_creation}
each_command = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


# -- repeated -----------------------------------------------------------------------------------------------------


@each_command
def test_a_repetition_gets_the_first_answer_and_writes_nothing(
    games: Games, client: redis.Redis, command: Command
) -> None:
    game_id, ask = command(games)
    behind = games_on(client)
    if game_id:
        behind.show(game_id, None)
    first = ask(games, KEY)
    written = everything(client)
    for process in (games, games, behind, games_on(client)):
        assert ask(process, KEY) == first
        assert refused(lambda by=process: ask(by, OTHER)) == "key-reused"
    assert everything(client) == written


def play_to_the_end(games: Games, game_id: str) -> None:
    rng = random.Random(2)
    while not games.show(game_id, None).is_over:
        play_on(games, game_id, rng)


def play_for_a_while(games: Games, game_id: str) -> None:
    rng = random.Random(1)
    for _ in range(20):
        play_on(games, game_id, rng)


@pytest.mark.parametrize(
    ("command", "go_on", "code_with_another_key"),
    [
        pytest.param(an_action, play_for_a_while, None, id="others act"),
        pytest.param(an_action, play_to_the_end, "game-not-active", id="the game ends"),
        pytest.param(a_join, lambda games, game_id: games.leave(game_id, BOB, 1), None, id="the player leaves"),
        pytest.param(a_creation, lambda games, game_id: games.join(game_id, BOB, wish()), None, id="another joins"),
    ],
)
def test_a_repetition_gets_the_first_answer_whatever_came_between(
    games: Games,
    client: redis.Redis,
    command: Command,
    go_on: Callable[[Games, str], object],
    code_with_another_key: str | None,
) -> None:
    game_id, ask = command(games)
    first = ask(games, KEY)
    game_id = game_id or body(first)["id"]
    go_on(games, game_id)
    before = log(client, game_id)
    assert ask(games, KEY) == ask(games_on(client), KEY) == first
    if code_with_another_key:
        assert refused(lambda: ask(games, Key("new", "fingerprint"))) == code_with_another_key
    assert log(client, game_id) == before


@each_command
def test_repetitions_at_once_happen_once_and_get_one_answer(client: redis.Redis, command: Command) -> None:
    processes = [games_on(client) for _ in range(PROCESSES)]
    for number in range(5):
        game_id, ask = command(processes[0])
        key, start = Key(f"key {number}", "fingerprint"), Barrier(PROCESSES)
        before = log(client, game_id)

        def at_once(games: Games, ask: Request = ask, key: Key = key, start: Barrier = start) -> Answer:
            start.wait()
            return ask(games, key)

        with ThreadPoolExecutor(PROCESSES) as threads:
            answers = list(threads.map(at_once, processes))
        assert answers == [answers[0]] * PROCESSES
        after = log(client, game_id or body(answers[0])["id"])
        assert len(requests_of(after)) == len(requests_of(before)) + 1


def test_a_key_that_came_with_another_request_is_refused_though_the_rules_allow_it(games: Games) -> None:
    game_id, ask = an_action(games)
    ask(games, KEY)
    assert game_id
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(0))
    assert refused(lambda: games.act(game_id, ADA, order(action, seat=seat, key=OTHER))) == "key-reused"


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


def test_another_callers_same_key_is_another_key(games: Games, client: redis.Redis) -> None:
    game_id = games.create(ADA, spec([False, False, False], sandbox=False), None)[0]
    first, second = games.join(game_id, ADA, wish(key=KEY)), games.join(game_id, BOB, wish(key=KEY))
    assert (body(first)["seat"], body(second)["seat"]) == (0, 1)
    assert games.join(game_id, ADA, wish(key=KEY)) == first
    assert games.join(game_id, BOB, wish(key=KEY)) == second
    assert len(log(client, game_id)) == 3


def test_creations_with_other_keys_by_others_or_without_a_key_are_other_games(games: Games) -> None:
    made = [
        games.create(ADA, spec(), KEY),
        games.create(ADA, spec(), Key("twice", KEY.fingerprint)),
        games.create(BOB, spec(), KEY),
        games.create(ADA, spec(), None),
        games.create(ADA, spec(), None),
    ]
    assert len({game_id for game_id, _ in made}) == len(made)


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


@pytest.mark.parametrize(
    ("command", "code"),
    [(an_action, "not-your-turn"), (a_join, "already-seated"), (a_creation, "key-reused")],
    ids=COMMANDS,
)
def test_after_the_time_of_its_answer_a_repetition_is_judged_anew(
    games: Games, client: redis.Redis, command: Command, code: str
) -> None:
    _, ask = command(games)
    ask(games, KEY)
    forgotten(client)
    before = everything(client)
    for process in (games, games_on(client)):
        assert refused(lambda by=process: ask(by, KEY)) == code
    assert everything(client) == before


def test_after_that_time_the_version_keeps_a_legal_action_from_acting_twice(games: Games, client: redis.Redis) -> None:
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


# -- lost replies -------------------------------------------------------------------------------------------------


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
def unlucky(proxy: Proxy) -> Iterator[Games]:
    """A process whose replies can be lost, and which has told the server the scripts."""
    with connect(proxy.url) as client:
        games = games_on(client)
        sandbox(games)
        yield games


def hashes(records: list[Record]) -> list[str]:
    return [record.hash for record in records]


def told(answer: Any) -> list[str]:
    return [event["hash"] for event in body(answer)["events"]]


@each_command
@with_and_without_key
@pytest.mark.parametrize("lost", [1, RETRIES])
def test_a_command_whose_reply_is_lost_happens_once(
    unlucky: Games, proxy: Proxy, direct: redis.Redis, command: Command, key: Key | None, lost: int
) -> None:
    game_id, ask = command(unlucky)
    before, number = log(direct, game_id), len(direct.keys("*:events"))
    proxy.lose_reply("EVALSHA", *range(1, lost + 1))
    with proxy.counted() as commands:
        answer = ask(unlucky, key)
    assert (proxy.lost, commands.count("EVALSHA")) == (lost, lost + 1)
    assert answer.status == 201
    assert len(direct.keys("*:events")) == number + (game_id is None)
    game_id = game_id or body(answer)["id"]
    after = log(direct, game_id)
    assert len(requests_of(after)) == len(requests_of(before)) + 1
    assert body(answer)["version"] == len(after)
    assert command is a_creation or told(answer) == hashes(after[len(before) :])
    assert unlucky.show(game_id, None) == history.fold(after)
    if key:
        assert ask(unlucky, key) == ask(games_on(direct), key) == answer
        assert log(direct, game_id) == after


@with_and_without_key
def test_an_action_stands_though_others_acted_before_the_reply_came(
    unlucky: Games, proxy: Proxy, direct: redis.Redis, key: Key | None
) -> None:
    other, rng = games_on(direct), random.Random(1)
    game_id = sandbox(unlucky, seats=3)
    before = log(direct, game_id)
    proxy.lose_reply("EVALSHA", 1, meanwhile=lambda: [play_on(other, game_id, rng) for _ in range(3)])
    answer = play_on(unlucky, game_id, rng, key)
    after = log(direct, game_id)
    assert proxy.lost == 1
    assert len(requests_of(after)) == 1 + 1 + 3
    assert told(answer) == hashes(after[len(before) : body(answer)["version"]])
    assert unlucky.show(game_id, None) == other.show(game_id, None) == history.fold(after)
    play_on(unlucky, game_id, rng)
    assert len(requests_of(log(direct, game_id))) == 1 + 1 + 3 + 1


def test_a_leaving_whose_reply_is_lost_happens_once(unlucky: Games, proxy: Proxy, direct: redis.Redis) -> None:
    game_id = unlucky.create(ADA, spec([True, False], sandbox=False), None)[0]
    proxy.lose_reply("EVALSHA", 1)
    unlucky.leave(game_id, ADA, 0)
    assert proxy.lost == 1
    assert [record.type for record in log(direct, game_id)] == ["game_created", "seat_taken", "seat_left"]


def test_a_whole_game_goes_well_though_every_other_reply_is_lost(
    unlucky: Games, proxy: Proxy, direct: redis.Redis
) -> None:
    game_id, rng = sandbox(unlucky), random.Random(3)
    proxy.lose_reply("EVALSHA", *range(1, 2_000, 2))
    hashes_told = []
    while not unlucky.show(game_id, None).is_over:
        hashes_told += told(play_on(unlucky, game_id, rng))
    after = log(direct, game_id)
    assert hashes_told == hashes(after)[-len(hashes_told) :]
    assert proxy.lost == len(requests_of(after)) - 1


def test_where_no_reply_comes_through_a_repetition_with_the_key_settles_it(
    unlucky: Games, proxy: Proxy, direct: redis.Redis
) -> None:
    game_id = sandbox(unlucky)
    game, _ = unlucky.look(game_id, ADA, None, None)
    seat, action = choose(game, random.Random(4))
    proxy.lose_reply("EVALSHA", *range(1, RETRIES + 2))
    with pytest.raises(StoreUnavailable):
        unlucky.act(game_id, ADA, order(action, seat=seat, key=KEY))
    written = log(direct, game_id)
    assert len(requests_of(written)) == 2
    answer = unlucky.act(game_id, ADA, order(action, seat=seat, key=KEY))
    assert told(answer) == hashes(written[game.version :])
    with pytest.raises(AtVersion):
        unlucky.act(game_id, ADA, order(action, seat=seat, key=None))
    assert log(direct, game_id) == written


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
    return client_of(store, players)


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


def test_over_http_an_action_whose_reply_is_lost_gets_the_same_bytes(proxy: Proxy, direct: redis.Redis) -> None:
    with connect(proxy.url) as client:
        players = Players(client, wall_clock.now)
        web = Web(app_on(client, players), players.create("Ada")[1])
        path, action, _ = acting(web)
        game_id = path.split("/")[3]
        before = log(direct, game_id)
        proxy.lose_reply("EVALSHA", *range(1, RETRIES + 2))
        unavailable = web.post(path, action, "once")
        assert (unavailable.status_code, unavailable.headers["Retry-After"]) == (503, "1")
        proxy.lose_reply("EVALSHA", 1)
        first, second = web.post(path, action, "once"), web.post(path, action, "once")
        assert proxy.lost == RETRIES + 2
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.data == second.data
        events = first.get_json()["events"]
        assert [event["hash"] for event in events] == hashes(log(direct, game_id)[len(before) :])
        players.close()
