"""Reading again: whatever can be read has an ETag, and costs no more than a 304 while it stays the same.

Responses in gzip: who gets them, that they hold the same, and that their ETags work wherever the plain ones do.
"""

import gzip

import orjson
import pytest

from domain.game.durations import DAY, instant, moment
from service.accounts.players import GUEST_SCOPES
from service.api import create_app
from service.common import wall_clock
from service.games.advice.question_store import ALL, LUCK, QuestionStore
from tests.service.tournaments.halls import DUELS
from tests.support.people import ME, OPEN
from tests.support.transparency import log_heads

WITHOUT = {"/healthz", "/readyz", "/metrics", "/v1/mail/confirm/{ticket}", "/v1/mail/unsubscribe/{ticket}"}
"""What shows only the present moment, and pages that a mail leads to."""
OF_A_DAY = {"/v1/daily/{ruleset}/{date}/card", "/v1/daily/{ruleset}/{date}/results", "/v1/sets/{set_id}/events"}
"""What needs a deal of the day; ``deal_sets/test_sealed_tables.py`` reads it twice."""


@pytest.fixture
def documented(contract):
    """The paths that can be read."""
    return {path for path, methods in contract.document["paths"].items() if "get" in methods}


def test_whatever_can_be_read_is_not_sent_again_to_anyone_who_has_it(documented, server, sandbox, ada):
    ada = server.known(ada.id, (*GUEST_SCOPES, "admin"))
    opened = ada.post("/v1/games", {"ruleset": "plute", "seats": [ME] + [OPEN] * 5}).json["id"]
    secret = ada.post(f"/v1/games/{opened}/invitations", {"link": True}).json["secret"]
    webhook = ada.post("/v1/webhooks", {"url": "https://example.com/plateau"}).json["id"]
    assert ada.put("/v1/me/mail", {"address": "ada@example.org"}).status_code == 200
    parts = {"game_id": sandbox.id, "player_id": ada.id, "ruleset": "plute", "kind": "limit", "secret": secret}
    parts["webhook_id"], director = webhook, server.known(ada.id, (*GUEST_SCOPES, "tournaments"))
    starts = moment(instant(wall_clock.now()) + DAY)
    parts["tournament_id"] = director.post("/v1/tournaments", {**DUELS, "starts": starts}).json["id"]
    over = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True}).json["id"]
    assert ada.post(f"/v1/games/{over}/resign", {"confirm": True}).status_code == 201
    assert ada.post(f"/v1/games/{over}/analysis", {}).status_code == 202
    hands = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME] * 2, "sandbox": True}).json["id"]
    for _ in range(4):
        ada.post(f"/v1/games/{hands}/actions", {"type": "pass"})
    no_deals = {"all": 0, "bot": {"name": "greedy", "version": 1}, "deals": []}
    QuestionStore(server.store).keep_study(LUCK, hands, {ALL: orjson.dumps(no_deals)})
    log_heads(server)
    for path in documented - WITHOUT - OF_A_DAY:
        at = {"analysis": over, "luck": hands}.get(path.rpartition("/")[2], sandbox.id)
        asked = path.format(**parts | {"game_id": at}) + ("?format=text" if path.endswith("}/export") else "")
        first = ada.get(asked)
        assert first.status_code == 200
        assert first.data
        for known in (first.headers["ETag"], f'"other", W/{first.headers["ETag"]}'):
            again = ada.get(asked, If_None_Match=known)
            assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
            for name in ("Cache-Control", "Vary"):
                assert again.headers[name] == first.headers[name]
        assert ada.get(asked, If_None_Match='"other"').data == first.data


def test_the_document_lists_304_for_just_these(contract, documented):
    paths = contract.document["paths"]
    assert {path for path in documented if "304" not in paths[path]["get"]["responses"]} == WITHOUT


def test_a_list_has_another_etag_as_soon_as_it_has_changed(server, ada, bob):
    lists = {
        "/v1/games": lambda: ada.post("/v1/games", {"ruleset": "plute", "seats": [ME] + [OPEN] * 5}),
        "/v1/me/games": lambda: ada.post("/v1/games", {"ruleset": "plute", "seats": [ME] + [OPEN] * 5}),
        "/v1/me/tokens": lambda: ada.post("/v1/me/tokens", {}),
        "/v1/me": lambda: ada.patch("/v1/me", {"name": "Adele"}),
        f"/v1/players/{ada.id}": lambda: ada.patch("/v1/me", {"name": "Ada"}),
    }
    for path, change in lists.items():
        known = ada.get(path).headers["ETag"]
        assert change().status_code < 300
        changed = ada.get(path, If_None_Match=known)
        assert changed.status_code == 200
        assert changed.headers["ETag"] != known
    mine, others = ada.get("/v1/me/games").headers["ETag"], bob.get("/v1/me/games").headers["ETag"]
    assert bob.get("/v1/me/games", If_None_Match=mine).status_code == 200
    assert ada.get("/v1/me/games", If_None_Match=others).status_code == 200


@pytest.mark.parametrize("what", ["view", "scene", "board.svg", "events", "export?format=text", "export?format=html"])
def test_anyone_who_becomes_another_viewer_is_not_told_that_nothing_has_changed(table, stranger, what):
    path, sharp = f"{table.path}/{what}", "&" if "?" in what else "?"
    readers = [*table.people, stranger]
    shown = [reader.get(path) for reader in readers]
    assert len({answer.headers["ETag"] for answer in shown}) == len(readers)
    assert table.people[1].get(path, If_None_Match=shown[0].headers["ETag"]).status_code == 200
    same = stranger.get(f"{path}{sharp}as=spectator", If_None_Match=shown[-1].headers["ETag"])
    assert same.status_code == 304


@pytest.mark.parametrize("form", ["{version}", "{version}-0123456789abcdef", "{etag}", "{events}"])
def test_a_write_takes_the_version_with_and_without_a_viewer(table, form):
    person = table.people[table.to_act]
    etag = person.get(f"{table.path}/view").headers["ETag"].strip('"')
    events = person.get(f"{table.path}/events?with=view&lang=en&phrases=0&after=1").headers["ETag"].strip('"')
    match = f'"{form.format(version=table.version, etag=etag, events=events)}"'
    bid = {"type": "pass"}
    assert person.post(f"{table.path}/actions", bid, If_Match=match).status_code == 201
    assert person.post(f"{table.path}/actions", bid, If_Match=match).status_code == 412


def test_only_its_caller_keeps_what_depends_on_the_caller(contract, server, sandbox, ada):
    ada = server.known(ada.id, (*GUEST_SCOPES, "admin"))
    paths = contract.document["paths"]
    public = {path for path, methods in paths.items() if "get" in methods and not methods["get"]["security"]}
    assert {"/", "/docs", "/v1/rulesets", "/v1/rulesets/{ruleset}"} <= public
    parts = {"game_id": sandbox.id, "player_id": ada.id, "ruleset": "plute", "kind": "limit"}
    seen = set()
    for path in (path for path, methods in paths.items() if "get" in methods):
        try:
            asked = path.format(**parts)
        except KeyError:
            continue
        answer = ada.get(asked + ("?format=text" if path.endswith("}/export") else ""))
        if answer.status_code == 200:
            seen.add(path)
            assert answer.headers["Cache-Control"] == ("no-cache" if path in public else "private, no-cache"), path
    assert len(seen - public) > 20


def test_the_log_is_not_read_for_anyone_who_has_it(sandbox, ada, monkeypatch):
    path = f"{sandbox.path}/events"
    known, seen = (ada.get(each).headers["ETag"] for each in (path, f"{sandbox.path}/view"))
    monkeypatch.setattr("service.games.projections.representations.event_page", None)
    monkeypatch.setattr("service.games.projections.representations.view", None)
    assert ada.get(path, If_None_Match=known).status_code == 304
    assert ada.get(f"{sandbox.path}/view", If_None_Match=seen).status_code == 304


GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture
def ask(server, ada):
    """Ask with Ada's token."""

    def send(method, path, app=server.app, body=None, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        token = {"Authorization": f"Bearer {ada.token}"}
        return app.test_client().open(path, method=method, json=body, headers=token | sent)

    return send


@pytest.fixture(params=["view", "board.svg", "export?format=text", "events?limit=1000"])
def path(finished, request):
    """Where long responses of different types are."""
    return f"{finished.path}/{request.param}"


def test_a_long_response_is_compressed_for_anyone_who_accepts_gzip(ask, path):
    plain, packed = ask("GET", path), ask("GET", path, **GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < 0.6 * len(plain.data)
    assert gzip.decompress(packed.data) == plain.data
    for name in ("Content-Type", "Vary", "Cache-Control"):
        assert packed.headers.getlist(name) == plain.headers.getlist(name)
    assert "Accept-Encoding" in plain.headers["Vary"]


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/v1/rulesets/le-plateau", "/v1/problems/limit"])
def test_documents_are_compressed_too(reading, path):
    client = reading.app.test_client()
    plain, packed = client.get(path), client.get(path, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip", "gzip"), ("GZIP", "gzip"), ("br;q=1, gzip;q=0.2", "gzip"), ("*", "gzip"),
        ("identity;q=0.1, gzip", "gzip"),
        ("", None), ("br, zstd", None), ("gzip;q=0", None), ("br, gzip;q=0.0", None), ("identity, gzip;q=0.5", None),
        ("*;q=0", None), ("gzip;q=0, *", None),
    ],
)  # fmt: skip
def test_only_what_a_client_accepts_is_sent(ask, sandbox, accepted, encoding):
    answer = ask("GET", f"{sandbox.path}/view", Accept_Encoding=accepted)
    assert answer.status_code == 200
    assert answer.headers.get("Content-Encoding") == encoding


def test_short_responses_and_tokens_are_not_compressed(ask, sandbox):
    for answer in (
        ask("GET", "/healthz", **GZIP),
        ask("GET", f"{sandbox.path}/nowhere", **GZIP),
        ask("POST", "/v1/players", body={"name": "\U0001f469‍\U0001f680" * 20}, **GZIP),
        ask("POST", "/v1/me/tokens", body={"label": "\U0001f469‍\U0001f680" * 20}, **GZIP),
    ):
        assert answer.is_json
        assert "Content-Encoding" not in answer.headers


def test_head_has_the_headers_of_get(ask, sandbox):
    shown, headers = (ask(method, f"{sandbox.path}/view", **GZIP) for method in ("GET", "HEAD"))
    assert headers.data == b""
    for name in ("Content-Encoding", "ETag", "Vary"):
        assert headers.headers[name] == shown.headers[name]


def test_the_etag_of_a_compressed_response_is_as_good_as_the_plain_one(ask, sandbox):
    path = f"{sandbox.path}/view"
    plain, packed = ask("GET", path).headers["ETag"], ask("GET", path, **GZIP).headers["ETag"]
    assert plain.startswith(f'"{sandbox.version}-')
    assert packed == f'{plain[:-1]}:gzip"'
    for known in (plain, packed):
        for headers in ({}, GZIP):
            for form in (known, f"W/{known}", f'"1", {known}'):
                again = ask("GET", path, If_None_Match=form, **headers)
                assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", known)
                assert "Content-Encoding" not in again.headers
    assert ask("GET", path, If_None_Match=f'"{sandbox.version - 1}:gzip"', **GZIP).status_code == 200


@pytest.mark.parametrize("form", ['"{}"', '"{}:gzip"', 'W/"{}"', 'W/"{}-0a1b2c3d:gzip"', '"{}-0a1b2c3d"'])
def test_an_action_may_name_the_etag_of_the_view_that_it_is_for(ask, sandbox, form):
    act = f"{sandbox.path}/actions"
    assert ask("POST", act, body={"type": "pass"}, If_Match=form.format(sandbox.version)).status_code == 201
    late = ask("POST", act, body={"type": "pass"}, If_Match=form.format(sandbox.version - 1))
    assert (late.status_code, late.json["code"]) == (412, "stale-version")


def test_the_operator_can_switch_compression_off(ask, server, sandbox):
    app = create_app(server.app.extensions["plateau"], compresses=False)
    answer = ask("GET", f"{sandbox.path}/view", app, **GZIP)
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["ETag"].startswith(f'"{sandbox.version}-')
