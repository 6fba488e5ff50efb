"""Somebody who sits at a table with bots, and has the page of the game open."""

import json
from typing import Any

import httpx
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.support.processes import PATIENCE
from tests.support.server import RunningService

PHONE = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce", "quiet": True}
"""A small phone with a finger.

The game can move on before a tap arrives, and the page asks why things cannot be done: both are rejections.
"""


def guest(client: httpx.Client, name: str) -> dict[str, str]:
    """Make a player; the result has their token."""
    made: dict[str, str] = client.post("/v1/players", json={"name": name}).raise_for_status().json()
    return made


def guests(service: RunningService, *names: str) -> list[dict[str, str]]:
    with httpx.Client(base_url=service.url) as client:
        return [guest(client, name) for name in names]


def bearer(player: dict[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {player['token']}"}


ME, OPEN, BOT = {"player": "me"}, {"open": True}, {"bot": "random"}


def created(
    service: RunningService, player: dict[str, str], ruleset: str, *others: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """Let a player make a game with others in the seats after the first."""
    new = {"ruleset": ruleset, "seats": [ME, *others], "visibility": "unlisted", **more}
    return asked(service, player, "/v1/games", new)


def asked(service: RunningService, player: dict[str, str], path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Let a player ask the service for something."""
    answer = httpx.post(f"{service.url}{path}", json=body, headers=bearer(player), timeout=PATIENCE)
    made: dict[str, Any] = answer.raise_for_status().json()
    return made


def two_at_a_table(
    service: RunningService, one: dict[str, str], other: dict[str, str], ruleset: str, bots: int = 0, **more: Any
) -> str:
    """Let two players take the first seats of a game, and bots the others; return its id."""
    game = str(created(service, one, ruleset, OPEN, *[BOT] * bots, **more)["id"])
    asked(service, other, f"/v1/games/{game}/seats", {"seat": 1})
    return game


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
    (me,) = guests(service, "Ada")
    game = created(service, me, ruleset_id, *[BOT] * (seats - 1), options=options)["id"]
    return show_game(open_page, service, me, game, **browser)
