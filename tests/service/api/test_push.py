"""Push subscriptions: what browsers send, what is refused, and what stays private."""

import pytest

from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.push.encryption import public_bytes
from service.notifications.push.vapid import from_base64url, to_base64url
from tests.support.push import Browser

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
