"""Photograph every game in a real Chromium, for the README and the guides: ``make pictures``."""

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import chromium
from tests.support.one_file import written
from tests.support.server import ROOT, RunningService, running_service, wait_until

POSITIONS = {"le-plateau": (6, 10), "plateau": (2, 9), "french-tarot": (4, 6), "plute": (6, 4)}
"""For each ruleset: the number of seats, and how many actions the viewer has taken."""
DEVICES = {
    "phone": (390, 844),
    "tablet": (768, 1024),
    "desktop": (1440, 900),
    "small-phone": (360, 640),
    "lying-phone": (844, 390),
    "laptop": (1280, 720),
}
WITHOUT_TOUCH = ("desktop", "laptop")
SHOWN = [("phone", "dark"), ("tablet", "light"), ("desktop", "light")]
"""What the guides show of each game."""
FILE = "one-file.jpg"
SAVED = "le-plateau/6-void-hands-redeal"
"""The golden game that is shown in one file, and after so many moves."""
MOVES = 60
SEED = 7
QUALITY = 80
"""Of JPEG: the felt is a gradient, which makes a PNG four times as large."""
LIT = ".mine .lit, .board .lit"
"""What is touched in the pictures of a mouse, so that they show what a touch does."""


def main() -> None:
    """Play each game to its position, and take its pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "docs/pictures", help="the folder of the pictures")
    parser.add_argument("--all", action="store_true", help="all widths, light and dark")
    parser.add_argument("--ruleset", choices=POSITIONS, action="append", help="only this ruleset")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    views = [(device, theme) for device in DEVICES for theme in ("light", "dark")] if given.all else SHOWN
    with (
        tempfile.TemporaryDirectory() as folder,
        running_service(Path(folder), {"PLATEAU_WORKERS": "1"}) as service,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for ruleset in given.ruleset or POSITIONS:
            table = Table.reached(service, ruleset)
            for device, theme in views:
                table.photograph(browser, device, theme, given.to / f"{ruleset}-{device}-{theme}.jpg")
        if not given.ruleset:
            photograph_file(browser, Path(folder) / "game.html", given.to / FILE)
        browser.close()


def photograph_file(browser: Browser, saved: Path, to: Path) -> None:
    """Open a game in one file, with all cards open, and make some moves."""
    saved.write_bytes(written(SAVED))
    width, height = DEVICES["desktop"]
    with browser.new_context(
        viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        page.goto(saved.as_uri())
        page.locator(".eyes select").select_option("all")
        onward = page.get_by_role("button", name="One move on")
        for _ in range(MOVES):
            onward.click()
        page.locator(".ticks").wait_for()
        page.screenshot(path=to, quality=QUALITY)


class Table:
    """A game of one person against bots."""

    def __init__(self, service: RunningService, ruleset: str) -> None:
        self._url = service.url
        self._random = random.Random(SEED)
        self._client = httpx.Client(base_url=service.url)
        self._me = self._client.post("/v1/players", json={"name": "Ada"}).raise_for_status().json()
        self._client.headers["Authorization"] = f"Bearer {self._me['token']}"
        seats = [{"player": "me"}, *[{"bot": "random"}] * (POSITIONS[ruleset][0] - 1)]
        new = {"ruleset": ruleset, "seats": seats, "visibility": "unlisted", "bot_pace": "PT0S"}
        self._game = self._client.post("/v1/games", json=new).raise_for_status().json()["id"]

    @classmethod
    def reached(cls, service: RunningService, ruleset: str) -> "Table":
        """Return a game at its position; begin another one if it ends before, as a short one can."""
        while True:
            table = cls(service, ruleset)
            if all(table._act() for _ in range(POSITIONS[ruleset][1])):
                return table

    def _act(self) -> bool:
        """Take a random action when the viewer is next to decide; return whether the game continues after it."""
        while True:
            wait_until(lambda: self._is_over() or self._is_mine(), "the viewer's turn")
            if self._is_over():
                return False
            page = self._client.get(f"/v1/games/{self._game}/legal-actions").raise_for_status().json()
            if not page["actions"]:  # the turn ended meanwhile
                continue
            action = self._random.choice(page["actions"]) | {"decision_id": page["decision"]["id"]}
            if self._client.post(f"/v1/games/{self._game}/actions", json=action).is_success:
                wait_until(lambda: self._is_over() or self._is_mine(), "the viewer's next turn")
                return not self._is_over()

    def photograph(self, browser: Browser, device: str, theme: str, to: Path) -> None:
        """Open the page of the game on a device, and keep what can be seen of it without scrolling."""
        session = {
            "name": "plateau.session",
            "value": json.dumps({key: self._me[key] for key in ("token", "id", "name")}),
        }
        width, height = DEVICES[device]
        look: dict[str, Any] = {"color_scheme": theme, "reduced_motion": "reduce", "device_scale_factor": 1}
        has_touch = device not in WITHOUT_TOUCH
        touch = {"has_touch": has_touch, "is_mobile": has_touch}
        with browser.new_context(
            base_url=self._url,
            viewport={"width": width, "height": height},
            locale="en-GB",
            **look,
            **touch,
            storage_state={"origins": [{"origin": self._url, "localStorage": [session]}], "cookies": []},
        ) as context:
            page = context.new_page()
            page.goto(f"/#/game/{self._game}")
            page.locator(".whose.turn").wait_for()
            if not has_touch and page.locator(LIT).count():
                page.locator(LIT).last.hover()
            page.screenshot(path=to, quality=QUALITY)

    def _is_mine(self) -> bool:
        return "decision" in self._view()

    def _is_over(self) -> bool:
        return self._view()["game"]["status"] != "active"

    def _view(self) -> dict[str, Any]:
        view: dict[str, Any] = self._client.get(f"/v1/games/{self._game}/view").raise_for_status().json()
        return view


if __name__ == "__main__":
    main()
