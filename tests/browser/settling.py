"""A page that has all it asked for, and has not changed for a while, as a screen reader finds it."""

import re
import time

from playwright.sync_api import Page, Request

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
