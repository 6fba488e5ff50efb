"""How much room a limit has: responses to what counts against it say so, before it is reached and when it is."""

import re
from unittest.mock import Mock

import redis

from tests.support.people import OPEN, assert_limited


def test_creations_say_how_much_room_is_left(server):
    server.keep_limits(new_players=3, new_games=5, joins=7)
    stranger = server.stranger()
    for left in (2, 1, 0):
        made = stranger.post("/v1/players", {"name": "Ada"})
        assert made.headers["RateLimit-Policy"] == '"new-players";q=3;w=3600'
        assert re.fullmatch(rf'"new-players";r={left};t=(3600|3599|3598)', made.headers["RateLimit"])
    refused = stranger.post("/v1/players", {"name": "Ada"})
    assert_limited(refused, "new-players")
    ada = server.known("pl_ada")
    game = ada.post("/v1/games", {"ruleset": "plute", "seats": [OPEN] * 6})
    assert game.headers["RateLimit"].startswith('"new-games";r=4;t=')
    joined = ada.post(f"/v1/games/{game.json['id']}/seats", {})
    assert (joined.status_code, joined.headers["RateLimit-Policy"]) == (201, '"joins";q=7;w=3600')
    assert joined.headers["RateLimit"].startswith('"joins";r=6;t=')


def test_a_proposal_says_how_much_room_is_left(server, table):
    server.keep_limits(proposals=2)
    person = table.people[0]
    for left, kind in ((1, "pause"), (0, "stop_after_hand")):
        made = person.post(f"{table.path}/proposals", {"kind": kind})
        assert (made.status_code, made.headers["RateLimit-Policy"]) == (201, '"proposals";q=2;w=3600')
        assert re.fullmatch(rf'"proposals";r={left};t=(3600|3599|3598)', made.headers["RateLimit"])
    voted = table.people[1].post(
        f"{table.path}/proposals/{made.json['events'][0]['data']['proposal']}/votes", {"accept": False}
    )
    assert "RateLimit" not in voted.headers
    assert_limited(person.post(f"{table.path}/proposals", {"kind": "stop_after_hand"}), "proposals")


def test_what_has_no_limit_says_nothing_of_room(server):
    assert "RateLimit" not in server.stranger().post("/v1/players", {"name": "Ada"}).headers


def test_a_creation_is_not_undone_because_its_room_cannot_be_read(server, monkeypatch):
    server.keep_limits(new_players=3)
    monkeypatch.setattr(
        "limits.strategies.SlidingWindowCounterRateLimiter.get_window_stats", Mock(side_effect=redis.ConnectionError)
    )
    made = server.stranger().post("/v1/players", {"name": "Ada"})
    assert made.status_code == 201
    assert "RateLimit" not in made.headers
