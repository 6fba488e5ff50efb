"""Somebody who sits at a table with bots, and has the page of the game open."""

import json
from typing import Any

import httpx
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.servers import RunningService


def sit_down(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int, options: dict[str, Any], **browser: Any
) -> Page:
    """Make a game with bots in all other seats, and open it on a small phone with a finger.

    The game can move on before a tap arrives, and the page asks why things cannot be done: both are rejections.
    """
    with httpx.Client(base_url=service.url) as client:
        me = client.post("/v1/players", json={"name": "Ada"}).raise_for_status().json()
        table = [{"player": "me"}, *[{"bot": "random"}] * (seats - 1)]
        new = {"ruleset": ruleset_id, "seats": table, "options": options, "visibility": "unlisted"}
        made = client.post("/v1/games", json=new, headers={"Authorization": f"Bearer {me['token']}"})
    session = {"name": "plateau.session", "value": json.dumps({key: me[key] for key in ("token", "id", "name")})}
    kept = {"origins": [{"origin": service.url, "localStorage": [session]}], "cookies": []}
    phone = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce", "quiet": True, **browser}
    page = open_page(f"#/game/{made.raise_for_status().json()['id']}", storage_state=kept, **phone)
    page.locator(".game").wait_for()
    return page
