"""Push subscriptions: what browsers send, what is refused, and what stays private."""

import pytest

from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.push.encryption import public_bytes
from service.notifications.push.vapid import from_base64url, to_base64url
from service.store import keys
from tests.support.push import Browser
from tests.support.stores import everything

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


@pytest.mark.parametrize("ends", ["never", "1800000000000", -1, 0.5, True, [], {}])
def test_an_end_of_a_subscription_that_no_browser_has_is_refused(ada, ends):
    refused = ada.post(PATH, {**Browser().subscription(ENDPOINT), "expirationTime": ends})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, "/expirationTime")
    assert ada.get(PATH).json["items"] == []


def test_a_player_has_a_limited_number_of_subscriptions(ada):
    for number in range(10):
        subscribe(ada, f"{ENDPOINT}{number}")
    refused = ada.post(PATH, Browser().subscription(f"{ENDPOINT}x"))
    assert (refused.status_code, refused.json["bucket"]) == (429, "push-subscriptions")
    subscribe(ada, f"{ENDPOINT}3")


@pytest.mark.parametrize(
    "endpoint",
    ["http://push.example.com/a", "https://127.0.0.1/a", "https://[::1]/a", "https://10.0.0.1/a", "https://169.254.169.254/a",
     "https://[::ffff:10.0.0.1]/a", "https://user@push.example.com/a", "ftp://push.example.com/a", "https://", "push",
     "https://push.example.com:22/a"],
)  # fmt: skip
def test_an_address_that_nobody_else_can_reach_is_refused(ada, endpoint):
    refused = ada.post(PATH, Browser().subscription(endpoint))
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, "/endpoint")
    assert ada.get(PATH).json["items"] == []


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"p256dh": to_base64url(b"\x04" + bytes(64))}, "/keys/p256dh"),
        ({"p256dh": to_base64url(bytes(65))}, "/keys/p256dh"),
        ({"p256dh": "é" * 30}, "/keys/p256dh"),
        ({"auth": to_base64url(bytes(15))}, "/keys/auth"),
        ({"auth": to_base64url(bytes(17))}, "/keys/auth"),
        ({"more": "x"}, "/keys/more"),
    ],
)
def test_keys_that_no_browser_has_are_refused(ada, changed, pointer):
    sent = Browser().subscription(ENDPOINT)
    refused = ada.post(PATH, {**sent, "keys": {**sent["keys"], **changed}})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, pointer)


def test_only_a_token_for_the_whole_account_can_see_or_change_subscriptions(server, ada):
    made = subscribe(ada)
    narrow = server.known(ada.id, ["games:read", "games:play"])
    for answer in (
        narrow.get(PATH),
        narrow.post(PATH, Browser().subscription(ENDPOINT)),
        narrow.delete(f"{PATH}/{made['id']}"),
    ):
        assert answer.status_code == 403


def test_deleting_the_account_deletes_the_subscriptions(server, ada):
    subscribe(ada)
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert not server.redis.exists(keys.push_subscriptions(ada.id), keys.destinations(ada.id))
    assert not any(ENDPOINT in repr(each) for each in everything(server.redis).items())
