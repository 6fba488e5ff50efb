"""One guest makes thousands of games: with clocks of a second, with bots, or open ones that fill the lobby."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.accounts.limits import DEFAULTS
from service.store import keys
from tests.support.people import ME, OPEN, assert_limited, limited

pytestmark = pytest.mark.long

MOST = 5
SHORT_CLOCK = {"ruleset": "le-plateau", "seats": [ME, ME], "sandbox": True, "clock": {"per_move": "PT5S"}}
BARE = {**SHORT_CLOCK, "clock": None}
BOTS = {"ruleset": "le-plateau", "seats": [{"bot": "random"}] * 2, "clock": None}
WAITING = {"ruleset": "le-plateau", "seats": [ME, OPEN], "clock": None}
LIMITS = {"open-games": MOST, "running-games": MOST}


@pytest.fixture
def server(redis_url):
    """A service that allows few games at once."""
    with limited(redis_url, LIMITS) as server:
        yield server


@pytest.fixture
def ada(server):
    """A guest."""
    return server.newcomer("Ada")


def made(answers):
    return [answer.json for answer in answers if answer.status_code == 201]


def deadlines(server):
    """How many games something will be due for."""
    sets = [key for n in range(16) for shard in [keys.Shard(n)] for key in (shard.deadlines, shard.second_looks)]
    return sum(server.redis.zcard(key) for key in sets)


def agree_on_a_draw(person, path):
    """End a game in which one player holds both seats."""
    made = person.post(f"{path}/proposals?as=0", {"kind": "draw"}).json["events"][0]["data"]["proposal"]
    agreed = person.post(f"{path}/proposals/{made}/votes?as=1", {"accept": True})
    assert agreed.json["status"] == "finished"


def test_a_guest_whose_places_are_taken_uses_up_no_new_games_of_the_address(redis_url):
    with limited(
        redis_url, {"running-games": MOST, "new-games": 2 * MOST, "new-games-from-address": 2 * MOST}
    ) as server:
        ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
        assert len(made(ada.post("/v1/games", SHORT_CLOCK) for _ in range(MOST))) == MOST
        for _ in range(3 * MOST):
            assert_limited(ada.post("/v1/games", SHORT_CLOCK), "running-games")
        assert ada.post("/v1/games", BARE).status_code == 201
        assert bob.post("/v1/games", BARE).status_code == 201


@pytest.mark.parametrize(
    ("game", "bucket"),
    [(SHORT_CLOCK, "running-games"), (BOTS, "running-games"), (WAITING, "open-games")],
    ids=["clocks", "bots", "open"],
)
def test_a_guest_has_so_many_games_and_no_more_however_many_are_asked_for_at_once(server, ada, game, bucket):
    with ThreadPoolExecutor(8) as executor:
        answers = list(executor.map(lambda _: ada.post("/v1/games", game), range(40)))
    assert len(made(answers)) == MOST
    for answer in answers:
        if answer.status_code != 201:
            assert_limited(answer, bucket)
    assert deadlines(server) == (MOST if bucket == "running-games" else 0)
    assert len(ada.get("/v1/me/games").json["items"]) == MOST
    assert server.newcomer("Bob").post("/v1/games", game).status_code == 201


def test_no_more_clocks_run_than_the_default_allows(redis_url):
    with limited(redis_url, DEFAULTS) as server:
        ada = server.newcomer("Ada")
        for _ in range(DEFAULTS["running-games"]):
            assert ada.post("/v1/games", SHORT_CLOCK).status_code == 201
        assert_limited(ada.post("/v1/games", SHORT_CLOCK), "running-games")
        assert deadlines(server) == DEFAULTS["running-games"]


def test_games_made_at_a_stretch_are_limited_by_player_and_by_address(redis_url):
    with limited(redis_url, {"new-games": 4, "new-games-from-address": 6}) as server:
        ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
        answers = [ada.post("/v1/games", BARE) for _ in range(6)]
        assert len(made(answers)) == 4
        assert_limited(answers[-1], "new-games")
        answers = [bob.post("/v1/games", BARE) for _ in range(4)]
        assert len(made(answers)) == 2
        assert_limited(answers[-1], "new-games-from-address")


def test_a_game_that_has_gone_on_makes_room_for_another(server, ada):
    waiting = made(ada.post("/v1/games", WAITING) for _ in range(MOST))
    assert_limited(ada.post("/v1/games", WAITING), "open-games")
    server.newcomer("Bob").post(f"/v1/games/{waiting[2]['id']}/seats", {})
    assert ada.post("/v1/games", WAITING).status_code == 201
    assert_limited(ada.post("/v1/games", WAITING), "open-games")

    running = made(ada.post("/v1/games", {**SHORT_CLOCK, "ruleset": "plateau"}) for _ in range(MOST))
    assert_limited(ada.post("/v1/games", SHORT_CLOCK), "running-games")
    agree_on_a_draw(ada, f"/v1/games/{running[1]['id']}")
    assert ada.post("/v1/games", SHORT_CLOCK).status_code == 201
    assert_limited(ada.post("/v1/games", SHORT_CLOCK), "running-games")


def test_putting_bots_on_seats_is_no_way_around_the_limit(server, ada):
    bare = made(ada.post("/v1/games", BARE) for _ in range(2 * MOST))
    assert len(bare) == 2 * MOST
    answers = [ada.ask("PUT", f"/v1/games/{game['id']}/seats/0", {"bot": "random"}) for game in bare]
    assert [answer.status_code for answer in answers] == [200] * MOST + [429] * MOST
    assert_limited(answers[-1], "running-games")
    assert ada.ask("PUT", f"/v1/games/{bare[0]['id']}/seats/1", {"bot": "random"}).status_code == 200


def test_a_keyed_wish_gets_its_first_answer_when_the_limit_is_reached(server, ada):
    first = ada.post("/v1/games", SHORT_CLOCK, Idempotency_Key="k")
    while ada.post("/v1/games", SHORT_CLOCK).status_code == 201:
        pass
    assert_limited(ada.post("/v1/games", SHORT_CLOCK, Idempotency_Key="other"), "running-games")
    again = ada.post("/v1/games", SHORT_CLOCK, Idempotency_Key="k")
    assert (again.status_code, again.data, again.headers["Location"]) == (201, first.data, first.headers["Location"])
    assert ada.post("/v1/games", BARE, Idempotency_Key="k").json["code"] == "key-reused"
    server.keep_limits(new_games=1)
    ada.post("/v1/games", BARE)
    assert_limited(ada.post("/v1/games", BARE), "new-games")
    assert ada.post("/v1/games", SHORT_CLOCK, Idempotency_Key="k").data == first.data


def test_a_place_taken_for_a_game_that_was_never_made_is_given_back(server, ada):
    lost = [f"gm_{number}" for number in range(MOST)]
    place = keys.places("running-games", ada.id)
    now = server.redis.time()[0] * 1000
    server.redis.zadd(place, dict.fromkeys(lost, now))
    assert_limited(ada.post("/v1/games", SHORT_CLOCK), "running-games")
    server.redis.zadd(place, dict.fromkeys(lost, now - 180_000))
    assert ada.post("/v1/games", SHORT_CLOCK).status_code == 201
    assert server.redis.zcard(place) == 1


def test_places_are_gone_after_a_while_and_with_the_player(server, ada):
    for _ in range(MOST):
        ada.post("/v1/games", WAITING)
    place = keys.places("open-games", ada.id)
    month = 30 * 24 * 3600 * 1000
    assert 0 < server.redis.pttl(place) <= month
    for member, at in server.redis.zrange(place, 0, -1, withscores=True):
        server.redis.zadd(place, {member: at - month})
    assert ada.post("/v1/games", WAITING).status_code == 201
    assert server.redis.zcard(place) == 1
    ada.delete(f"/v1/me?confirm={ada.id}")
    assert not server.redis.exists(place)


@pytest.fixture
def tables(server):
    """Make open games of three, by as many players as games."""

    def make(number, **more):
        wish = {"ruleset": "le-plateau", "seats": [OPEN] * 3, "clock": None, **more}
        return [f"/v1/games/{server.newcomer('Host').post('/v1/games', wish).json['id']}" for _ in range(number)]

    return make


def a_while_later(server, player):
    """Let the places of a player's seats have been taken some minutes ago."""
    place = keys.places("seats", player.id)
    for member, at in server.redis.zrange(place, 0, -1, withscores=True):
        server.redis.zadd(place, {member: at - 180_000})


def test_a_player_has_so_many_seats_and_no_more_however_many_are_asked_for_at_once(server, ada, tables):
    server.keep_limits(seats=MOST)
    paths = tables(3 * MOST)
    with ThreadPoolExecutor(8) as executor:
        answers = list(executor.map(lambda path: ada.post(f"{path}/seats", {}), paths))
    assert len(made(answers)) == MOST
    for answer in answers:
        if answer.status_code != 201:
            assert_limited(answer, "seats")
    assert_limited(ada.post("/v1/games", WAITING), "seats")
    assert ada.post("/v1/games", {**WAITING, "seats": [OPEN, OPEN]}).status_code == 201
    assert server.newcomer("Bob").post(f"{paths[0]}/seats", {}).status_code == 201


def test_all_seats_of_a_sandbox_count_once(server, ada):
    server.keep_limits(seats=1)
    game = ada.post("/v1/games", {**BARE, "seats": [ME, OPEN, OPEN]}).json["id"]
    assert ada.post(f"/v1/games/{game}/seats", {}).status_code == 201
    assert_limited(ada.post("/v1/games", BARE), "seats")


def test_a_seat_that_was_left_or_whose_game_has_ended_makes_room_for_another(server, ada, tables):
    server.keep_limits(seats=2)
    left, cancelled = tables(1)[0], f"/v1/games/{ada.post('/v1/games', WAITING).json['id']}"
    seat = ada.post(f"{left}/seats", {}).json["seat"]
    more = tables(3)
    assert_limited(ada.post(f"{more[0]}/seats", {}), "seats")
    assert ada.delete(cancelled).status_code == 200
    assert ada.post(f"{more[0]}/seats", {}).status_code == 201
    assert ada.delete(f"{left}/seats/{seat}").status_code == 204
    a_while_later(server, ada)
    assert ada.post(f"{more[1]}/seats", {}).status_code == 201
    a_while_later(server, ada)
    assert_limited(ada.post(f"{more[2]}/seats", {}), "seats")


def test_a_seat_that_is_being_taken_keeps_its_place(server, ada, tables):
    server.keep_limits(seats=1)
    path, other = tables(2)
    server.redis.zadd(keys.places("seats", ada.id), {path.rpartition("/")[2]: server.redis.time()[0] * 1000})
    assert_limited(ada.post(f"{other}/seats", {}), "seats")
    assert ada.post(f"{path}/seats", {}).status_code == 201
