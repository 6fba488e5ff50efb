"""Reading again: whatever can be read has an ETag, and costs no more than a 304 while it stays the same."""

import pytest

from service.accounts.players import GUEST_SCOPES
from tests.service.api.api_client import ME, OPEN
from tests.service.api.head_logging import log_heads

WITHOUT = {"/healthz", "/readyz", "/metrics", "/v1/mail/confirm/{ticket}", "/v1/mail/unsubscribe/{ticket}"}
"""What shows only the present moment, and pages that a mail leads to."""


@pytest.fixture
def documented(contract):
    """The paths that can be read."""
    return {path for path, methods in contract.document["paths"].items() if "get" in methods}


def test_whatever_can_be_read_is_not_sent_again_to_whoever_has_it(documented, server, sandbox, ada):
    ada = server.known(ada.id, (*GUEST_SCOPES, "admin"))
    opened = ada.post("/v1/games", {"ruleset": "plute", "seats": [ME] + [OPEN] * 5}).json["id"]
    secret = ada.post(f"/v1/games/{opened}/invitations", {"link": True}).json["secret"]
    webhook = ada.post("/v1/webhooks", {"url": "https://example.com/plateau"}).json["id"]
    assert ada.put("/v1/me/mail", {"address": "ada@example.org"}).status_code == 200
    parts = {"game_id": sandbox.id, "player_id": ada.id, "ruleset_id": "plute", "kind": "limit", "secret": secret}
    parts["webhook_id"] = webhook
    over = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True}).json["id"]
    assert ada.post(f"/v1/games/{over}/resign", {"confirm": True}).status_code == 201
    assert ada.post(f"/v1/games/{over}/analysis", {}).status_code == 202
    log_heads(server)
    for path in documented - WITHOUT:
        asked = path.format(**parts | ({"game_id": over} if path.endswith("analysis") else {})) + (
            "?format=text" if path.endswith("}/export") else ""
        )
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


def test_the_etag_of_events_is_the_version(table):
    path = f"{table.path}/events?limit=5"
    known = table.people[0].get(path).headers["ETag"]
    assert known == f'"{table.version}"'
    table.act(table.to_act, {"type": "pass"})
    assert table.people[0].get(path, If_None_Match=known).status_code == 200


def test_whoever_cannot_read_the_log_is_refused_whatever_they_know(server, table, ada, stranger):
    known = f'"{table.version}"'
    assert ada.get(f"{table.path}/events?as=1", If_None_Match=known).status_code == 403
    assert stranger.get("/v1/me/games", If_None_Match="*").status_code == 401
    private = ada.post("/v1/games", {"ruleset": "plute", "seats": [ME] + [OPEN] * 5, "visibility": "private"}).json
    assert stranger.get(f"/v1/games/{private['id']}/events", If_None_Match="*").status_code == 404


def test_the_log_is_not_read_for_whoever_has_it(sandbox, ada, monkeypatch):
    path = f"{sandbox.path}/events"
    known, seen = (ada.get(each).headers["ETag"] for each in (path, f"{sandbox.path}/view"))
    monkeypatch.setattr("service.games.representations.event_page", None)
    monkeypatch.setattr("service.games.representations.view", None)
    assert ada.get(path, If_None_Match=known).status_code == 304
    assert ada.get(f"{sandbox.path}/view", If_None_Match=seen).status_code == 304
