"""While its set is open, a game exists for its own player alone: all operations answer others as for an unknown id."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import fakeredis
import pytest
import yaml

from api_spec import generate
from service.accounts.players import GUEST_SCOPES
from tests.service.deal_sets.days import DAY_ONE, Days, opened
from tests.support.transparency import log_heads

DOCUMENT = yaml.load((generate.HERE / "openapi.yaml").read_text(), yaml.CSafeLoader)
OPERATIONS = [
    (method.upper(), path, each["operationId"])
    for path, methods in DOCUMENT["paths"].items()
    for method, each in methods.items()
]
OF_A_GAME = [each for each in OPERATIONS if "{game_id}" in each[1]]
OTHERS = ("stranger", "another entrant", "a second account", "a seat token of another game")
UNKNOWN = "gm_00000000000000000000"
FORMATS = ("application/json", "text/event-stream", "application/x-ndjson", "image/svg+xml", "text/html")
READABLE = {"show_view": "?as=0", "list_events": "?after=0&lang=en&with=view", "export": "?format=bundle"}
EVERYBODY_SEES = {
    "metrics",
    "show_signing_keys",
    "show_push_key",
    "show_root",
    "prove_consistency",
    "list_leaves",
    "show_daily",
    "readiness",
    "health",
}
"""What counts games, or is about the set: it tells of no game."""


@pytest.fixture(scope="module")
def days() -> Days:
    """A day on which Ada plays one deal and has finished another, whose heads are logged."""
    days = Days(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
    ada, bob = days.server.newcomer("Ada"), days.server.newcomer("Bob")
    ada.patch("/v1/me", {"shows": {"games": True}})
    days.ada, days.bob = ada, bob  # type: ignore[attr-defined]
    days.open()
    finished = opened(ada)
    days.play(finished)
    days.play_bots()
    running = opened(ada)
    days.play(opened(bob))
    log_heads(days.server, days.now())
    tables = map(days.games().fresh, days.server.store.game_ids())
    bots = next(game.id for game in tables if game.is_over and not game.had_players)
    days.sealed = {"finished": finished, "running": running, "of the bots": bots}  # type: ignore[attr-defined]
    return days


@pytest.fixture(scope="module", params=OTHERS)
def other(request: pytest.FixtureRequest, days: Days) -> Any:
    """Somebody who is not Ada."""
    if request.param == "stranger":
        return days.server.stranger()
    if request.param == "a second account":
        return days.server.newcomer("Ada")
    if request.param == "another entrant":
        return days.bob  # type: ignore[attr-defined]
    mine = days.bob.post("/v1/games", {"ruleset": "plute", "seats": [{"player": "me"}, *[{"open": True}] * 5]})  # type: ignore[attr-defined]
    token = days.bob.post(f"/v1/games/{mine.json['id']}/seats/0/tokens", {}).json["token"]  # type: ignore[attr-defined]
    return days.bob.holding(token)  # type: ignore[attr-defined]


def requests_of(method: str, path: str, name: str) -> Iterator[tuple[str, Any, Mapping[str, str]]]:
    """Return what to ask an operation, with the example of its body, and with none."""
    example = json.loads((generate.HERE / f"examples/{name}.json").read_text())["request"]
    filled = re.sub(r"\{(?!game_id)\w+\}", "0", path)
    for query in {"", READABLE.get(name, "")}:
        for body in [example["body"], {}] if "body" in example else [None]:
            for accept in FORMATS if method == "GET" else FORMATS[:1]:
                yield filled + query, body, {"Accept": accept}


def told(answer: Any, game_id: str) -> Any:
    """Return everything that a response discloses, but the id that was asked for."""
    headers = [(name, value) for name, value in answer.headers if name not in ("X-Request-Id", "Date")]
    body = answer.get_data().replace(game_id.encode(), UNKNOWN.encode())
    return answer.status_code, headers, len(answer.get_data()), re.sub(rb'"instance":"[^"]+"', b"", body)


@pytest.mark.parametrize(("method", "path", "name"), OF_A_GAME, ids=[name for *_, name in OF_A_GAME])
def test_every_operation_answers_others_exactly_as_for_an_unknown_id(days, other, method, path, name):
    for asked, body, headers in requests_of(method, path, name):
        unknown = told(other.ask(method, asked.replace("{game_id}", UNKNOWN), body, headers), UNKNOWN)
        assert unknown[0] >= 400
        for game_id in days.sealed.values():
            found = other.ask(method, asked.replace("{game_id}", game_id), body, headers)
            assert told(found, game_id) == unknown, (asked, game_id)


def test_its_player_has_the_game_and_nothing_else_than_the_game(days):
    for name in ("finished", "running"):
        path = f"/v1/games/{days.sealed[name]}"
        deals = days.games().fresh(days.sealed[name]).deals
        for rest in ("", "/view", "/events", "/board.svg", "/scene", "/audit", "/export?format=bundle"):
            answer = days.ada.get(path + rest)
            assert answer.status_code == 200, rest
            assert deals.revealed(1).encode() not in answer.get_data()
        assert days.ada.post(f"{path}/forks", {}).json["code"] == "set-open"
    assert days.ada.post(f"/v1/games/{days.sealed['running']}/hints", {}).status_code == 403
    assert days.ada.get(f"/v1/games/{days.sealed['of the bots']}").status_code == 404
    listed = days.ada.get("/v1/me/games").json["items"]
    assert {each["id"] for each in listed} == {days.sealed["finished"], days.sealed["running"]}


def test_no_list_page_count_or_proof_tells_of_a_sealed_game_in_two_worlds_that_differ_by_it():
    """Bob asks everything that is not about one game, in a world in which Ada has played, and in one in which not."""
    answers = []
    for plays in (False, True):
        days = Days(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
        ada, bob = (days.server.known(f"pl_{name}", GUEST_SCOPES) for name in ("ada", "bob"))
        for each in (ada, bob):
            days.server.redis.hset(
                f"{{{each.id}}}:player",
                mapping={
                    "name": each.id,
                    "kind": "person",
                    "created_at": "2026-01-01T00:00:00.000Z",
                    "shows_games": "1",
                },
            )
        days.open()
        if plays:
            days.play(opened(ada))
            opened(ada)
        days.at += 1000
        queries = ("", "?player=pl_ada", "?status=active", "?status=finished", "?ruleset=plute")
        asked = [
            path.replace("{player_id}", "pl_ada").replace("{ruleset}", "plute").replace("{date}", DAY_ONE)
            for method, path, name in OPERATIONS
            if method == "GET" and "{game_id}" not in path and name not in EVERYBODY_SEES
        ]
        asked += [f"/v1/games{query}" for query in queries]
        answers.append({path: told(bob.get(re.sub(r"\{\w+\}", "x", path)), UNKNOWN) for path in asked})
    assert len(answers[0]) > 25
    for path in answers[0]:
        assert answers[0][path] == answers[1][path], path


def test_once_the_set_has_closed_anyone_sees_all_of_it(days):
    days.close()
    secrets = [deal["secret"] for deal in days.bob.get(f"/v1/daily/plute/{DAY_ONE}/results").json["deals"]]
    for name, game_id in days.sealed.items():
        found = days.server.stranger().get(f"/v1/games/{game_id}/events?limit=1")
        assert found.status_code == 200, name
        created = found.json["events"][0]["data"]
        assert created.get("deal_secret") == (None if name == "running" else secrets[created["deal"]["number"] - 1])
    events = f"/v1/sets/{created['deal']['set']}/events"
    for path in (f"/v1/daily/plute/{DAY_ONE}/results", f"/v1/daily/plute/{DAY_ONE}/card", events):
        first = days.bob.get(path)
        assert first.status_code == 200, path
        assert days.bob.get(path, If_None_Match=first.headers["ETag"]).status_code == 304, path
