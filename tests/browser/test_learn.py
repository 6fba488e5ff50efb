"""Tutorials in the browser: the learner makes the moves by taps, and a hint follows another move."""

import re

import pytest
from playwright.sync_api import Page, expect

from domain.registry import BUILT_IN
from tests.browser.conftest import Opened

pytestmark = pytest.mark.long


def place(page: Page) -> int:
    """Return the number of the step."""
    found = re.search(r"\d+", page.locator(".lesson-place").inner_text())
    assert found
    return int(found[0])


def test_a_learner_makes_the_moves_of_a_lesson_and_is_helped(open_page: Opened) -> None:
    page = open_page()
    page.get_by_role("link", name="Learn Le Plateau").click()
    expect(page.get_by_text("Step 1 of 10")).to_be_visible()
    assert page.title() == "Learn Le Plateau · Plateau"
    page.get_by_role("button", name="Do it for me").click()
    for card in ("10 of spades", "jack of spades", "10 of hearts"):
        page.locator(".mine").get_by_role("button", name=card).last.click()
    expect(page.get_by_text("Step 3 of 10")).to_be_visible()
    page.get_by_role("button", name="Keep the objective").click()
    page.get_by_role("button", name="trump 3", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("goes on with another move: Play the Excuse")
    page.locator(".mine").get_by_role("button", name=re.compile("excuse", re.IGNORECASE)).click()
    expect(page.get_by_text("Step 5 of 10")).to_be_visible()
    expect(page.locator(".log")).to_contain_text("Ben passes.")


@pytest.mark.parametrize("ruleset", [each.id for each in BUILT_IN])
def test_every_lesson_can_be_shown_to_its_end_on_a_small_phone(open_page: Opened, ruleset: str) -> None:
    page = open_page(f"#/learn/{ruleset}", has_touch=True, is_mobile=True, reduced_motion="reduce")
    while (show := page.get_by_role("button", name="Do it for me")).or_(page.get_by_role("link", name="Play it now")):
        page.locator(".lesson").wait_for()
        if not show.count():
            break
        before = place(page)
        assert page.locator(".lit, .choices button").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        show.click()
        expect(page.get_by_text(f"Step {before + 1} of")).to_be_visible()
    page.get_by_role("link", name="Play it now").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
