"""Coming back to a game: what happened since, and how a turn calls the player, in one tab."""

import re
import secrets
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel, tap_at_random
from tests.browser.seated import guests, show_game, sit_down
from tests.browser.states import GOLDEN, NAMES
from tests.browser.stored import stored
from tests.support.server import RunningService, wait_until

pytestmark = pytest.mark.long

LOOKING_AWAY = """async () => {
  const app = document.querySelector("script[type=module]").src;
  (await import(app.replace("app.js", "page.js"))).prefer({ notify: "page" });
  document.hasFocus = () => false;
  window.calls = [];
  window.notes = 0;
  window.OscillatorNode = class extends OscillatorNode {
    constructor(...given) { super(...given); window.notes += 1; }
  };
  window.Notification = class {
    static permission = "granted";
    constructor(title, { body }) { window.calls.push(`${title}: ${body}`); }
  };
}"""
CALL = """() => {
  const app = document.querySelector("script[type=module]").src;
  const message = { title: "Your turn", text: "Plute", address: "#/" };
  const calling = import(app.replace("app.js", "views/people.js")).then(({ call }) => call("gm_1 d_1", message));
  void calling.then(() => window.left = true);
}"""

DECIDED = "calls.length > 0 || window.left"


def looking_away(page: Page) -> Page:
    """Note what calls the player, who does not look at the page."""
    page.evaluate(LOOKING_AWAY)
    return page


def test_a_turn_calls_the_player_in_one_tab_and_sounds_once(open_page: Opened) -> None:
    one = open_page()
    other = one.context.new_page()
    other.goto(one.url)
    tabs = [looking_away(one), looking_away(other)]
    for tab in tabs:
        tab.mouse.click(1, 1)  # a browser lets no page sound before
        tab.evaluate(CALL)
    for tab in tabs:
        wait_until(partial(tab.evaluate, DECIDED), "the call to a turn")
    assert sorted(tab.evaluate("[calls, notes]") for tab in tabs) == [[[], 0], [["Your turn: Plute"], 2]]


def test_anyone_who_waits_in_one_game_is_led_to_the_next_in_which_it_is_their_turn(
    open_page: Opened, service: RunningService
) -> None:
    ada, ben = guests(service, "Ada", "Ben")
    ids = [secrets.token_hex(10) for _ in range(2)]
    waiting = stored(service, GOLDEN / "plateau/ends-unit.txt", f"gm_{ids[0]}", [ada["id"], ben["id"]], 4)
    me, other = (ada, ben) if waiting.waiting_for == (1,) else (ben, ada)
    seats = [me["id"], other["id"]] if waiting.waiting_for == (0,) else [other["id"], me["id"]]
    mine = stored(service, GOLDEN / "plateau/ends-unit.txt", f"gm_{ids[1]}", seats, 4)
    page = show_game(open_page, service, me, waiting.id)
    open_panel(page)
    page.get_by_role("link", name="Next game waiting for you").click()
    expect(page).to_have_url(re.compile(f"#/game/{mine.id}$"))
    expect(page.get_by_text("Your turn", exact=True)).to_be_visible()


def test_a_player_who_comes_back_reads_what_happened_since_their_last_move(
    open_page: Opened, service: RunningService
) -> None:
    page = looking_away(sit_down(open_page, service, "plute", 6, {}))
    turn = page.get_by_text("Your turn", exact=True)
    turn.wait_for()
    tap_at_random(page, 1, until=".whose:not(.turn)")
    wait_until(lambda: page.evaluate(DECIDED), "the call to a turn")
    turn.wait_for()
    page.reload()
    since = page.locator(".since")
    open_panel(page)
    since.locator("summary").click()
    expect(since.get_by_role("listitem").first).to_be_visible()
    since.get_by_role("button", name="Close").click()
    expect(since).to_be_hidden()


def test_after_much_has_happened_the_latest_is_shown_and_all_is_counted(
    open_page: Opened, service: RunningService
) -> None:
    players = guests(service, *NAMES[:5])
    ids = [player["id"] for player in players]
    game = stored(service, GOLDEN / "french-tarot/5-dead-dealer.txt", f"gm_{secrets.token_hex(10)}", ids)
    page = show_game(open_page, service, players[4], game.id)  # the dealer sits out
    page.get_by_role("button", name="See the table").click()
    since = page.locator(".since")
    open_panel(page)
    since.locator("summary").click()
    expect(since.locator("summary")).to_have_text(re.compile(r"While you were away: \d+ moves"))
    expect(since.get_by_role("listitem")).to_have_count(40)
    last = page.locator(".told li").last.inner_text()
    expect(since.get_by_role("listitem").last).to_have_text(last)
