"""Mails to a player: setting them up, confirming the address, ending them; what protects the owner of an address.

Webhooks over HTTP: who can do what, what is shown once, what is refused and with which words.
"""

import logging
import re

import fakeredis
import pytest

from domain.game.durations import DAY
from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.push.encryption import from_base64url, public_bytes, to_base64url
from service.store import keys
from tests.service.api.mail.mail_reader import SITE, Clock
from tests.support.people import Server
from tests.support.push import Browser
from tests.support.stores import everything

ADDRESS = "ada@example.org"
ONE_CLICK = b"List-Unsubscribe=One-Click"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(closing, contract, clock):
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, now=clock)
    yield server
    closing.submit(server.players.close)


def set_up(person, **more):
    """Let a player enter an address; return the response."""
    made = person.put("/v1/me/mail", {"address": ADDRESS, **more})
    assert made.status_code == 200, made.json
    return made.json


def link(server, person, kind="confirm"):
    """Return the path of a link in a mail to a player."""
    mailing = server.services.mailing
    make = {"confirm": mailing.links.to_confirm, "unsubscribe": mailing.links.to_unsubscribe}[kind]
    return make(person.id, mailing.find(person.id).id).removeprefix(SITE)


def status(person):
    """Return the status of a player's address, None without one."""
    found = person.get("/v1/me/mail")
    return found.json["status"] if found.status_code == 200 else None


def test_an_address_is_unconfirmed_at_first_and_shown_to_its_player_alone(server, ada, bob, stranger):
    assert (ada.get("/v1/me/mail").status_code, ada.get("/v1/me/mail").json["code"]) == (404, "no-mail")
    made = set_up(ada)
    assert made == ada.get("/v1/me/mail").json
    assert made == {
        "address": ADDRESS,
        "status": "unconfirmed",
        "reason": None,
        "types": ["your_turn", "deadline_near"],
        "quiet_hours": None,
        "interval": "PT10M",
    }
    for answer in (bob.get("/v1/me/mail"), bob.get(f"/v1/players/{ada.id}"), ada.get("/v1/me")):
        assert ADDRESS not in answer.text
    assert stranger.get("/v1/me/mail").status_code == 401


def test_the_choices_can_be_changed_without_confirming_again(server, ada, stranger):
    set_up(ada)
    stranger.post(link(server, ada))
    choices = {"types": ["invited"], "quiet_hours": {"start": "22:00", "end": "07:30"}, "interval": "PT1H"}
    assert set_up(ada, **choices) == {"address": ADDRESS, "status": "confirmed", "reason": None, **choices}
    assert server.services.mailing.find(ada.id).asking is None


def test_an_address_in_another_script_is_kept_in_the_form_that_mail_servers_take(ada):
    assert ada.put("/v1/me/mail", {"address": "ada@MÜLLER.de"}).json["address"] == "ada@xn--mller-kva.de"


def test_following_the_link_confirms_nothing_pressing_the_button_does(server, ada, stranger):
    set_up(ada)
    page = link(server, ada)
    for _ in range(3):
        shown = stranger.get(page)
        assert (shown.status_code, shown.mimetype) == (200, "text/html")
        assert '<form method="post">' in shown.text
        assert shown.headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in shown.headers["Content-Security-Policy"]
        assert status(ada) == "unconfirmed"
    done = stranger.ask("POST", page, b"", content_type=FORM)
    assert (done.status_code, status(ada)) == (200, "confirmed")
    assert "<form" not in done.text
    assert "<form" not in stranger.get(page).text
    assert ADDRESS not in shown.text + done.text


def test_only_a_confirmed_address_wants_notices(server, ada, stranger):
    destinations = Destinations(server.redis)
    set_up(ada)
    assert destinations.of([ada.id]) == []
    stranger.post(link(server, ada))
    assert destinations.of([ada.id]) == [Destination(ada.id, "mail")]
    set_up(ada, address="ada@example.net")
    assert destinations.of([ada.id]) == []


def test_a_link_is_good_for_one_address_and_two_days(server, clock, ada, stranger):
    set_up(ada)
    first = link(server, ada)
    set_up(ada, address="ada@example.net")
    assert stranger.get(first).status_code == stranger.post(first).status_code == 404
    second = link(server, ada)
    clock.ms += 2 * DAY
    assert stranger.post(second).status_code == 404
    assert status(ada) == "unconfirmed"


@pytest.mark.parametrize("kind", ["confirm", "unsubscribe"])
def test_a_browser_gets_a_page_for_a_link_that_is_not_valid(stranger, kind):
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    for method in ("GET", "POST"):
        shown = stranger.ask(method, f"/v1/mail/{kind}/invented", headers={"Accept": browser})
        assert (shown.status_code, shown.mimetype) == (404, "text/html")
        assert "This link is not valid any more" in shown.text
        french = stranger.ask(method, f"/v1/mail/{kind}/invented", headers={"Accept": browser, "Accept-Language": "fr"})
        assert ('<html lang="fr">' in french.text, french.headers["Content-Language"]) == (True, "fr")
        assert "Ce lien n’est plus valable" in french.text
        assert "<form" not in shown.text
        assert "default-src 'none'" in shown.headers["Content-Security-Policy"]
        for program in ("*/*", "application/json", "application/json, text/html;q=0.5"):
            refused = stranger.ask(method, f"/v1/mail/{kind}/invented", headers={"Accept": program})
            assert (refused.status_code, refused.mimetype) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (ONE_CLICK, FORM),
        (b"--x\r\n\r\nOne-Click\r\n--x--", "multipart/form-data; boundary=x"),
        (b"", ""),
        (b"{", "application/json"),
    ],
)
def test_one_click_ends_mails_and_deletes_the_address(server, ada, stranger, sent, kind):
    set_up(ada)
    stranger.post(link(server, ada))
    stop = link(server, ada, "unsubscribe")
    assert '<form method="post">' in stranger.get(stop).text
    assert status(ada) == "confirmed"
    for _ in range(2):
        assert stranger.ask("POST", stop, sent, content_type=kind).status_code == 200
        assert status(ada) is None
    assert stranger.get(stop).status_code == 200
    assert Destinations(server.redis).of([ada.id]) == []


def test_an_old_link_does_not_end_mails_to_a_new_address(server, ada, stranger):
    set_up(ada)
    stop = link(server, ada, "unsubscribe")
    set_up(ada, address="ada@example.net")
    assert stranger.post(stop).status_code == 200
    assert status(ada) == "unconfirmed"


def test_a_link_to_end_mails_is_good_for_more_than_a_year(server, clock, ada, stranger):
    set_up(ada)
    stop = link(server, ada, "unsubscribe")
    clock.ms += 380 * DAY
    assert stranger.post(stop).status_code == 200
    assert status(ada) is None


def test_a_player_ends_mails(server, ada):
    set_up(ada)
    for _ in range(2):
        assert ada.delete("/v1/me/mail").status_code == 204
        assert status(ada) is None
    assert not any(ADDRESS.encode() in repr(each).encode() for each in everything(server.redis).items())


def test_changing_the_choices_counts_against_no_limit(server, ada, stranger):
    server.keep_limits(confirmations=1)
    set_up(ada)
    stranger.post(link(server, ada))
    for interval in ("PT1M", "PT2M", "PT3M"):
        set_up(ada, interval=interval)


def test_deleting_the_account_deletes_the_address(server, ada, stranger):
    set_up(ada)
    stranger.post(link(server, ada))
    confirm, stop = link(server, ada), link(server, ada, "unsubscribe")
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert not any(ADDRESS.encode() in repr(each).encode() for each in everything(server.redis).items())
    assert not server.redis.exists(keys.mail(ada.id), keys.destinations(ada.id))
    assert stranger.post(confirm).status_code == 404
    assert stranger.post(stop).status_code == 200
    assert not server.redis.exists(keys.mail(ada.id), keys.destinations(ada.id))


def test_nothing_of_an_address_is_logged(server, ada, stranger, caplog):
    caplog.set_level(logging.DEBUG)
    set_up(ada)
    ada.put("/v1/me/mail", {"address": "ada@example"})
    stranger.post(link(server, ada))
    assert "example.org" not in caplog.text
    assert "ada@" not in caplog.text


def test_a_service_without_a_mail_server_offers_no_mails(server, ada, stranger):
    page = f"/v1/mail/confirm/{'a' * 40}"
    server.offers_mails = False
    server.forget_games()
    for answer in (ada.put("/v1/me/mail", {"address": ADDRESS}), ada.get("/v1/me/mail"), stranger.get(page)):
        assert (answer.status_code, answer.json["code"]) == (422, "unsupported")


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
    assert made.keys() == {"id", "endpoint", "types", "quiet_hours", "created_at"}
    assert (made["endpoint"], made["types"]) == (ENDPOINT, ["your_turn", "deadline_near"])
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
    again = subscribe(ada, types=["invited"], quiet_hours={"start": "22:00", "end": "07:00"})
    assert again["id"] == first["id"]
    assert ada.get(PATH).json["items"] == [again]
    assert Destinations(server.redis).of([ada.id]) == [Destination(ada.id, "push", first["id"])]


@pytest.mark.parametrize("ends", [None, 0, 1_800_000_000_000, 1.8e12])
def test_a_browsers_own_subscription_is_accepted_as_it_is(ada, ends):
    sent = Browser().subscription(ENDPOINT)
    made = ada.post(PATH, {"endpoint": sent["endpoint"], "expirationTime": ends, "keys": sent["keys"]})
    assert (made.status_code, made.json["endpoint"]) == (201, ENDPOINT)
    assert made.json.keys() == {"id", "endpoint", "types", "quiet_hours", "created_at"}


def test_a_player_has_a_limited_number_of_subscriptions(ada):
    for number in range(10):
        subscribe(ada, f"{ENDPOINT}{number}")
    refused = ada.post(PATH, Browser().subscription(f"{ENDPOINT}x"))
    assert (refused.status_code, refused.json["bucket"]) == (429, "push-subscriptions")
    subscribe(ada, f"{ENDPOINT}3")
