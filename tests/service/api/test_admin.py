"""Operators end stuck games and replace players: everybody reads why in the log, and the admin log says who did it."""

import pytest

from domain.log import chain

STUCK = {"act": "abort", "reason": "stuck for a month"}
REPLACE = {"act": "replace", "seat": 1, "bot": "random", "reason": "asked for by the player"}


@pytest.fixture
def operator(server):
    return server.known("pl_olga", ["admin"])


@pytest.fixture
def private(server, ada):
    return server.table([ada, ada], visibility="private")


def acts(table):
    return f"/v1/admin/games/{table.id}/acts"


def test_a_game_that_an_operator_ends_says_why_to_everybody_and_still_verifies(operator, table, stranger):
    version = table.version
    answer = operator.post(acts(table), STUCK)
    done = {"game_id": table.id, "act": "abort", "version": version + 2, "status": "aborted"}
    assert (answer.status_code, answer.json) == (201, done)
    log = stranger.get(f"{table.path}/events?limit=1000&lang=en").json["events"]
    assert [(each["type"], each["seat"]) for each in log[-2:]] == [("operator_acted", None), ("game_aborted", None)]
    assert log[-2]["data"] == STUCK
    assert log[-1]["data"]["reason"] == "operator"
    assert log[-2]["sentence"]["text"] == "The operator of the service ends the game: “stuck for a month”."
    assert chain.verify(log) == log[-1]["hash"]
    assert stranger.get(table.path).json["aborted_because"] == "operator"
    text = stranger.get(f"{table.path}/export?format=text").text
    assert text.splitlines()[-1] == 'result: aborted operator "stuck for a month"'


def test_a_replaced_player_has_left_the_seat_to_a_bot(operator, table, bob, stranger):
    assert operator.post(acts(table), REPLACE).json["status"] == "active"
    assert stranger.get(table.path).json["seats"][1]["bot"] == "random"
    assert [each["type"] for each in table.events()[-2:]] == ["operator_acted", "bot_seated"]
    assert bob.post(f"{table.path}/actions", {"type": "pass"}).json["code"] == "not-seated"


def test_what_an_operator_cannot_do_is_refused_and_changes_no_game(server, operator, table, finished):
    before = {key: kept for key, kept in server.contents().items() if b"admin" not in key}
    for body, status, code in (
        ({**REPLACE, "seat": 9}, 409, "no-such-seat"),
        ({"act": "abort"}, 400, "malformed"),
        ({**STUCK, "reason": ""}, 400, "malformed"),
        ({**STUCK, "reason": "a\nb"}, 400, "malformed"),
        ({**STUCK, "reason": "x" * 201}, 400, "malformed"),
        ({**STUCK, "seat": 1}, 400, "malformed"),
        ({"act": "replace", "reason": "x", "seat": 1}, 400, "malformed"),
        ({**REPLACE, "bot": "nobody"}, 400, "malformed"),
        ({**STUCK, "act": "win"}, 400, "malformed"),
    ):
        answer = operator.post(acts(table), body)
        assert (answer.status_code, answer.json["code"]) == (status, code), body
    assert operator.post(acts(finished), STUCK).json["code"] == "game-not-active"
    assert operator.post("/v1/admin/games/gm_none/acts", STUCK).status_code == 404
    assert {key: kept for key, kept in server.contents().items() if b"admin" not in key} == before


def test_the_admin_log_says_who_asked_for_what_also_if_it_was_refused(operator, table):
    operator.post(acts(table), REPLACE)
    operator.post(acts(table), STUCK, Idempotency_Key="once")
    assert operator.post(acts(table), STUCK, Idempotency_Key="once").status_code == 201
    refused = operator.post(acts(table), STUCK)
    assert (refused.status_code, refused.json["code"]) == (409, "game-not-active")
    page = operator.get("/v1/admin/log?limit=3").json
    assert [each["act"] for each in page["items"]] == ["abort"] * 3
    (first,) = operator.get(f"/v1/admin/log?cursor={page['next_cursor']}").json["items"]
    token = {"by": "pl_olga", "token": first["token"], "game_id": table.id, "player": None}
    assert {**first, "id": "", "at": ""} == {"id": "", "at": "", **token, **REPLACE}
    assert first["token"].startswith("tk_")
    assert operator.get("/v1/admin/log?cursor=IGdtXzE=").status_code == 400
