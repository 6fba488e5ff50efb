"""Requests of a few bytes that append many events: forks of long games, and actions that settle much."""

import random

from tests.support.people import ME, assert_limited, limited
from tests.support.random_games import played

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
