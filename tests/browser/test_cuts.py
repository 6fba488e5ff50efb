"""The connection is cut while a whole game is played: each action acts once, and the page shows what became of it."""

import random
from collections import defaultdict
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import Opened
from tests.browser.pages import session, tap_at_random
from tests.browser.seated import sit_down
from tests.support.server import RunningService

pytestmark = pytest.mark.long

ACTED = {
    "unit_opened",
    "piece_onboarded",
    "unit_moved",
    "unit_stomped",
    "prisoners_tendered",
    "prisoners_exchanged",
    "tender_refused",
}
ONLINE = "setInterval(() => dispatchEvent(new Event('online')), 20);"
"""The browser reports all the time that it is online again, so that no try waits for its turn."""


WATCHED = """
window.shown = new Set();
window.retried = [];
const [keys, whole] = [new Set(), window.fetch];
const progress = () => document.querySelector(".progress")?.textContent ?? "";
const everything = { subtree: true, childList: true, characterData: true };
new MutationObserver(() => shown.add(progress())).observe(document, everything);
window.fetch = (url, options = {}) => {
  const key = options.headers?.["Idempotency-Key"];
  if (keys.has(key)) retried.push(progress());
  if (key) keys.add(key);
  return whole(url, options);
};
"""
"""Note what the page says of an action, and what it says whenever it sends one again."""


class Cuts:
    """Cut requests at random: before the service has them, or when it has answered; or the service is busy."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.tries: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.told: set[int] = set()
        self._rng = random.Random(number)

    def __call__(self, route: Route) -> None:
        """Let a request through, or cut it; keep what the service answered, by idempotency key."""
        if "dry_run" in route.request.url:
            route.continue_()
            return
        fate = self._rng.choice(("kept", "unsent", "lost", "busy")) if self.left else "kept"
        self.left -= fate != "kept"
        answers = self.tries[route.request.headers["idempotency-key"]]
        if fate == "unsent":
            route.abort("connectionreset")
        elif fate == "busy":
            route.fulfill(status=503, json={"code": "unavailable", "detail": "busy"}, headers={"Retry-After": "0"})
        else:
            answer = route.fetch()
            answers.append(answer.json())
            if fate == "lost":
                route.abort("connectionreset")
            else:
                self.told.add(answers[-1]["version"])
                route.fulfill(response=answer)


def test_each_action_acts_once_however_often_the_connection_is_cut(open_page: Opened, service: RunningService) -> None:
    cuts = 25
    network = Cuts(cuts)
    acted: list[int] = []
    said: list[str] = []
    again: list[str] = []
    while network.left:  # a game against a bot that plays at random can be short
        page = sit_down(open_page, service, "plateau", 2, {})
        page.add_init_script(ONLINE + WATCHED)
        page.reload()
        page.locator(".game").wait_for()
        page.route("**/v1/games/*/actions*", network)
        before = network.left
        for seed in range(cuts):
            if network.left and page.locator(".game[data-status=finished]").count() == 0:
                tap_at_random(page, seed + 1, most=20, until="")
        page.locator(".whose.turn, .game[data-status=finished]").first.wait_for()
        assert network.left < before
        acted += my_actions(page)
        said += page.evaluate("[...shown]")
        again += page.evaluate("retried")
        assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('plateau.sending'))") == []
    kept = [
        {(answer["version"], *(event["hash"] for event in answer["events"])) for answer in answers}
        for answers in network.tries.values()
    ]
    assert {len(each) for each in kept} == {1}
    assert len(kept) == len(acted)
    assert len(again) == cuts
    assert {*again} == {"Waiting for the connection…"}


def my_actions(page: Page) -> list[int]:
    """Return the versions with an action of the first seat; the events that follow from an action have other types."""
    headers = {"Authorization": f"Bearer {session(page)['token']}"}
    path = f"/v1/games/{page.url.rpartition('/')[2]}/events?limit=1000"
    events = page.request.get(path, headers=headers).json()["events"]
    return [event["version"] for event in events if event["seat"] == 0 and event["type"] in ACTED]
