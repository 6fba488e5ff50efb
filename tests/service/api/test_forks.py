"""Forks: a sandbox that begins at a position of a game, as its maker can know it."""

import random
from functools import partial
from types import SimpleNamespace

import fakeredis
import pytest

from domain.french_tarot import sampling as french_tarot_sampling
from domain.laws.law import some
from domain.registry import RULESETS
from domain.table import EVERYTHING
from tests.support.other_worlds import in_another_world, told
from tests.support.people import ME, Server, Table, refused, some_action
from tests.support.random_games import played, up_to_the_middle
from tests.support.sampling import FULL

RANDOM = {"bot": "random"}
NOW = "2026-12-31T00:00:00.000Z"


def forked(person, path, body=None, **headers):
    """Fork a game, and return the fork as a table of its maker."""
    answer = person.post(f"{path}/forks", body or {}, **headers)
    assert answer.status_code == 201, answer.text
    game = answer.json
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    return game, f"/v1/games/{game['id']}"


def state(person, path, query=""):
    return person.get(f"{path}/view{query}").json["state"]


def running(server, ruleset_id, seats):
    """Put such a game into the store; return its steps and its table."""
    steps = up_to_the_middle(ruleset_id, seats)
    return steps, server.table_of_log(steps)


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_a_fork_of_a_running_game_begins_at_what_its_maker_knows(server, ruleset_id, seats):
    steps, table = running(server, ruleset_id, seats)
    version = steps[-1].game.version
    for seat in range(seats):
        me = server.known(f"pl_{seat}")
        fork, path = forked(me, table.path)
        origin = fork["forked_from"]
        assert {**origin, "events": None} == {
            "game_id": table.id, "version": version, "seat": seat, "knowledge": "own", "events": None
        }  # fmt: skip
        assert (fork["visibility"], fork["sandbox"], fork["status"], fork["clock"]) == ("private", True, "active", None)
        assert [each["player"] for each in fork["seats"]] == [me.id] * seats
        assert state(me, path, f"?as={seat}") == state(me, table.path)
        assert fork["waiting_for"] == me.get(table.path).json["waiting_for"]
    fork, path = forked(server.newcomer("Eve"), table.path)
    assert fork["forked_from"]["seat"] is None


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_a_fork_of_a_finished_game_begins_at_the_true_position(server, ruleset_id, seats):
    steps = played(ruleset_id, seats, 4)
    table, eve = server.table_of_log(steps), server.newcomer("Eve")
    running_steps = [step for step in steps if step.game.status == "active"]
    for step in some(random.Random(f"{ruleset_id} {seats}"), running_steps, 3):
        at = step.game.version
        fork, path = forked(eve, table.path, {"at": at})
        assert (fork["forked_from"]["version"], fork["forked_from"]["knowledge"]) == (at, "full")
        for seat in range(seats):
            assert state(eve, path, f"?as={seat}") == state(eve, table.path, f"?as={seat}&at={at}")


@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_what_is_hidden_in_a_game_changes_no_byte_of_its_forks(monkeypatch, contract, closing, ruleset_id, seats):
    """With the same secret and id, two games that look the same to its maker have the same fork."""
    servers = [Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, lambda: NOW) for _ in range(2)]
    steps = up_to_the_middle(ruleset_id, seats)
    game, differed = steps[-1].game, 0
    for viewer in (0, seats - 1):
        view = game.ruleset.project(game.state, viewer)
        world = game.ruleset.sample(game.options, viewer, view, random.Random(1))
        differed += world != game.state
        forks = []
        for server, log in zip(servers, (steps, in_another_world(ruleset_id, steps, world)), strict=True):
            server.redis.flushall()
            server.forget_games()
            table = server.table_of_log(log)
            with monkeypatch.context() as fixed:
                fixed.setattr("service.games.desk.secrets", SimpleNamespace(token_bytes=bytes, token_hex="0".zfill))
                answer = server.known(f"pl_{viewer}").post(f"{table.path}/forks", {})
            path = answer.headers["Location"]
            me = server.known(f"pl_{viewer}")
            forks.append([answer.data, *(me.get(f"{path}/events?limit=1000&as={seat}").data for seat in range(seats))])
        assert forks[0] == forks[1]
    assert differed
    for server in servers:
        closing.submit(server.players.close)


def test_a_fork_of_a_running_game_is_seen_by_its_maker_alone(server, table, ada, bob):
    fork, path = forked(bob, table.path)
    for person in (server.stranger(), ada):
        for what in ("", "/view", "/events", "/board.svg", "/export?format=text"):
            assert person.get(path + what).status_code == 404
    assert fork["id"] not in server.stranger().get("/v1/games?status=active").text
    assert fork["id"] in bob.get("/v1/me/games").text
    for visibility in ("public", "unlisted"):
        refused(bob.post(f"{table.path}/forks", {"visibility": visibility}), 422, "fork-too-visible")


def test_a_fork_of_a_finished_game_can_be_shown_if_the_game_is(server, finished, ada):
    _, path = forked(ada, finished.path, {"at": 40, "visibility": "public"})
    assert server.stranger().get(f"{path}/view").status_code == 200
    assert server.stranger().get(f"{path}/view?knowledge=full").status_code == 403
    assert forked(ada, finished.path, {"at": 40})[0]["visibility"] == "private"


def test_a_fork_of_a_private_game_stays_private(server, ada):
    mine = ada.post(
        "/v1/games", {"ruleset": "plateau", "seats": [ME, ME], "sandbox": True, "visibility": "private"}
    ).json
    path = f"/v1/games/{mine['id']}"
    table = Table(mine["id"], [ada] * 2, server)
    table.play(random.Random(3))
    refused(ada.post(f"{path}/forks", {"at": 20, "visibility": "unlisted"}), 422, "fork-too-visible")
    assert forked(ada, path, {"at": 20})[0]["visibility"] == "private"
    refused(server.newcomer("Eve").post(f"{path}/forks", {"at": 20}), 404, "no-such-game")


def test_once_a_game_is_over_a_fork_can_begin_at_what_a_seat_knew(finished, ada):
    fork, path = forked(ada, finished.path, {"at": 40, "as": 2})
    assert (fork["forked_from"]["seat"], fork["forked_from"]["knowledge"]) == (2, "own")
    at = fork["forked_from"]["version"]
    assert state(ada, path, "?as=2") == state(ada, finished.path, f"?as=2&at={at}")
    assert state(ada, path, "?as=1") != state(ada, finished.path, f"?as=1&at={at}")
    fork, path = forked(ada, finished.path, {"at": 40, "as": None})
    assert (fork["forked_from"]["seat"], fork["forked_from"]["knowledge"]) == (None, "own")
    assert state(ada, path, "?as=spectator") == state(ada, finished.path, f"?as=spectator&at={at}")


def test_in_a_sandbox_a_fork_begins_at_what_the_wanted_seat_knows(sandbox, ada):
    fork, path = forked(ada, sandbox.path, {"as": 3})
    assert fork["forked_from"]["seat"] == 3
    assert state(ada, path, "?as=3") == state(ada, sandbox.path, "?as=3")
    assert forked(ada, sandbox.path)[0]["forked_from"]["seat"] == sandbox.to_act


def test_between_the_events_of_one_request_a_fork_takes_the_rest_of_them(finished, ada):
    versions = {forked(ada, finished.path, {"at": at})[0]["forked_from"]["version"] for at in range(10, 60)}
    assert len(versions) < 50
    for version in versions:
        assert ada.get(f"{finished.path}/view?at={version}").json["to_act"]


def test_bots_take_the_seats_that_they_are_given(table, bob):
    fork, path = forked(bob, table.path, {"seats": [RANDOM, ME, RANDOM, RANDOM]})
    assert [each["bot"] for each in fork["seats"]] == ["random", None, "random", "random"]
    assert [each["player"] for each in fork["seats"]] == [None, bob.id, None, None]
    refused(bob.get(f"{path}/view?as=0"), 403, "not-your-seat")
    assert state(bob, path) == state(bob, table.path)


def test_a_fork_for_which_no_world_is_found_can_be_asked_for_again(server, monkeypatch):
    _, table = running(server, "french-tarot", 4)
    me, key = server.known("pl_0"), {"Idempotency_Key": "fork-1"}
    with monkeypatch.context() as unlucky:
        unlucky.setattr(french_tarot_sampling, "MOST_DRAWS", 0)
        refused(me.post(f"{table.path}/forks", {}, **key), 409, "no-world-found")
    first, _ = forked(me, table.path, **key)
    with monkeypatch.context() as unlucky:
        unlucky.setattr(french_tarot_sampling, "MOST_DRAWS", 0)
        again, _ = forked(me, table.path, **key)
    assert again == first


def test_a_repeated_fork_with_a_key_is_made_once(server, table, bob):
    first = bob.post(f"{table.path}/forks", {}, Idempotency_Key="fork-1")
    table.act(table.to_act, some_action(random.Random(0), table.legal(table.to_act)))
    again = bob.post(f"{table.path}/forks", {}, Idempotency_Key="fork-1")
    assert (again.status_code, again.data, again.headers["Location"]) == (201, first.data, first.headers["Location"])
    refused(bob.post(f"{table.path}/forks", {"at": 9}, Idempotency_Key="fork-1"), 422, "key-reused")


def test_a_fork_does_not_show_in_the_game_that_it_comes_from(table, ada, bob, server):
    asked = [partial(person.get, table.path + what) for person in (ada, server.stranger()) for what in ("", "/view")]
    before = [told(ask()) for ask in asked]
    forked(bob, table.path)
    assert [told(ask()) for ask in asked] == before


def test_the_unseen_is_drawn_from_the_secret_that_the_fork_commits_to(server):
    steps, table = running(server, "plute", 6)
    me = server.known("pl_2")
    fork, path = forked(me, table.path)
    Table(fork["id"], [me] * 6, server).play(random.Random(2))
    full = me.get(f"{path}/view?at={fork['version']}&knowledge=full").json
    ruleset = RULESETS["plute"]
    assert full["state"]["hands"] != ruleset.project(steps[-1].game.state, EVERYTHING).hands
