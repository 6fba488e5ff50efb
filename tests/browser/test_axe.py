"""Every state of the client by the rules of axe-core; what it leaves open is explained here."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.axe import RUN
from tests.browser.conftest import Opened
from tests.browser.pages import open_panel
from tests.browser.seated import guests
from tests.browser.settling import Requests, settled
from tests.browser.states import LANGUAGES, STATES, State, Visit, golden, reached, why_not
from tests.support import node
from tests.support.server import RunningService

LOOKS = (("light", 360), ("dark", 768), ("light", 1280))
SAMPLE = ("home", "le-plateau-play")
EXPLAINED = {
    "color-contrast": "axe cannot see what is behind a text on a card or a board; tests of the palette measure it",
    "th-has-data-cells": "players of a game without scores or hands have a name and nothing more",
}
"""The rules that axe leaves open, and why that is no fault."""

UNFOLD = "document.querySelectorAll('details:not(.agree details)').forEach((each) => { each.open = true; })"


@pytest.fixture(scope="module")
def axe() -> str:
    node.needed()
    return node.asset("axe-core/axe.min.js")


def analysed(page: Page) -> None:
    """Have the bot look at every decision of a game."""
    open_panel(page)
    page.locator(".analysis button").click()
    page.locator(".analysis li").first.wait_for(timeout=60_000)
    page.locator(".analysis progress").wait_for(state="detached", timeout=60_000)


def hinted(page: Page) -> None:
    """Ask what a bot would have done."""
    open_panel(page)
    page.locator(".hint button").click()
    page.locator(".hint .best").wait_for(timeout=30_000)


def another(service: RunningService) -> Visit:
    """Open the link that keeps the seats of another player."""
    ada, ben = guests(service, "Ada", "Ben")
    return Visit(f"/#/keep/{ada['token']}", ben)


EVERY: dict[str, State] = {
    **STATES,
    "hint": golden("plute/hand-claimed-made", address="/#/game/{}?at=27&as=all", do=hinted),
    "analysis": golden("plute/hand-claimed-made", address="/#/game/{}?at=27&as=all", do=analysed),
    "keep": State(another),
    "french-tarot-refused": golden("french-tarot/3-petite", 13, why_not),
}


def faults(page: Page, axe: str) -> list[Any]:
    """Return what axe finds on a page; a rule that it leaves open is a fault without an explanation."""
    page.evaluate(axe)
    result = page.evaluate(RUN)
    return [*result["violations"], *(rule for rule in result["open"] if rule[0] not in EXPLAINED)]


@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.long) for name in EVERY]
)
def test_a_state_breaks_no_rule_of_axe(open_page: Opened, service: RunningService, axe: str, name: str) -> None:
    language = [*LANGUAGES][[*EVERY].index(name) % len(LANGUAGES)]
    requests = Requests()
    page = reached(
        open_page, service, EVERY[name], language, lambda page: settled(page, requests), watch=requests.watch
    )
    page.evaluate(UNFOLD)
    found = {}
    for theme, width in LOOKS:
        page.set_viewport_size({"width": width, "height": 740})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found[theme, width] = faults(page, axe)
    assert {look: rules for look, rules in found.items() if rules} == {}


def test_axe_finds_what_is_wrong(open_page: Opened, axe: str) -> None:
    page = open_page()
    page.evaluate("document.body.append(document.createElement('button'))")
    assert "button-name" in dict(faults(page, axe))
