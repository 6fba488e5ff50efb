"""Strangers repeatedly join an open game and leave it, so that its log grows without limit."""

import pytest

from service.accounts.limits import DEFAULTS
from tests.support.people import OPEN, assert_limited, limited

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


def test_whoever_sits_may_leave_and_the_same_player_may_join_other_games(opened):
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
