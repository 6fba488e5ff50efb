"""An idempotency key is honoured or refused, and never ignored."""

import re

import pytest

from service.api.http.parameters import IDEMPOTENCY_KEY
from tests.support.people import ME, OPEN

BOT = {"bot": "random"}

HOOK = {"url": "https://example.org/hook", "types": ["invited"]}
ONCE = {"Idempotency_Key": "once"}


@pytest.fixture
def posts(server):
    """Every POST of the interface: its operation by its path."""
    views = server.app.view_functions
    rules = [rule for rule in server.app.url_map.iter_rules() if "POST" in rule.methods]
    return {re.sub(r"<(?:int:)?\w+>", "1", rule.rule): views[rule.endpoint].operation for rule in rules}


def test_every_post_takes_a_key_or_can_be_repeated_or_refuses_it(posts, ada):
    refusing = []
    for path, operation in posts.items():
        answer = ada.post(path, {}, **ONCE)
        if operation.repeats or IDEMPOTENCY_KEY in operation.parameters:
            assert "key-not-taken" not in answer.text, path
        else:
            refusing.append(path)
            assert answer.status_code == 400, path
            (fault,) = answer.json["errors"]
            assert (fault["pointer"], fault["code"]) == ("Idempotency-Key", "key-not-taken")
    assert sorted(refusing) == [
        "/v1/games/1/board-links",
        "/v1/games/1/seats/1/tokens",
        "/v1/me/stream-tickets",
        "/v1/me/tokens",
        "/v1/players",
        "/v1/webhooks/1/deliveries/1/redeliver",
        "/v1/webhooks/1/test",
    ]


def test_a_webhook_is_made_once_with_a_key(ada, bob):
    first = ada.post("/v1/webhooks", HOOK, **ONCE)
    assert first.status_code == 201
    assert ada.post("/v1/webhooks", HOOK, **ONCE).json == first.json
    assert len(ada.get("/v1/webhooks").json["items"]) == 1
    other = ada.post("/v1/webhooks", HOOK | {"types": None}, **ONCE)
    assert (other.status_code, other.json["code"]) == (422, "key-reused")
    assert bob.post("/v1/webhooks", HOOK, **ONCE).json["id"] != first.json["id"]
    assert ada.post("/v1/webhooks", HOOK).json["id"] != first.json["id"]


def test_a_secret_is_changed_once_with_a_key(ada):
    """The receiver has the first secret until it is told another: a change that is repeated must not end it."""
    made = ada.post("/v1/webhooks", HOOK).json
    path = f"/v1/webhooks/{made['id']}/secret"
    first = ada.post(path, {}, **ONCE).json
    assert first["secret"] != made["secret"]
    assert ada.post(path, {}, **ONCE).json == first
    second = ada.post(path, {}, Idempotency_Key="twice").json
    assert second["secret"] != first["secret"]


def test_a_player_is_invited_once_with_a_key_and_a_link_takes_none(ada, bob):
    game = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]}).json["id"]
    path = f"/v1/games/{game}/invitations"
    first = ada.post(path, {"player": bob.id}, **ONCE)
    assert first.status_code == 201
    assert ada.post(path, {"player": bob.id}, **ONCE).json == first.json
    assert ada.post(path, {"player": bob.id}).json["code"] == "already-invited"
    link = ada.post(path, {"link": True}, **ONCE)
    assert (link.status_code, link.json["errors"][0]["code"]) == (400, "key-not-taken")
    assert len(ada.get(path).json["items"]) == 1


def test_a_guest_takes_a_seat_by_a_link_without_a_key(ada, stranger):
    """The response has the guest's token, which is stored nowhere."""
    game = ada.post("/v1/games", {"ruleset": "plateau", "seats": [OPEN, BOT]}).json["id"]
    url = ada.post(f"/v1/games/{game}/invitations", {"link": True}).json["url"]
    refused = stranger.post(f"{url}/seat", {"name": "Eve"}, **ONCE)
    assert (refused.status_code, refused.json["errors"][0]["code"]) == (400, "key-not-taken")
    assert ada.post(f"{url}/seat", {}, **ONCE).status_code == 201
