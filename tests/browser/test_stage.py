"""The table as a stage: everything is in sight on every screen, nothing jumps, and no click counts by accident."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel, tap_at_random
from tests.browser.seated import BOT, created, guests, remembered, show_game, sit_down, two_at_a_table
from tests.browser.states import STATES, State, golden, reached
from tests.support.sampling import LARGEST
from tests.support.server import RunningService

SCREENS = [(360, 640), (390, 844), (844, 390), (1024, 768), (1280, 720), (1440, 900), (2560, 1440)]
MOUSE = {"has_touch": False, "is_mobile": False}
DESK = {**MOUSE, "viewport": {"width": 1280, "height": 720}}

OUT_OF_SIGHT = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const out = ({ left, top, right, bottom }) =>
    Math.min(left, top) < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  const corners = [...document.querySelectorAll(".mine .card")].filter((card) => {
    const { x, y, width } = card.getBoundingClientRect();
    return !card.contains(document.elementFromPoint(x + width * 0.15, y + width * 0.2));
  });
  const others = [...document.querySelectorAll(".seat:not(.viewer) .portrait, .whose, .board svg, .hands button")];
  return [
    scrollWidth > innerWidth, scrollHeight > innerHeight,
    corners.map((card) => card.dataset.pick),
    others.filter((each) => out(each.getBoundingClientRect())).map((each) => each.outerHTML.slice(0, 80)),
  ];
}"""
"""Whether the page scrolls, which corners of cards are covered, and what is not within the screen."""


@pytest.mark.parametrize(("ruleset_id", "seats"), [*LARGEST, ("french-tarot", 3), ("le-plateau", 2), ("le-plateau", 4)])
def test_a_table_is_in_sight_on_every_screen_without_scrolling(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int
) -> None:
    page = sit_down(open_page, service, ruleset_id, seats, {})
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert ((width, height), page.evaluate(OUT_OF_SIGHT)) == ((width, height), [False, False, [], []])


def test_the_hand_stays_where_it_is_whatever_is_chosen(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plute", 6, {})
    tap_at_random(page, 1, until='.game:has([data-row="trick"]) .mine .card.lit')
    top = "document.querySelector('.hands').offsetTop"
    before = page.evaluate(top)
    page.locator(".mine .card.lit").first.dispatch_event("click")
    expect(page.locator(".mine .card.chosen")).to_have_count(1)
    assert page.evaluate(top) == before
    page.locator(".deciding .primary").click()
    expect(page.locator(".mine .card.chosen")).to_have_count(0)
    assert page.evaluate(top) == before


def test_a_click_on_what_has_just_come_under_the_pointer_does_nothing(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "plute", 6, {}, **DESK, reduced_motion="no-preference")
    tap_at_random(page, 1, until=".mine:has(.card:not(.lit)) .card.lit ~ *, .mine .card.lit")
    held = page.locator(".mine .card")
    before = held.count()
    x, y = page.locator(".mine .card.lit").first.evaluate(
        "(card) => { const { x, y } = card.getBoundingClientRect(); return [x + 12, y + 30]; }"
    )
    page.mouse.click(x, y)
    expect(held).to_have_count(before - 1)
    page.mouse.click(x, y)
    page.wait_for_timeout(300)
    assert held.count() == before - 1


def test_what_costs_dearly_asks_before_it_is_sent(open_page: Opened, service: RunningService) -> None:
    state = STATES["french-tarot-bid"]
    page = reached(open_page, service, state, viewport={"width": 1280, "height": 720})
    version = page.locator(".game").get_attribute("data-version") or ""
    page.get_by_role("button", name="garde contre").click()
    ask = page.locator(".deciding .primary")
    expect(ask).to_contain_text("Garde contre")
    expect(page.locator(".game")).to_have_attribute("data-version", version)
    expect(page.locator(":is(.felt, .dock) :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(ask).to_have_count(0)
    page.get_by_role("button", name="garde contre").click()
    ask.click()
    expect(page.locator(".game")).not_to_have_attribute("data-version", version)


def test_cards_that_lay_in_the_chien_are_only_a_picture(open_page: Opened, service: RunningService) -> None:
    page = reached(open_page, service, golden("french-tarot/3-petite", 13))
    expect(page.locator('[data-row="chien"] .card')).to_have_count(6)
    expect(page.locator('[data-row="chien"] :is(button, .lit)')).to_have_count(0)


def test_of_equal_pieces_as_many_are_chosen_as_the_player_has_chosen(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "plateau", 2, {})
    equal = '.mine [data-pick="piece:M"]'
    assert page.locator(equal).count() > 1
    page.locator('.board [data-pick="square:a4"]').dispatch_event("click")
    page.locator(equal).first.dispatch_event("click")
    expect(page.locator(f"{equal}.chosen")).to_have_count(1)


def test_objectives_are_in_the_order_in_which_they_are_taught_with_what_they_add(
    open_page: Opened, service: RunningService
) -> None:
    page = reached(open_page, service, golden("le-plateau/4-deck-full", 7))
    tiles = page.locator(".panel fieldset").first.locator("button")
    expect(tiles).to_have_text(
        [re.compile(each) for each in ("bridge", r"Y\+2", r"fork\+4", r"Five.*\+6", r"Six.*\+8")]
    )
    expect(tiles.locator("svg")).to_have_count(5)
    tiles.nth(2).click()
    expect(tiles.nth(2)).to_have_attribute("aria-pressed", "true")
    tiles.nth(3).click()
    expect(page.locator(".panel [aria-pressed=true]")).to_have_text([re.compile("Five")])
    page.locator(".panel").get_by_role("button", name="Pass").click()
    expect(page.locator(".panel")).to_have_count(0)


@pytest.mark.parametrize("screen", [(390, 844), (1280, 720)])
def test_what_a_friend_proposes_and_says_is_in_sight(
    open_page: Opened, service: RunningService, screen: tuple[int, int]
) -> None:
    ada, ben = guests(service, "Ada", "Ben")
    game = two_at_a_table(service, ada, ben, "plateau")
    look = {**MOUSE, "viewport": {"width": screen[0], "height": screen[1]}}
    one, other = (show_game(open_page, service, each, game, **look) for each in (ada, ben))
    open_panel(one)
    one.get_by_text("Pause, undo, leave").click()
    one.get_by_role("button", name="Pause", exact=True).click()
    expect(other.locator(".proposal")).to_be_in_viewport(ratio=1)
    other.get_by_role("button", name="Agree", exact=True).click()
    expect(other.locator(".acts").get_by_role("button", name="Resume")).to_be_in_viewport(ratio=1)
    open_panel(one)
    one.get_by_text("Chat", exact=True).click()
    one.get_by_role("button", name="Hello!").click()
    bubble = other.locator(".bubble")
    expect(bubble).to_be_in_viewport(ratio=1)
    assert bubble.evaluate("(each) => each.offsetWidth") > 30


def paced(open_page: Opened, service: RunningService, ruleset: str, bots: int, **browser: Any) -> Page:
    """Open a game against bots whose moves are shown one by one, but quickly."""
    (me,) = guests(service, "Ada")
    game = created(service, me, ruleset, *[BOT] * bots)["id"]
    kept = remembered(service, me)
    settings = {"name": "plateau.settings", "value": json.dumps({"pace": 5, "confirm": "no"})}
    kept["origins"][0]["localStorage"].append(settings)
    return show_game(open_page, service, me, game, storage_state=kept, **browser)


def test_the_end_of_a_hand_waits_says_who_won_and_the_log_is_not_ahead_of_it(
    open_page: Opened, service: RunningService
) -> None:
    page = paced(open_page, service, "french-tarot", 2)
    tap_at_random(page, 3, until=".ending")
    ending = page.get_by_role("dialog")
    expect(ending).to_be_focused()
    expect(ending.get_by_role("heading")).to_have_text(re.compile("wins?!$|^Nobody wins$"))
    expect(ending.locator(".results li")).to_have_count(3)
    expect(page.locator(".log")).not_to_contain_text("Deal 2")
    assert page.evaluate("document.querySelector('.ending .deciding').getBoundingClientRect().bottom <= innerHeight")
    ending.get_by_role("button", name="See the table").click()
    expect(ending).to_have_count(0)
    page.locator(".acts").get_by_role("button", name="Result").click()
    # By a key: a click so soon, where the other button was, does not count.
    ending.get_by_role("button", name="Next deal").press("Enter")
    expect(ending).to_have_count(0)
    expect(page.locator(".log")).to_contain_text("Deal 2")
    expect(page.locator(".sheet")).to_have_attribute("open", "")


def test_the_end_of_a_game_says_who_won_and_what_to_do_next(open_page: Opened, service: RunningService) -> None:
    page = reached(
        open_page, service, State(STATES["french-tarot-over"].prepare), viewport={"width": 390, "height": 844}
    )
    ending = page.get_by_role("dialog")
    expect(ending.get_by_role("heading")).to_have_text(re.compile("^You, .?Ben.? and .?Dan.? win!$"))
    expect(ending.get_by_role("button", name="Play again")).to_be_in_viewport(ratio=1)
    expect(ending.get_by_role("link", name="Look back at your moves")).to_be_visible()
    page.keyboard.press("Escape")
    expect(ending).to_have_count(0)


SOUNDS = """async () => {
  const from = (name) => import(document.querySelector("script[type=module]").src.replace("app.js", name));
  const [{ play }, { prefer }] = await Promise.all(["sound.js", "page.js"].map(from));
  let begun = 0;
  for (const { prototype } of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
    const { start } = prototype;
    prototype.start = function (...when) { begun += 1; start.apply(this, when); };
  }
  const counts = ["card", "trick", "turn", "win", "loss"].map((sound) => {
    begun = 0;
    play(sound);
    return begun;
  });
  prefer({ sound: false });
  begun = 0;
  play("win");
  return [counts, begun];
}"""


def test_there_are_five_sounds_and_one_switch(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plute", 6, {})
    switch = page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    assert page.evaluate(SOUNDS) == [[1, 3, 2, 4, 3], 0]
    expect(switch).to_have_attribute("aria-pressed", "false")
