"""A device that tells its player of a turn: asked for by a tap, shown by the service worker, and ended again.

No push service can be reached from a test, so the browser's half of the subscription is made here; the messages are
dispatched to the real worker by Chromium itself.
"""

import json
import secrets
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, Worker, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel
from tests.browser.seated import BOT, bearer, created, guest, guests, remembered
from tests.browser.states import GOLDEN
from tests.browser.stored import stored
from tests.support.server import RunningService, wait_until

SUBSCRIBING = """
const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
let made = null, number = 0;
PushManager.prototype.getSubscription = async () => made;
PushManager.prototype.subscribe = async function (options) {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const p256dh = text(await crypto.subtle.exportKey("raw", pair.publicKey));
  const auth = text(crypto.getRandomValues(new Uint8Array(16)));
  window.subscribedWith = options;
  const endpoint = `https://push.example/${++number}`;
  made = { toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
           unsubscribe: async () => { made = null; return true; } };
  return made;
};
"""
SHOWN = """() => registration.getNotifications().then((all) => all.map(({ title, body }) => [title, body]))"""
CLICK = """() => registration.getNotifications().then(([notification]) =>
  dispatchEvent(new NotificationEvent("notificationclick", { notification })))"""


@pytest.mark.long
def test_a_player_is_told_by_push_in_the_language_of_the_page_until_they_end_it(
    open_page: Opened, service: RunningService
) -> None:
    with httpx.Client(base_url=service.url) as client:
        ada = guest(client, "Ada")
        mine = {"headers": bearer(ada)}
        page = settings_of(open_page, service, ada, locale="fr-FR", permissions=["notifications"])
        page.get_by_role("button", name="M’avertir quand c’est à moi de jouer").click()
        expect(page.get_by_text("même sans onglet ouvert")).to_be_visible()
        (kept,) = client.get("/v1/me/push-subscriptions", **mine).json()["items"]
        assert kept["endpoint"] == "https://push.example/1"
        key = client.get("/v1/push-key").json()["public_key"]
        assert page.evaluate("window.subscribedWith") == {"userVisibleOnly": True, "applicationServerKey": key}
        assert client.get("/v1/me", **mine).json()["language"] == "fr"
        page.reload()
        page.get_by_role("button", name="Désactiver les notifications").click()
        expect(page.get_by_text("Voulez-vous aussi une notification")).to_be_visible()
        assert client.get("/v1/me/push-subscriptions", **mine).json()["items"] == []


@pytest.mark.long
@pytest.mark.parametrize("loser", ["service", "browser", "nobody"])
def test_a_subscription_that_was_lost_is_made_anew_when_the_player_comes_back(
    open_page: Opened, service: RunningService, loser: str
) -> None:
    with httpx.Client(base_url=service.url) as client:
        ada = guest(client, "Ada")
        mine = {"headers": bearer(ada)}
        page = settings_of(open_page, service, ada, permissions=["notifications"])
        page.get_by_role("button", name="Tell me when it is my turn").click()
        expect(page.get_by_role("button", name="Turn off notifications")).to_be_visible()
        (before,) = client.get("/v1/me/push-subscriptions", **mine).json()["items"]
        if loser == "service":
            client.delete(f"/v1/me/push-subscriptions/{before['id']}", **mine).raise_for_status()
        if loser == "browser":
            page.evaluate("navigator.serviceWorker.ready.then(({ pushManager }) => pushManager.getSubscription())"
                          ".then((made) => made.unsubscribe())")  # fmt: skip
        page.evaluate("window.subscribedWith = null")
        with page.expect_response(lambda answer: answer.url.endswith("/v1/me/push-subscriptions")):
            page.evaluate("location.hash = '#/'")
        page.wait_for_timeout(300)

        def kept() -> list[str]:
            return [each["endpoint"] for each in client.get("/v1/me/push-subscriptions", **mine).json()["items"]]

        if loser == "nobody":
            assert page.evaluate("window.subscribedWith") is None
            assert kept() == ["https://push.example/1"]
        else:
            wait_until(lambda: page.evaluate("window.subscribedWith !== null"), "a new subscription")
            wait_until(lambda: kept() == ["https://push.example/2"], "the service to have it alone")
            page.evaluate("location.hash = '#/settings'")
            page.get_by_role("button", name="Turn off notifications").click()
            expect(page.get_by_role("button", name="Tell me when it is my turn")).to_be_visible()


@pytest.mark.long
def test_a_message_is_shown_unless_its_game_is_seen_and_leads_to_it(open_page: Opened, service: RunningService) -> None:
    (ada,) = guests(service, "Ada")
    game = created(service, ada, "plateau", BOT)["id"]
    page = settings_of(open_page, service, ada, permissions=["notifications"])
    page.get_by_role("button", name="Tell me when it is my turn").click()
    expect(page.get_by_role("button", name="Turn off notifications")).to_be_visible()
    (worker,) = page.context.service_workers
    elsewhere = f"https://play.example/#/game/{game}"
    message = {"type": "your_turn", "game_id": game, "title": "Your turn", "body": "Plateau waits.", "url": elsewhere}
    wait_until(lambda: is_shown(page, service, worker, message), "the notification")
    worker.evaluate(CLICK)
    page.get_by_text("Pause, undo, leave").wait_for()  # from then on, the page answers the worker
    assert page.url == f"{service.url}/#/game/{game}"
    assert worker.evaluate(SHOWN) == []
    deliver(page, service, message)
    other = {**message, "title": "Another", "game_id": "gm_2"}
    wait_until(lambda: is_shown(page, service, worker, other), "the notification")


@pytest.mark.long
def test_a_page_without_encryption_says_what_works_there_and_verifies_games(
    open_page: Opened, service: RunningService
) -> None:
    kept = remembered(service, *guests(service, "Ada"))
    kept["origins"][0]["origin"] = "http://plateau.test"
    page = open_page(storage_state=kept)
    page.route("http://plateau.test/**", lambda route: forward(route, service))
    page.goto("http://plateau.test/#/settings")
    expect(page.get_by_text("Notifications need a secure address")).to_be_visible()
    expect(page.get_by_role("button", name="Tell me")).to_have_count(0)
    game = stored(service, GOLDEN / "plute/show-points.txt", f"gm_{secrets.token_hex(10)}", until=12)
    page.goto(f"http://plateau.test/#/game/{game.id}?at=4")
    assert page.evaluate("isSecureContext") is False
    open_panel(page)
    page.get_by_role("button", name="Check this game in my browser").click()
    expect(page.locator(".proof .ticks")).to_be_visible()


def forward(route: Route, service: RunningService) -> None:
    """Answer a request to another host by the service, without the header that Chromium reports on plain http."""
    answer = route.fetch(url=route.request.url.replace("http://plateau.test", service.url))
    headers = {name: value for name, value in answer.headers.items() if name != "cross-origin-opener-policy"}
    route.fulfill(response=answer, headers=headers)


def settings_of(open_page: Opened, service: RunningService, player: dict[str, str], **browser: Any) -> Page:
    """Open the settings as a player, in a browser that can subscribe."""
    page = open_page(storage_state=remembered(service, player), service_workers="allow", **browser)
    page.add_init_script(SUBSCRIBING)
    page.goto("/#/settings")
    page.reload()
    return page


def is_shown(page: Page, service: RunningService, worker: Worker, message: dict[str, str]) -> bool:
    """Deliver a message, and return whether it alone is shown; Chromium drops one whose worker is still starting."""
    deliver(page, service, message)
    page.wait_for_function("new Promise((resolve) => setTimeout(() => resolve(true), 500))")
    shown: list[list[str]] = worker.evaluate(SHOWN)
    return shown == [[message["title"], message["body"]]]


def deliver(page: Page, service: RunningService, message: dict[str, str]) -> None:
    """Have Chromium dispatch a push message to the worker of the page."""
    session = page.context.new_cdp_session(page)
    known: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    while not known:
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    wanted = {"origin": service.url, "registrationId": known[-1]["registrationId"], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", wanted)
