"""A real service and a real Chromium for the tests of the web client; each is started once in a test process."""

import asyncio
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.support.server import RunningService

Opened = Callable[..., Page]

_REPORT = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`the policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""
_IMPATIENT = """
try { localStorage.getItem("plateau.settings") ?? localStorage.setItem("plateau.settings", '{"pace": 0}'); } catch {}
"""
"""Moves of bots are shown as they come, so that tests need not wait; where a test has settings, those count."""

_EXPECTED = re.compile(r".*net::ERR_INTERNET_DISCONNECTED|quiet Failed to load resource")
"""What Chromium reports of requests that a test cuts off, or of rejections that it brings about."""


USUAL = ("axe", "connection", "game", "overlaps", "secrets", "sending", "snapshots", "tables")
"""The modules of which some tests run in ``make test``; ``make test-browser`` and ``make long`` run all."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.stem.removeprefix("test_") not in USUAL:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def started() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A Chromium without a window, and the event loop that Playwright keeps running in this thread."""
    program = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(started: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The Chromium. Its event loop runs only during a test that uses it, so that other tests can run theirs."""
    browser, loop = started
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture
def open_page(browser: Browser, service: RunningService) -> Iterator[Opened]:
    """Open the client as somebody new, in a browser context of their own.

    An error in the console of any page, or a violation of its policy, fails the test. Chromium reports every rejected
    request there, so a page that brings one about on purpose is ``quiet`` about those. ``watch`` sees the page while it
    is still empty. A page that is ``alone`` has no shared worker, so that a test sees all its requests; none has a
    service worker but those that ``service_workers`` are allowed to.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(
        fragment: str = "",
        *,
        quiet: bool = False,
        alone: bool = False,
        watch: Callable[[Page], None] | None = None,
        **options: object,
    ) -> Page:
        wanted = {"viewport": {"width": 360, "height": 740}, "locale": "en-GB", "service_workers": "block", **options}
        context = browser.new_context(base_url=service.url, **wanted)
        context.set_default_timeout(10_000)
        context.add_init_script(_REPORT)
        context.add_init_script(_IMPATIENT)
        if alone:
            context.add_init_script("delete window.SharedWorker")
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{error.name}: {error.message}"))
        page.on("console", lambda said: said.type == "error" and complaints.append(f"{'quiet ' * quiet}{said.text}"))
        if watch:
            watch(page)
        page.goto(f"/{fragment}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not [text for text in complaints if not _EXPECTED.match(text)]


def icon(page: Page) -> str:
    """Return the address of the icon of the tab."""
    address: str = page.evaluate("""document.querySelector('link[rel="icon"]').href""")
    return address


def chromium() -> str:
    """Return the path of Chromium; without one, skip the test, unless PLATEAU_NEEDS_CHROMIUM says that it must run."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        message = "Chromium is not installed: apt-get install chromium"
        pytest.fail(message) if os.environ.get("PLATEAU_NEEDS_CHROMIUM") == "1" else pytest.skip(message)
    return found
