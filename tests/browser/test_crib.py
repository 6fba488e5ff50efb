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


def test_the_click_that_ends_a_held_press_plays_nothing(open_page: Opened, service: RunningService) -> None:
    page = reached(open_page, service, golden("french-tarot/4-poignee", 44))
    card = page.locator(".mine [data-pick]").first
    card.evaluate(
        "(card) => card.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, pointerType: 'touch'}))"
    )
    expect(page.locator(".crib .about dt").first).to_be_visible()
    click = "(card) => card.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, detail: 1}))"
    assert not card.evaluate(click)


def test_a_word_of_the_crib_is_the_beginning_of_one_at_the_table(open_page: Opened, service: RunningService) -> None:
    page = reached(open_page, service, golden("french-tarot/4-poignee", 44))
    crib = [{"term": word, "says": "", "words": [word], "things": ""} for word in ("Point", "oint", "points.")]
    page.route("**/v1/rulesets/french-tarot*", lambda route: route.fulfill(json={**route.fetch().json(), "crib": crib}))
    page.reload()
    page.locator(".plaque").click()
    expect(page.locator(".crib .about dt")).to_have_text(["Point"])


def test_text_that_is_selected_keeps_the_menu_of_the_browser(open_page: Opened, service: RunningService) -> None:
    page = reached(open_page, service, golden("french-tarot/4-poignee", 44))
    menu = """(title) => title.dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true}))"""
    title = page.locator(".bar h1")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.bar h1'))")
    assert title.evaluate(menu)
    page.evaluate("getSelection().empty()")
    assert not title.evaluate(menu)


def test_a_ruleset_of_a_package_without_a_crib_shows_its_rules(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plateau", 2, {}, **PHONE)
    ruleset = page.request.get("/v1/rulesets/plateau").json()
    own = {"crib": [], "rules": ruleset["rules"] + "\n```\n#1  #2\n\n#3\n```\n#4 is no heading.\n"}
    page.route("**/v1/rulesets/plateau*", lambda route: route.fulfill(json={**ruleset, **own}))
    page.reload()
    page.get_by_role("button", name="Rules").click()
    page.get_by_role("dialog").locator("summary").click()
    expect(page.get_by_role("dialog").locator("pre").last).to_have_text("#1  #2\n\n#3\n", use_inner_text=True)
    expect(page.get_by_role("dialog").locator("p").last).to_have_text("#4 is no heading.")
    expect(page.get_by_role("dialog").get_by_role("heading", name="1. Board and pieces")).to_be_visible()
