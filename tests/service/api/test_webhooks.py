"""Webhooks over HTTP: who can do what, what is shown once, what is refused and with which words.

Push subscriptions: what browsers send, what is refused, and what stays private.
"""

import re

import pytest

from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.push.encryption import public_bytes
from service.notifications.push.vapid import from_base64url, to_base64url
from tests.support.push import Browser

URL = "https://ada.example/plateau"


def make(person, **wish):
    made = person.post("/v1/webhooks", {"url": URL, **wish})
    assert made.status_code == 201, made.text
    return made.json


def test_a_webhook_shows_its_secret_once(ada):
    made = make(ada)
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", made["secret"])
    assert re.fullmatch(r"wh_[0-9a-f]{16}", made["id"])
    shown = {name: value for name, value in made.items() if name != "secret"}
    assert (shown["url"], shown["types"], shown["enabled"], shown["disabled_because"]) == (URL, None, True, None)
    assert ada.get(f"/v1/webhooks/{made['id']}").json == shown
    assert ada.get("/v1/webhooks").json == {"items": [shown], "next_cursor": None}


def test_the_types_are_shown_in_their_order_each_once(ada):
    assert make(ada, types=["your_turn", "invited", "your_turn"])["types"] == ["invited", "your_turn"]


def test_a_test_message_is_a_numbered_delivery_that_waits_for_a_courier(ada):
    hook = f"/v1/webhooks/{make(ada, types=['invited'])['id']}"
    first, second = (ada.post(f"{hook}/test", {}).json for _ in range(2))
    assert (first["number"], first["type"], first["status"], first["attempts"]) == (1, "test", "pending", [])
    assert first["next_attempt_at"] is not None
    assert first["id"] != second["id"]
    assert [each["number"] for each in ada.get(f"{hook}/deliveries").json["items"]] == [2, 1]
    assert ada.post(f"{hook}/deliveries/1/redeliver", {}).json["id"] == first["id"]
    assert ada.post(f"{hook}/deliveries/3/redeliver", {}).json["code"] == "no-such-delivery"


def test_deliveries_come_in_pages(ada):
    hook = f"/v1/webhooks/{make(ada)['id']}"
    for _ in range(5):
        ada.post(f"{hook}/test", {})
    first = ada.get(f"{hook}/deliveries?limit=2")
    assert [each["number"] for each in first.json["items"]] == [5, 4]
    link = re.fullmatch(r'<(.+)>; rel="next"', first.headers["Link"])[1]
    assert [each["number"] for each in ada.get(link).json["items"]] == [3, 2]
    assert ada.get(f"{hook}/deliveries?cursor=nonsense").status_code == 400
    assert ada.get(f"{hook}/deliveries?cursor=w6k=").status_code == 400


def test_a_disabled_webhook_sends_nothing_until_it_is_enabled(ada):
    hook = f"/v1/webhooks/{make(ada)['id']}"
    ada.post(f"{hook}/test", {})
    disabled = ada.patch(hook, {"enabled": False}).json
    assert (disabled["enabled"], disabled["disabled_because"]) == (False, "player")
    assert disabled["disabled_at"] is not None
    assert ada.get(f"{hook}/deliveries").json["items"][0]["status"] == "failed"
    for path in ("test", "deliveries/1/redeliver"):
        refused = ada.post(f"{hook}/{path}", {})
        assert (refused.status_code, refused.json["code"]) == (409, "webhook-disabled")
    assert ada.patch(hook, {"types": ["invited"]}).json["enabled"] is False
    enabled = ada.patch(hook, {"enabled": True, "types": None}).json
    assert (enabled["enabled"], enabled["disabled_at"], enabled["types"]) == (True, None, None)
    assert ada.post(f"{hook}/test", {}).status_code == 201


def test_a_deleted_webhook_is_gone(ada):
    hook = f"/v1/webhooks/{make(ada)['id']}"
    assert ada.delete(hook).status_code == 204
    assert ada.get(hook).status_code == ada.delete(hook).status_code == 404


def test_a_player_has_a_limited_number_of_webhooks(ada):
    for _ in range(10):
        make(ada)
    refused = ada.post("/v1/webhooks", {"url": URL})
    assert (refused.status_code, refused.json["bucket"]) == (429, "webhooks")
    ada.delete(f"/v1/webhooks/{ada.get('/v1/webhooks').json['items'][0]['id']}")
    make(ada)


ENDPOINT = "https://push.example.com/send/abc"
PATH = "/v1/me/push-subscriptions"


def subscribe(person, endpoint=ENDPOINT, **choices):
    """Subscribe a new browser of a player."""
    made = person.post(PATH, {**Browser().subscription(endpoint), **choices})
    assert made.status_code == 201, made.json
    return made.json


def test_the_key_to_subscribe_with_is_a_point_of_the_curve_and_stays_the_same(server, stranger):
    key = stranger.get("/v1/push-key").json["public_key"]
    assert len(from_base64url(key)) == 65
    server.forget_games()
    assert stranger.get("/v1/push-key").json["public_key"] == key
    assert key == to_base64url(public_bytes(server.services.pushing.vapid._key()))


def test_a_subscription_is_listed_to_its_player_without_its_keys(ada, bob):
    browser = Browser()
    sent = browser.subscription(ENDPOINT)
    made = ada.post(PATH, sent).json
    assert made.keys() == {"id", "endpoint", "notices", "quiet_hours", "created_at"}
    assert (made["endpoint"], made["notices"]) == (ENDPOINT, ["your_turn", "deadline_near"])
    listed = ada.get(PATH)
    assert listed.json == {"items": [made], "next_cursor": None}
    assert sent["keys"]["auth"] not in listed.text
    assert bob.get(PATH).json["items"] == []
    assert bob.delete(f"{PATH}/{made['id']}").status_code == 404
    assert ada.delete(f"{PATH}/{made['id']}").status_code == 204
    assert ada.delete(f"{PATH}/{made['id']}").status_code == 404
    assert ada.get(PATH).json["items"] == []


def test_a_browser_that_subscribes_again_changes_its_choices(server, ada):
    first = subscribe(ada)
    again = subscribe(ada, notices=["invited"], quiet_hours={"start": "22:00", "end": "07:00"})
    assert again["id"] == first["id"]
    assert ada.get(PATH).json["items"] == [again]
    assert Destinations(server.redis).of([ada.id]) == [Destination(ada.id, "push", first["id"])]


@pytest.mark.parametrize("ends", [None, 0, 1_800_000_000_000, 1.8e12])
def test_a_browsers_own_subscription_is_accepted_as_it_is(ada, ends):
    sent = Browser().subscription(ENDPOINT)
    made = ada.post(PATH, {"endpoint": sent["endpoint"], "expirationTime": ends, "keys": sent["keys"]})
    assert (made.status_code, made.json["endpoint"]) == (201, ENDPOINT)
    assert made.json.keys() == {"id", "endpoint", "notices", "quiet_hours", "created_at"}


def test_a_player_has_a_limited_number_of_subscriptions(ada):
    for number in range(10):
        subscribe(ada, f"{ENDPOINT}{number}")
    refused = ada.post(PATH, Browser().subscription(f"{ENDPOINT}x"))
    assert (refused.status_code, refused.json["bucket"]) == (429, "push-subscriptions")
    subscribe(ada, f"{ENDPOINT}3")
