"""What several tests do on the pages."""

import json
import random
import re
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.domain.laws.facts import short
from tests.support.server import RunningService

TAPPING = (Path(__file__).parent / "tapping.js").read_text()


MOST_TAPS = 6000


def tap_at_random(page: Page, seed: int, until: str = "", most: int = MOST_TAPS) -> dict[str, Any]:
    """Tap at random until the game is over, or something is on the page."""
    return page.evaluate(f"given => ({TAPPING})(given)", {"seed": seed, "most": most, "until": until})


def open_panel(page: Page) -> None:
    """Open what stands beside the table, on a screen that has no room for it."""
    switch = page.locator("main .bar [aria-expanded]")
    if switch.get_attribute("aria-expanded") == "false":
        switch.click()


GAME = re.compile(r"#/game/gm_[0-9a-f]{20}$")


def session(page):
    return page.evaluate('JSON.parse(localStorage.getItem("plateau.session"))')


def sent(page, path, body):
    headers = {"Authorization": f"Bearer {session(page)['token']}"}
    return page.request.post(path, data=body, headers=headers).json()


WAITING = re.compile(r"#/waiting/gm_[0-9a-f]{20}$")


def create(page: Page, ruleset: str, *sitters: str) -> None:
    """Create a game by the form, with others in the seats after the first."""
    page.goto(f"/#/new/{ruleset}")
    for seat, sitter in enumerate(sitters, 2):
        page.get_by_label(f"Player {seat}", exact=True).select_option(sitter)
    page.get_by_label("Who can see it").select_option("public")
    page.get_by_role("button", name="Create the game").click()


def played_by_one(
    service: RunningService, ruleset_id: str, seats: int, turns: int = 10_000
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play a game in which one player holds all seats, to its end or for some turns; return the player and the game."""
    rng = random.Random(ruleset_id)
    with httpx.Client(base_url=service.url) as client:
        me = client.post("/v1/players", json={"name": "Ada"}).raise_for_status().json()
        client.headers["Authorization"] = f"Bearer {me['token']}"
        new = {
            "ruleset": ruleset_id,
            "seats": [{"player": "me"}] * seats,
            "sandbox": True,
            "options": short(ruleset_id),
        }
        game = client.post("/v1/games", json=new).raise_for_status().json()
        path = f"/v1/games/{game['id']}"
        for _ in range(turns):
            shown = client.get(path).raise_for_status().json()
            if shown["status"] != "active":
                break
            seat = shown["waiting_for"][0]
            actions = client.get(f"{path}/legal-actions?as={seat}").raise_for_status().json()["actions"]
            client.post(f"{path}/actions?as={seat}", json=rng.choice(actions)).raise_for_status()
        return me, client.get(path).json()


def look_back(open_page: Opened, service: RunningService, me: dict[str, Any], address: str, **look: Any) -> Page:
    session = {"name": "plateau.session", "value": json.dumps({key: me[key] for key in ("token", "id", "name")})}
    kept = {"origins": [{"origin": service.url, "localStorage": [session]}], "cookies": []}
    page = open_page(address, storage_state=kept, reduced_motion="reduce", **look)
    page.locator(".past").wait_for()
    open_panel(page)
    return page


def pattern(pick: str, name: str) -> str:
    """Return an expression that matches a card as data, as a thing on the page, and in words."""
    code = re.escape(pick.partition(":")[2])
    return rf"""["'(: ]{code}["') ]|\b{re.escape(name)}\b"""


def settled_guest(page: Page) -> None:
    """Become somebody, with one game."""
    page.get_by_role("button", name="Play Plute").click()
    expect(page).to_have_url(GAME)
    page.get_by_role("link", name="Back to the start page").click()
    expect(page.get_by_role("heading", name="Continue")).to_be_visible()
