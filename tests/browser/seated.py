"""Somebody who sits at a table with bots, and has the page of the game open."""

import json
from typing import Any

import httpx
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.support.server import RunningService

PHONE = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce", "quiet": True}
"""A small phone with a finger.

The game can move on before a tap arrives, and the page asks why things cannot be done: both are rejections.
"""


def guest(client: httpx.Client, name: str) -> dict[str, str]:
    """Make a player; the result has their token."""
    made: dict[str, str] = client.post("/v1/players", json={"name": name}).raise_for_status().json()
    return made


def bearer(player: dict[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {player['token']}"}


def remembered(service: RunningService, player: dict[str, str]) -> dict[str, Any]:
    """Return what a browser remembers that this player uses."""
    session = {key: player[key] for key in ("token", "id", "name")}
    kept = [{"name": "plateau.session", "value": json.dumps(session)}]
    return {"origins": [{"origin": service.url, "localStorage": kept}], "cookies": []}


def show_game(open_page: Opened, service: RunningService, player: dict[str, str], game: str, **browser: Any) -> Page:
    """Open a game as one of its players."""
    page = open_page(f"#/game/{game}", **{"storage_state": remembered(service, player), **PHONE, **browser})
    page.locator(".game").wait_for()
    return page


def sit_down(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int, options: dict[str, Any], **browser: Any
) -> Page:
    """Make a game with bots in all other seats, and open it."""
    with httpx.Client(base_url=service.url) as client:
        me = guest(client, "Ada")
        table = [{"player": "me"}, *[{"bot": "random"}] * (seats - 1)]
        new = {"ruleset": ruleset_id, "seats": table, "options": options, "visibility": "unlisted"}
        made = client.post("/v1/games", json=new, headers=bearer(me)).raise_for_status().json()
    return show_game(open_page, service, me, made["id"], **browser)
