"""The rules on one screen beside the table: from a button, and from every card and word, in the reader's language."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.seated import PHONE, sit_down
from tests.browser.states import golden, reached
from tests.support.server import RunningService

pytestmark = pytest.mark.long


def hold(page: Page, target: str) -> None:
    """Hold a finger on the upper left of something for longer than a tap."""
    box = page.locator(target).first.bounding_box()
    assert box
    session = page.context.new_cdp_session(page)
    touched = [{"x": box["x"] + 8, "y": box["y"] + 12}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touched})
    page.wait_for_timeout(700)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(
    ("language", "button", "term", "says"),
    [
        ("en", "Rules", "Oudlers", "the petit"),
        ("fr", "Règles", "Bouts", "le petit"),
        ("ja", "ルール", "ウドレー", "プティ"),
    ],
)
def test_it_is_read_without_leaving_the_table(
    open_page: Opened, service: RunningService, language: str, button: str, term: str, says: str
) -> None:
    page = reached(open_page, service, golden("french-tarot/4-poignee", 44), language)
    page.get_by_role("button", name=button).click()
    crib = page.get_by_role("dialog")
    entry = crib.locator("dl > div").filter(has=page.locator("dt", has_text=term))
    expect(entry.locator("dd")).to_contain_text(says)
    page.keyboard.press("Escape")
    expect(crib).to_have_count(0)
    expect(page.get_by_role("button", name=button)).to_be_focused()
    page.locator(".plaque").click()
    expect(crib.locator(".about dt").first).to_be_visible()


def test_a_card_that_is_held_or_right_clicked_is_explained_and_not_played(
    open_page: Opened, service: RunningService
) -> None:
    page = reached(
        open_page, service, golden("french-tarot/4-poignee", 44), viewport={"width": 390, "height": 844}, has_touch=True
    )
    before = page.locator(".game").get_attribute("data-version")
    hold(page, ".mine [data-pick]")
    crib = page.get_by_role("dialog")
    expect(crib.locator(".about dt").first).to_be_visible()
    expect(crib.locator("h2")).to_have_text(page.locator(".mine [data-pick]").first.get_attribute("aria-label") or "")
    crib.get_by_role("button", name="Close").click()
    page.locator(".mine [data-pick]").first.click(button="right", position={"x": 8, "y": 12}, force=True)
    expect(crib).to_be_visible()
    assert page.locator(".game").get_attribute("data-version") == before


def test_a_ruleset_of_a_package_without_a_crib_shows_its_rules(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plateau", 2, {}, **PHONE)
    page.route("**/v1/rulesets/plateau*", lambda route: route.fulfill(json={**route.fetch().json(), "crib": []}))
    page.reload()
    page.get_by_role("button", name="Rules").click()
    page.get_by_role("dialog").locator("summary").click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="1. Board and pieces")).to_be_visible()
