"""Strangers repeatedly join an open game and leave it, so that its log grows without limit.

Requests of a few bytes that append many events: forks of long games, and actions that settle much.
A player whose only company is bots pauses and resumes, or two who agree propose and decline, without end.
"""

import random

import pytest

from service.accounts.limits import DEFAULTS
from tests.support.people import ME, OPEN, assert_limited, limited
from tests.support.random_games import played

OPEN_GAME = {"ruleset": "le-plateau", "seats": [OPEN] * 4}


def join_and_leave(person, path, times):
    """Join and leave until a limit is reached; return that response."""
    for _ in range(times):
        joined = person.post(f"{path}/seats", {"seat": 1})
        if joined.status_code != 201:
            return joined
        assert person.delete(f"{path}/seats/1").status_code == 204
    return None


@pytest.fixture
def opened(redis_url):
    """A service with the default limits, and an open game."""
    with limited(redis_url, DEFAULTS) as server:
        game = server.newcomer("Ada").post("/v1/games", OPEN_GAME).json
        yield server, f"/v1/games/{game['id']}"


def version(server, path):
    return server.stranger().get(path).json["version"]


def test_one_stranger_adds_no_more_to_a_log_than_their_joins(opened):
    server, path = opened
    eve, bob = server.newcomer("Eve"), server.newcomer("Bob")
    assert_limited(join_and_leave(eve, path, 500), "joins")
    grown = version(server, path)
    assert grown == 1 + 2 * DEFAULTS["joins"]
    assert_limited(join_and_leave(eve, path, 500), "joins")
    assert version(server, path) == grown
    assert bob.post(f"{path}/seats", {"seat": 1}).status_code == 201


def test_strangers_of_one_address_add_no_more_than_its_joins(opened):
    server, path = opened
    for number in range(DEFAULTS["joins-from-address"] // DEFAULTS["joins"]):
        assert_limited(join_and_leave(server.newcomer(f"Eve {number}"), path, 500), "joins")
    assert_limited(join_and_leave(server.newcomer("Last"), path, 500), "joins-from-address")
    assert_limited(join_and_leave(server.newcomer("After"), path, 500), "joins-from-address")
    assert version(server, path) == 1 + 2 * DEFAULTS["joins-from-address"]
    elsewhere = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.2"}}
    assert server.newcomer("Bob").ask("POST", f"{path}/seats", {"seat": 1}, **elsewhere).status_code == 201


def test_anyone_who_sits_may_leave_and_the_same_player_may_join_other_games(opened):
    server, path = opened
    eve = server.newcomer("Eve")
    join_and_leave(eve, path, DEFAULTS["joins"] - 1)
    assert eve.post(f"{path}/seats", {"seat": 1}).status_code == 201
    assert eve.delete(f"{path}/seats/1").status_code == 204
    assert_limited(eve.post(f"{path}/seats", {"seat": 1}), "joins")
    other = server.newcomer("Bob").post("/v1/games", OPEN_GAME).json
    assert eve.post(f"/v1/games/{other['id']}/seats", {}).status_code == 201


def test_a_join_that_is_repeated_gets_its_first_answer_when_the_limit_is_reached(opened):
    server, path = opened
    eve = server.newcomer("Eve")
    first = eve.post(f"{path}/seats", {"seat": 1}, Idempotency_Key="k")
    eve.delete(f"{path}/seats/1")
    assert_limited(join_and_leave(eve, path, 500), "joins")
    assert_limited(eve.post(f"{path}/seats", {"seat": 1}, Idempotency_Key="other"), "joins")
    assert eve.post(f"{path}/seats", {"seat": 1}, Idempotency_Key="k").data == first.data
    assert eve.post(f"{path}/seats", {"seat": 2}, Idempotency_Key="k").json["code"] == "key-reused"


def test_what_is_refused_for_another_reason_counts_against_no_limit(opened):
    server, path = opened
    eve, bob = server.newcomer("Eve"), server.newcomer("Bob")
    bob.post(f"{path}/seats", {"seat": 1})
    for _ in range(DEFAULTS["joins"] + 5):
        assert eve.post(f"{path}/seats", {"seat": 1}).json["code"] == "seat-taken"
    assert eve.post(f"{path}/seats", {"seat": 2}).status_code == 201


STEPS = played("le-plateau", 4, 4)
LATEST = max(step.game.version for step in STEPS if step.game.status == "active")
EVENTS = LATEST - 20
"""A fork at the latest version has some more events than this."""
SANDBOX = {"ruleset": "le-plateau", "seats": [ME, ME], "sandbox": True}


def test_a_fork_counts_for_each_event_that_it_repeats_by_player_and_by_address(redis_url):
    with limited(redis_url, {"events-written": 2 * EVENTS, "events-written-from-address": 3 * EVENTS}) as server:
        path = server.table_of_log(STEPS).path
        ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
        answers = [ada.post(f"{path}/forks", {"at": LATEST}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert_limited(answers[-1], "events-written")
        answers = [bob.post(f"{path}/forks", {"at": LATEST}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201, 429]
        assert_limited(answers[-1], "events-written-from-address")
        assert_limited(server.newcomer("Cleo").post("/v1/games", SANDBOX), "events-written-from-address")


def test_an_action_counts_for_each_event_that_it_appends_and_only_once(redis_url):
    with limited(redis_url, {"events-written": 60}) as server:
        ada = server.newcomer("Ada")
        game = ada.post("/v1/games", SANDBOX).json["id"]
        path, rng, answers = f"/v1/games/{game}", random.Random(1), []
        while True:
            version = ada.get(path).json["version"]
            seat = ada.get(path).json["waiting_for"][0]
            action = rng.choice(ada.get(f"{path}/legal-actions?as={seat}").json["actions"])
            answer = ada.post(f"{path}/actions?as={seat}", action, Idempotency_Key=f"k{version}")
            if answer.status_code == 429:
                break
            answers.append((f"{path}/actions?as={seat}", action, f"k{version}", answer))
        assert_limited(answer, "events-written")
        assert 60 <= version < 60 + 30, "a write is accepted while there is any room"
        assert len(answers) < version - 3, "some of them appended several events"
        where, action, key, first = answers[-1]
        assert ada.post(where, action, Idempotency_Key=key).data == first.data
        assert ada.get(f"{path}/view?as={seat}").status_code == 200, "who has written too much can still read"
        assert server.newcomer("Bob").post("/v1/games", SANDBOX).status_code == 201


def test_games_that_bots_alone_play_are_few_from_one_address(redis_url):
    bots = {"ruleset": "le-plateau", "seats": [{"bot": "random"}] * 2, "clock": None}
    with_me = {**bots, "seats": [ME, {"bot": "random"}]}
    with limited(redis_url, {"bot-games-from-address": 2}) as server:
        ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
        paths = [f"/v1/games/{ada.post('/v1/games', with_me).json['id']}" for _ in range(3)]
        assert bob.post("/v1/games", bots).status_code == 201
        assert ada.ask("PUT", f"{paths[0]}/seats/0", {"bot": "random"}).status_code == 200
        assert_limited(ada.ask("PUT", f"{paths[1]}/seats/0", {"bot": "random"}), "bot-games-from-address")
        assert_limited(bob.post("/v1/games", bots), "bot-games-from-address")
        assert bob.post("/v1/games", with_me).status_code == 201


def propose_on(person, path, times):
    """Pause and resume; return the first answer that refuses to."""
    for number in range(times):
        made = person.post(f"{path}/proposals", {"kind": ("pause", "resume")[number % 2]})
        if made.status_code != 201:
            return made
    return None


def test_a_log_grows_by_no_more_than_the_proposals_of_its_players(redis_url):
    with limited(redis_url, DEFAULTS) as server:
        ada = server.newcomer("Ada")
        game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, {"bot": "random"}]}).json
        path = f"/v1/games/{game['id']}"
        assert_limited(propose_on(ada, path, 500), "proposals")
        grown = ada.get(path).json["version"]
        assert grown <= game["version"] + 3 * DEFAULTS["proposals"]
        assert_limited(propose_on(ada, path, 500), "proposals")
        assert ada.get(path).json["version"] == grown


def test_a_seat_at_its_limit_may_still_vote_and_others_may_propose(redis_url):
    with limited(redis_url, {"proposals": 2}) as server:
        ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
        path = server.table([ada, bob]).path
        for _ in range(2):
            made = ada.post(f"{path}/proposals", {"kind": "pause"}, Idempotency_Key="k")
            proposal = made.json["events"][0]["data"]["proposal"]
            bob.post(f"{path}/proposals/{proposal}/votes", {"accept": False})
        assert made.status_code == 201
        ada.post(f"{path}/proposals", {"kind": "pause"})
        bob.post(f"{path}/proposals/p{bob.get(path).json['version']}/votes", {"accept": False})
        assert_limited(ada.post(f"{path}/proposals", {"kind": "pause"}), "proposals")
        assert ada.post(f"{path}/proposals", {"kind": "pause"}, Idempotency_Key="k").data == made.data
        asked = bob.post(f"{path}/proposals", {"kind": "pause"}).json["events"][0]["data"]["proposal"]
        assert ada.post(f"{path}/proposals/{asked}/votes", {"accept": False}).status_code == 201
