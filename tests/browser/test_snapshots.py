"""What a screen reader finds in each state of the client, kept as text; in some states, in every language.

``make snapshots`` writes the texts of ``snapshots/`` anew; read what has changed as somebody who only hears it.
"""

import os
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request

from tests.browser.conftest import Opened
from tests.browser.states import LANGUAGES, STATES, reached
from tests.support.server import RunningService

FOLDER = Path(__file__).parent / "snapshots"
SAMPLE = [("home", "en"), ("plateau-chosen", "ja"), ("plute-why-not", "fr")]
TRANSLATED = {
    "home",
    "new-game",
    "plute-why-not",
    "french-tarot-discard",
    "le-plateau-over",
    "plateau-chosen",
    "replay",
}
KEPT = [(name, language) for name in STATES for language in LANGUAGES if language == "en" or name in TRANSLATED]
STILL = 1.0
"""After so many seconds without a change and without a request, a page is what it will be."""
PATIENCE = 60.0
"""After so many seconds a page is what it is: one that does not settle fails, and shows how."""

CHANGING = {
    r"http://127\.0\.0\.1:\d+": "http://address",
    r"gm_[0-9a-f]{20}\b": "gm_…",
    r"#/join/\w+": "#/join/…",
    r"(?<![0-9a-f])[0-9a-f]{8}…": "…",
    r"(- time: ).*": r"\1…",
}
"""What differs from run to run."""


class Requests:
    """What a page waits for; a stream of events and the polls in its place do not end, so they do not count.

    Nor does the script of a shared worker, of whose end Playwright does not tell.
    """

    def __init__(self) -> None:
        self.open: set[Request] = set()

    def watch(self, page: Page) -> None:
        page.on("request", self._begun)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    def _ended(self, request: Request) -> None:
        self.open.discard(request)

    def _begun(self, request: Request) -> None:
        is_stream = request.headers.get("accept") == "application/x-ndjson" or "wait=" in request.url
        if not is_stream and not request.url.endswith("/streams.js"):
            self.open.add(request)


def snapshot(page: Page) -> str:
    """Return the accessibility tree of a page as text."""
    text = page.locator("body").aria_snapshot()
    for changing, same in CHANGING.items():
        text = re.sub(changing, same, text)
    return f"# {page.title()}\n{text}\n"


def settled(page: Page, requests: Requests, wanted: str | None = None) -> str:
    """Return the snapshot of a page as soon as it is the wanted one; else when it has not changed for a while."""
    seen, since = "", time.monotonic()
    latest = since + PATIENCE
    while time.monotonic() < min(since + STILL, latest):
        found = snapshot(page)
        if found == wanted:
            return found
        if found != seen or requests.open:
            seen, since = found, time.monotonic()
    return seen


@pytest.mark.parametrize(
    ("name", "language"), [pytest.param(*each, marks=() if each in SAMPLE else pytest.mark.long) for each in KEPT]
)
def test_a_state_reads_as_it_did(open_page: Opened, service: RunningService, name: str, language: str) -> None:
    path, requests = FOLDER / language / f"{name}.yaml", Requests()
    look = {"viewport": {"width": 1280, "height": 800}, "watch": requests.watch}
    page = reached(open_page, service, STATES[name], language, lambda page: settled(page, requests), **look)
    wanted = path.read_text() if path.exists() else None
    found = settled(page, requests, wanted)
    if os.environ.get("SNAPSHOTS") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found)
    else:
        assert found == wanted, f"{language}/{name}: read the difference, then run make snapshots if it is right"


def test_every_text_belongs_to_a_state() -> None:
    kept = {(path.parent.name, path.stem) for path in FOLDER.glob("*/*.yaml")}
    assert kept == {(language, name) for name, language in KEPT}
