"""Coming back to a game: what happened since, and how a turn calls the player, in one tab."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.seated import sit_down
from tests.servers import RunningService

pytestmark = pytest.mark.long

LOOKING_AWAY = """() => {
  document.hasFocus = () => false;
  window.calls = [];
  window.Notification = class {
    static permission = "granted";
    constructor(title, { body }) { window.calls.push(`${title}: ${body}`); }
  };
}"""
CALL = """() => {
  const app = document.querySelector("script[type=module]").src;
  const message = { title: "Your turn", text: "Plute", address: "#/" };
  const calling = import(app.replace("app.js", "views/beside.js")).then(({ call }) => call("gm_1 d_1", message));
  void calling.then(() => window.left = true);
}"""

DECIDED = """async () => {
  while (calls.length === 0 && !window.left) await new Promise((resolve) => setTimeout(resolve, 20));
}"""


def looking_away(page: Page) -> Page:
    """Note what calls the player, who does not look at the page."""
    page.evaluate(LOOKING_AWAY)
    return page


def test_a_turn_calls_the_player_in_one_tab(open_page: Opened) -> None:
    one = open_page()
    other = one.context.new_page()
    other.goto(one.url)
    tabs = [looking_away(one), looking_away(other)]
    for tab in tabs:
        tab.evaluate(CALL)
    for tab in tabs:
        tab.evaluate(DECIDED)
    assert sorted(tab.evaluate("calls") for tab in tabs) == [[], ["Your turn: Plute"]]


def test_a_player_who_comes_back_reads_what_happened_since_their_last_move(
    open_page: Opened, service: RunningService
) -> None:
    page = looking_away(sit_down(open_page, service, "plute", 6, {}))
    expect(page.get_by_text("Your turn", exact=True)).to_be_visible()
    page.locator(".choices .buttons button, .mine .lit").last.click()
    page.locator(".deciding .primary").click()
    page.evaluate(DECIDED)
    page.reload()
    since = page.locator(".since")
    since.locator("summary").click()
    expect(since.get_by_role("listitem").first).to_be_visible()
    since.get_by_role("button", name="Close").click()
    expect(since).to_be_hidden()
