"""Every page in every language, colour and width by the rules of axe-core; what it leaves open is explained here."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from domain.registry import BUILT_IN
from tests.browser.conftest import Opened
from tests.browser.pages import LANGUAGES, create, tap_at_random
from tests.browser.seated import guest, remembered, sit_down
from tests.browser.states import STATES, State, Visit, golden, why_not
from tests.domain.laws.facts import short
from tests.support import node
from tests.support.server import RunningService

WIDTHS = (360, 768, 1280)
LOOKS = list(product(LANGUAGES, ("light", "dark"), WIDTHS))
GAMES = [ruleset.id for ruleset in BUILT_IN]
MORE = ["mine", "join", "learn", "replay", "embed"]
PAGES = ["home", "lobby", "new", "settings", "waiting", *GAMES, *MORE, "curtain"]
FULL = {"home", "le-plateau"}
"""The pages with the most on them."""
TAPS = 4

EXPLAINED = {
    "color-contrast": "axe cannot see what is behind a text on a card or a board; tests of the palette measure it",
    "th-has-data-cells": "players of a game without scores or hands have a name and nothing more",
}
"""The rules that axe leaves open, and why that is no fault."""

RUN = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const options = { runOnly: tags, resultTypes: ["violations", "incomplete"], elementRef: true };
  let found = null;
  let moved = true;
  const watching = new MutationObserver(() => { moved = true; });
  watching.observe(document.body, { subtree: true, childList: true });
  for (let runs = 0; moved && runs < 20; runs += 1) {
    moved = false;
    found = await axe.run(options);
  }
  watching.disconnect();
  if (moved) throw new Error("the page never stood still");
  const isPicture = (id, { element }) => id === "label-content-name-mismatch"
    && (element.matches(".card, .piece") || !/[\\p{L}\\p{N}]/u.test(element.textContent));
  const nodes = (rule) => rule.nodes.filter((node) => !isPicture(rule.id, node)).map((node) => node.html.slice(0, 160));
  const faults = (rules) => rules.map((rule) => [rule.id, nodes(rule)]).filter(([, nodes]) => nodes.length > 0);
  return { violations: faults(found.violations), open: faults(found.incomplete) };
}"""
"""The letters on a card or a piece are a part of its picture, so its name need not repeat them; nor signs such as ▶.

axe looks at a page piece by piece and finds its elements again by their places among their siblings. When a part of the
page arrives meanwhile, they are at other places, so only a run during which the page stood still counts.
"""

UNFOLD = "document.querySelectorAll('details:not(.agree details)').forEach((each) => { each.open = true; })"


@pytest.fixture(scope="module")
def axe() -> str:
    node.needed()
    return node.asset("axe-core/axe.min.js")


@pytest.fixture
def opened(open_page: Opened, service: RunningService) -> Callable[[str], Page]:
    """Open a page in the state in which people use it: a form unfolded, a game under way."""

    def page_of(name: str) -> Page:
        if name in GAMES:
            seats = min(next(ruleset.seats for ruleset in BUILT_IN if ruleset.id == name))
            page = sit_down(open_page, service, name, seats, short(name))
            tap_at_random(page, 1, most=TAPS)
            return page
        if name in MORE:
            return further(open_page, service, name)
        page = open_page("" if name in ("waiting", "curtain") else f"#/{name.replace('home', '')}")
        if name == "curtain":
            page.goto("/#/new/plateau")
            page.get_by_label("Where").select_option("here")
            page.get_by_role("button", name="Create the game").click()
            page.get_by_role("heading", name="Pass the device").wait_for()
        if name == "waiting":
            create(page, "plateau", "link")
            page.get_by_label("Link for seat 2").wait_for()
        return page

    return page_of


def further(open_page: Opened, service: RunningService, name: str) -> Page:
    """Open a page that needs a game which somebody has made."""
    if name == "learn":
        return open_page("#/learn/plateau")
    if name == "join":
        ada = open_page()
        create(ada, "plateau", "link")
        return open_page(f"#/join/{ada.get_by_label('Link for seat 2').input_value().rpartition('/')[2]}")
    page = sit_down(open_page, service, "plute", 6, {})
    game = page.url.rpartition("/")[2]
    page.goto({"mine": "/#/", "embed": f"/embed/{game}"}.get(name, f"/#/game/{game}?at=3"))
    page.get_by_role("heading").nth(1).wait_for()
    return page


def looks(page: Page, wanted: list[tuple[str, str, int]]) -> Iterator[tuple[str, str, int]]:
    """Show a page in one look after the other."""
    shown = ""
    for language, theme, width in wanted:
        page.set_viewport_size({"width": width, "height": 740})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        if language != shown:
            page.evaluate(
                "(wanted) => localStorage.setItem('plateau.settings', wanted)", f'{{"language": "{language}"}}'
            )
            page.reload()
            expect(page.locator("html")).to_have_attribute("lang", language)
            page.get_by_role("heading").first.wait_for()
            page.evaluate(UNFOLD)
            for verify in page.locator(".proof button").all()[:1]:
                verify.click()
                page.locator(".ticks").wait_for()
            shown = language
        yield language, theme, width


def faults(opened: Callable[[str], Page], axe: str, name: str, wanted: list[tuple[str, str, int]]) -> dict[Any, Any]:
    """Return what axe finds on a page, by look; a rule that it leaves open is a fault if nobody has explained it."""
    page = opened(name)
    found = {}
    for look in looks(page, wanted):
        page.evaluate(axe)
        result = page.evaluate(RUN)
        found[look] = result["violations"] + [rule for rule in result["open"] if rule[0] not in EXPLAINED]
    return {look: rules for look, rules in found.items() if rules}


@pytest.mark.parametrize(
    "name", [name if name in FULL else pytest.param(name, marks=pytest.mark.long) for name in PAGES]
)
def test_a_page_breaks_no_rule_of_axe(opened: Callable[[str], Page], axe: str, name: str) -> None:
    step = PAGES.index(name) * 7
    assert faults(opened, axe, name, [LOOKS[step % len(LOOKS)]]) == {}


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_no_look_of_a_page_breaks_a_rule_of_axe(opened: Callable[[str], Page], axe: str, name: str) -> None:
    assert faults(opened, axe, name, LOOKS) == {}


def analysed(page: Page) -> None:
    """Have the bot look at every decision of a game."""
    page.locator(".analysis button").click()
    page.locator(".analysis li").first.wait_for(timeout=60_000)
    page.locator(".analysis progress").wait_for(state="detached", timeout=60_000)


def hinted(page: Page) -> None:
    """Ask what a bot would have done."""
    page.locator(".hint button").click()
    page.locator(".hint .best").wait_for(timeout=30_000)


def another(service: RunningService) -> Visit:
    """Open the link that keeps the seats of another player."""
    with httpx.Client(base_url=service.url) as client:
        return Visit(f"/#/keep/{guest(client, 'Ada')['token']}", guest(client, "Ben"))


FURTHER: dict[str, State] = {
    **{name: state for name, state in STATES.items() if name.endswith(("-over", "-not", "-chosen", "-connection"))},
    "hint": golden("plute/hand-claimed-made", address="/#/game/{}?at=27&as=all", do=hinted),
    "analysis": golden("plute/hand-claimed-made", address="/#/game/{}?at=27&as=all", do=analysed),
    "keep": State(another),
    "french-tarot-refused": golden("french-tarot/3-petite", 13, why_not),
}


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", FURTHER)
def test_no_state_of_a_game_breaks_a_rule_of_axe(
    open_page: Opened, service: RunningService, axe: str, name: str, theme: str
) -> None:
    visit = FURTHER[name].prepare(service)
    kept = {"storage_state": remembered(service, visit.player)} if visit.player else {}
    look = {"color_scheme": theme, "reduced_motion": "reduce"}
    page = open_page(visit.address.removeprefix("/"), quiet=True, **look, **kept)
    page.locator("main .log h2, main .primary, main .past").first.wait_for(state="attached")
    FURTHER[name].do(page)
    page.evaluate(axe)
    result = page.evaluate(RUN)
    assert result["violations"] + [rule for rule in result["open"] if rule[0] not in EXPLAINED] == []


def test_axe_finds_what_is_wrong(open_page: Opened, axe: str) -> None:
    page = open_page()
    page.evaluate("document.body.append(document.createElement('button'))")
    page.evaluate(axe)
    assert "button-name" in dict(page.evaluate(RUN)["violations"])
