"""What a screen reader finds in each state of the client, kept as text in three languages.

``make snapshots`` writes the texts of ``snapshots/`` anew; read what has changed as somebody who only hears it.
"""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request

from tests.browser.conftest import Opened
from tests.browser.seated import remembered
from tests.browser.states import STATES, State
from tests.support.server import RunningService

FOLDER = Path(__file__).parent / "snapshots"
LANGUAGES = {"en": "en-GB", "fr": "fr-FR", "ja": "ja-JP"}
SAMPLE = [("home", "en"), ("french-tarot-discard", "fr"), ("plateau-chosen", "ja"), ("plute-why-not", "fr")]
STILL = 1.0
"""After so many seconds without a change and without a request, a page is what it will be."""

READY = "main h1, main h2, [role=alert], .curtain"

CHANGING = {
    r"http://127\.0\.0\.1:\d+": "http://address",
    r"gm_[0-9a-f]{20}\b": "gm_…",
    r"#/join/\w+": "#/join/…",
    r"(?<![0-9a-f])[0-9a-f]{8}…": "…",
    r"(- time: ).*": r"\1…",
}
"""What differs from run to run."""


class Requests:
    """What a page waits for; a stream of events does not end, so it does not count."""

    def __init__(self) -> None:
        self.open: set[Request] = set()

    def watch(self, page: Page) -> None:
        page.on("request", self._begun)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    def _ended(self, request: Request) -> None:
        self.open.discard(request)

    def _begun(self, request: Request) -> None:
        if request.headers.get("accept") != "application/x-ndjson":
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
    while time.monotonic() < since + STILL:
        found = snapshot(page)
        if found == wanted:
            return found
        if found != seen or requests.open:
            seen, since = found, time.monotonic()
    return seen


def looked_at(open_page: Opened, service: RunningService, name: str, languages: list[str]) -> Iterator[tuple[str, str]]:
    """Reach a state in one language after the other, and return what is wrong with its snapshots."""
    state: State = STATES[name]
    visit = state.prepare(service)
    for language in languages:
        path = FOLDER / language / f"{name}.yaml"
        look = {"locale": LANGUAGES[language], "viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        kept = {"storage_state": remembered(service, visit.player)} if visit.player else {}
        requests = Requests()
        page = open_page(visit.address.removeprefix("/"), quiet=True, watch=requests.watch, **look, **kept)
        page.locator(READY).first.wait_for()
        if state.needs_all:
            settled(page, requests)
        state.do(page)
        wanted = path.read_text() if path.exists() else None
        yield str(wanted), settled(page, requests, wanted)
        page.context.close()


def compare(open_page: Opened, service: RunningService, name: str, languages: list[str]) -> None:
    """Compare a state with its texts, or write them."""
    for language, (wanted, found) in zip(languages, looked_at(open_page, service, name, languages), strict=True):
        if os.environ.get("SNAPSHOTS") == "write":
            path = FOLDER / language / f"{name}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found)
        else:
            assert found == wanted, f"{language}/{name}: read the difference, then run make snapshots if it is right"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "language"), SAMPLE)
def test_a_state_reads_as_it_did(open_page: Opened, service: RunningService, name: str, language: str) -> None:
    compare(open_page, service, name, [language])


@pytest.mark.long
@pytest.mark.parametrize("name", STATES)
def test_every_state_reads_as_it_did_in_every_language(open_page: Opened, service: RunningService, name: str) -> None:
    compare(open_page, service, name, list(LANGUAGES))


def test_every_text_belongs_to_a_state() -> None:
    kept = {(path.parent.name, path.stem) for path in FOLDER.glob("*/*.yaml")}
    assert kept == {(language, name) for language in LANGUAGES for name in STATES}
