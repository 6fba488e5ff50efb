"""Small screens, large letters, forced colours: everything is still there, and nothing is cut off."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.browser.pages import tap_at_random
from tests.browser.seated import sit_down
from tests.domain.laws.facts import short
from tests.support.sampling import SMALLEST
from tests.support.server import RunningService

pytestmark = pytest.mark.long

PAGES = ["", "#/lobby", "#/new/french-tarot", "#/settings"]

NARROW = {"viewport": {"width": 320, "height": 256}}
"""What a screen of 1280 by 1024 pixels shows at 400 %."""

LONGER = """() => {
  const texts = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("svg, select")) continue;
    text.data = text.data.replace(/\\p{L}+/gu, (word) => word + "m".repeat(word.length * 0.4));
  }
}"""
"""Words that are 40 % longer, as other languages have them."""

OUTSIDE = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (each) =>
    each && (/auto|scroll/.test(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
  const wide = [...document.querySelectorAll("#app :is(button, a, input, select, h1, h2, h3, p, th, td, legend)")]
    .filter((each) => !each.closest(".hearsay, .skip, svg, .game:not(.opened) > .beside"))
    .filter((each) => each.checkVisibility() && !scrolls(each.parentElement))
    .filter((each) => each.getBoundingClientRect().right > width + 1 || each.getBoundingClientRect().left < -1);
  return [document.documentElement.scrollWidth > width, wide.map((each) => each.outerHTML.slice(0, 120))];
}"""


def outside(page: Page) -> list[object]:
    """Return whether the page scrolls sideways, and what sticks out of it."""
    found: list[object] = page.evaluate(OUTSIDE)
    return found


def test_pages_fit_at_400_percent_with_longer_words(open_page: Opened) -> None:
    page = open_page(**NARROW)
    for fragment in PAGES:
        page.goto(f"/{fragment}")
        page.reload()
        page.get_by_role("heading").first.wait_for()
        assert (fragment, outside(page)) == (fragment, [False, []])
        page.evaluate(LONGER)
        assert (fragment, outside(page)) == (fragment, [False, []])


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_games_fit_at_400_percent_with_longer_words(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int
) -> None:
    page = sit_down(open_page, service, ruleset_id, seats, short(ruleset_id), **NARROW)
    tap_at_random(page, 1, most=3)
    page.evaluate(LONGER)
    assert outside(page) == [False, []]


MARKS = """(selector) => {
  const found = document.querySelector(selector);
  if (!found) return null;
  const shape = found.querySelector(":scope > :is(path, rect)") ?? found;
  const { outlineStyle, outlineWidth, outlineColor, borderWidth, borderColor, borderStyle } = getComputedStyle(found);
  const { stroke, strokeWidth } = getComputedStyle(shape);
  const outline = outlineStyle === "none" ? "" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
  return [outline, `${borderStyle} ${borderWidth} ${borderColor}`, found === shape ? "" : `${stroke} ${strokeWidth}`];
}"""
"""The lines by which one sees how something stands; colours of the ground are the reader's."""

SLOW = """() => [...document.querySelectorAll("*")].filter((each) => {
  const { transitionDuration, animationDuration } = getComputedStyle(each);
  return `${transitionDuration}, ${animationDuration}`.split(", ").some((time) => parseFloat(time) > .01);
}).map((each) => each.outerHTML.slice(0, 120))"""
FORCED = {"forced_colors": "active", "reduced_motion": "reduce"}


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "things", "refused"),
    [
        ("plute", 6, ".mine .card", '[aria-disabled="true"]'),
        ("plateau", 2, ".mine .piece", ""),
        ("plateau", 2, ".board [data-pick]", ":not(.lit, .chosen)"),
    ],
)
def test_with_forced_colours_one_sees_what_can_be_and_what_is_chosen(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int, things: str, refused: str
) -> None:
    page = sit_down(open_page, service, ruleset_id, seats, {}, **FORCED)
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    lit, others = f"{things}.lit:not(.chosen)", f"{things}{refused}"
    played = tap_at_random(page, 1, until=f".game:has({lit}):has({others}):not(:has(.chosen))")
    seen = [page.evaluate(MARKS, lit)]
    if refused:
        seen.append(page.evaluate(MARKS, others))
    page.locator(lit).first.dispatch_event("click")
    page.locator(f"{things}.chosen").first.wait_for()
    seen.append(page.evaluate(MARKS, f"{things}.chosen"))
    assert None not in seen
    assert len({tuple(each) for each in seen}) == len(seen)
    assert played["covered"] == []
    assert page.evaluate(SLOW) == []
