"""A game whose log has lost its end, as in a fail-over: whoever names a version that is gone is told so, everywhere."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.live import NDJSON, SSE, Live, Response, live
from tests.support.people import Person, Server, Table
from tests.support.random_games import played
from tests.support.server import wait_until
from tests.support.transparency import judged, receipt_of

LOST = 3


@pytest.fixture
def streams(server: Server) -> Iterator[Live]:
    with live(server) as app:
        yield app


@pytest.fixture
def table(server: Server) -> Table:
    """A game of three in the middle of the play."""
    return server.table_of_log(played("le-plateau", 3, 3)[:-30])


def lose_the_end(table: Table) -> None:
    """Let the store be as a replica that lacks the last events; the process keeps what it has cached."""
    key, redis = table.server.store.keys_of(table.id).events, table.server.redis
    entries, pipe = redis.xrange(key), redis.pipeline()
    pipe.delete(key)
    for entry, fields in entries[:-LOST]:
        pipe.xadd(key, fields, entry)
    pipe.execute()


def head(table: Table) -> str:
    (last,) = table.people[0].get(f"{table.path}/events?after={table.version - 1}").json["events"]
    return str(last["hash"])


def check_is_told(answer: Any, table: Table) -> None:
    """Check that an answer says what the server has, and what to do."""
    assert answer.status_code == 412, answer.json
    assert (answer.json["code"], answer.json["type"]) == ("game-went-back", "/v1/problems/game-went-back")
    assert (answer.json["game_version"], answer.json["head"]) == (table.version, head(table))
    assert answer.json["events"] == f"{table.path}/events?after={table.version}"
    assert str(table.version) in answer.json["detail"]
    assert "verify your receipt" in answer.json["detail"]


@pytest.mark.parametrize(
    "path",
    ["view?at={}", "scene?at={}", "board.svg?at={}", "events?after={}", "events?after={}&wait=1", "view?as=0&at={}"],
)
def test_reading_at_a_version_that_is_gone(table: Table, path: str) -> None:
    held = table.version
    assert table.people[0].get(f"{table.path}/{path.format(held)}").status_code == 200
    lose_the_end(table)
    for seen in (held, table.version + 1):
        check_is_told(table.people[0].get(f"{table.path}/{path.format(seen)}"), table)
    assert table.people[0].get(f"{table.path}/{path.format(table.version)}").status_code == 200


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_resuming_a_stream_after_a_version_that_is_gone(table: Table, form: str) -> None:
    held = table.version
    lose_the_end(table)
    reader = table.people[0]
    check_is_told(reader.get(f"{table.path}/events", Accept=form, Last_Event_ID=str(held)), table)
    check_is_told(reader.get(f"{table.path}/events?after={held}", Accept=form), table)
    check_is_told(reader.get(f"{table.path}/events?phrases=0", Accept=form, Last_Event_ID=f"{held}:0"), table)


def test_writing_for_a_version_that_is_gone(table: Table) -> None:
    held, seat = table.version, table.to_act
    action, decision = table.legal(seat)[0], table.view(seat)["decision"]["id"]
    lose_the_end(table)
    for path, body in (("actions", action), ("actions?dry_run=true", action), ("proposals", {"kind": "abort"})):
        check_is_told(table.people[seat].post(f"{table.path}/{path}", body, If_Match=f'"{held}"'), table)
    late = table.people[seat].post(f"{table.path}/actions", {**action, "decision_id": decision})
    check_is_told(late, table)
    check_is_told(table.people[seat].post(f"{table.path}/forks", {"at": held}), table)


def has_ended(response: Response, table: Table) -> bool:
    """Have all who follow look at the store again, as when the connection to it was lost."""
    table.server.app.extensions["plateau"].streams.account_changed(None)
    return response.is_complete


def test_an_open_stream_ends_with_what_the_server_has(table: Table, streams: Live) -> None:
    response = streams.open(None, f"{table.path}/events?after={table.version - 1}", NDJSON)
    response.wait_for_version(table.version)
    lose_the_end(table)
    wait_until(lambda: has_ended(response, table), "the end of the stream")
    end = json.loads(response.wait_for_end().data)
    detail = end.pop("detail")
    assert end == {"code": "game-went-back", "game_version": table.version, "head": head(table)}
    assert "read the game again" in detail


def test_a_request_that_waits_is_told(table: Table, streams: Live) -> None:
    held = table.version
    response = streams.ask(None, f"{table.path}/events?after={held}&wait=60")
    lose_the_end(table)
    wait_until(lambda: has_ended(response, table), "the answer")
    assert (response.status, json.loads(response.body)["code"]) == (412, "game-went-back")


def test_those_who_cannot_see_a_game_are_not_told(server: Server, ada: Person, stranger: Person) -> None:
    wanted = {"ruleset": "plateau", "visibility": "private", "seats": [{"player": "me"}, {"open": True}]}
    path = f"/v1/games/{ada.post('/v1/games', wanted).json['id']}"
    assert ada.get(f"{path}/view?at=99").json["code"] == "game-went-back"
    assert stranger.get(f"{path}/view?at=99").json["code"] == "no-such-game"


def test_a_log_that_has_grown_again_to_the_same_version_is_found_by_the_receipt(table: Table, ada: Person) -> None:
    seat = table.to_act
    kept = receipt_of(table.people[seat].get(f"{table.path}/view"))
    lose_the_end(table)
    assert judged(ada, kept) == (True, "contradicts")
    while table.version < kept.version:
        table.act(table.to_act, table.legal(table.to_act)[-1])
    assert table.people[seat].get(f"{table.path}/view?at={kept.version}").status_code == 200
    assert judged(ada, kept) == (True, "contradicts")
