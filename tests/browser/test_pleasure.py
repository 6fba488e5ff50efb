"""What makes a game a pleasure: the score sheet, moves one by one, forced moves, the order of a hand."""

import json
from itertools import pairwise

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel, tap_at_random
from tests.browser.seated import BOT, bearer, created, guest, guests, remembered, show_game, sit_down
from tests.browser.states import golden, reached
from tests.domain.laws.facts import short
from tests.support.server import RunningService, wait_until

PACE_MS = 300
MY_TURN = ".whose.turn"
"""What says so; on a phone, buttons can take its place, and it is only read out."""
RECORD = """() => {
  window.shown = [];
  const game = document.querySelector(".game");
  new MutationObserver(() => shown.push([Number(game.dataset.version), performance.now()]))
    .observe(game, { attributes: true, attributeFilter: ["data-version"] });
}"""


@pytest.mark.long
def test_the_score_sheet_opens_when_a_hand_ends_and_a_line_unfolds_its_steps(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "french-tarot", 4, short("french-tarot"))
    assert tap_at_random(page, 4)["status"] == "finished"
    page.get_by_role("button", name="See the table").click()
    open_panel(page)
    sheet = page.locator(".sheet")
    expect(sheet).to_have_attribute("open", "")
    line = sheet.get_by_role("button").first
    expect(line).to_have_attribute("aria-expanded", "false")
    line.click()
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(sheet.get_by_text("Each defender pays the attack")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def hand(page: Page) -> list[str]:
    codes: list[str] = page.locator("[data-row='hand:0'] [data-pick]").evaluate_all(
        "cards => cards.map((card) => card.dataset.pick.slice(5))"
    )
    return codes


def test_the_order_of_a_hand_is_chosen_and_remembered(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "french-tarot", 3, {})
    open_panel(page)
    by_suit = hand(page)
    trumps = [code for code in by_suit if code[0] == "T" or code == "EX"]
    assert by_suit[-len(trumps) :] == trumps
    page.get_by_role("button", name="Order: by suit").click()
    expect(page.get_by_role("button", name="Order: trumps first")).to_be_visible()
    assert hand(page)[: len(trumps)] == trumps
    page.reload()
    open_panel(page)
    assert hand(page)[: len(trumps)] == trumps


@pytest.mark.long
def test_the_hand_can_be_read_before_the_table_and_the_page_looks_the_same(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "le-plateau", 3, {})
    parts = "[...document.querySelectorAll('.felt, .hands')].map((each) => [each.className, each.offsetTop])"
    usual = page.evaluate(parts)
    assert [name for name, _ in usual] == ["felt", "hands"]
    page.goto(page.url.partition("#")[0] + "#/settings")
    page.get_by_label("Screen readers start with").select_option("hand")
    page.go_back()
    page.locator(MY_TURN).wait_for(state="attached")
    assert page.evaluate(parts) == usual[::-1]


@pytest.mark.long
def test_moves_of_others_are_shown_one_by_one(open_page: Opened, service: RunningService) -> None:
    with httpx.Client(base_url=service.url) as client:
        me = guest(client, "Ada")
        page, game = paced(open_page, service, me, PACE_MS)
        page.locator(MY_TURN).wait_for(state="attached")
        page.evaluate(RECORD)
        moves: dict[int, int] = {}
        while sum(seat != 0 for seat in moves.values()) < 3:
            tap_at_random(page, len(moves), until=".whose:not(.turn)")
            page.locator(MY_TURN).wait_for(state="attached", timeout=20_000)
            shown = page.evaluate("shown")
            moves = moves_within(client, me, game, shown[0][0], shown[-1][0])
    assert {version - 1 for version in moves} <= {version for version, _ in shown}, "no move is skipped"
    stays = {
        version: later - sooner
        for (version, sooner), (_, later) in pairwise(shown)
        if moves.get(version + 1) != 0  # one's own is shown at once
    }
    assert min(stays.values()) >= PACE_MS / 2, "a busy machine shows the one before late, but not so late"


BETWEEN = """async (events) => {
  const app = document.querySelector("script[type=module]").src;
  return (await import(app.replace("app.js", "table.js"))).between(events, null);
}"""


@pytest.mark.long
def test_the_end_of_a_hand_stays_no_matter_who_ended_it(open_page: Opened) -> None:
    events: list[dict[str, object]] = [
        {"version": 10, "seat": 0, "sealed": {}},
        {"version": 11, "seat": None, "sealed": {}},
        {"version": 12, "seat": None, "sealed": {"hands": "…"}},
        {"version": 13, "seat": 3, "sealed": {}},
    ]
    found = open_page().evaluate(BETWEEN, events)
    assert found["stops"] == [
        {"version": 9, "by": None, "stays": 1},
        {"version": 11, "by": 0, "stays": 3},
        {"version": 12, "by": None, "stays": 1},  # as of another player, it waits for the one before
    ]


def moves_within(client: httpx.Client, me: dict[str, str], game: str, first: int, last: int) -> dict[int, int]:
    """Return who made each move after the version that was shown first, up to the last one."""
    log = client.get(f"/v1/games/{game}/events", headers=bearer(me), params={"limit": 200}).json()["events"]
    moves = {each["version"]: each["seat"] for each in log if each["seat"] is not None}
    return {version: seat for version, seat in moves.items() if first < version <= last}


ANSWERS = """() => {
  window.answers = [];
  const wait = window.setTimeout;
  window.setTimeout = (then, ms) => wait(then, ms === 400 ? 4000 : ms);
  const whole = window.fetch;
  window.fetch = async (url, options) => {
    const answer = await whole(url, options);
    if (/actions.*with=scene/.test(url)) answers.push([(await answer.clone().json()).version, performance.now()]);
    return answer;
  };
}"""


def test_ones_own_move_is_shown_at_once_however_soon_it_follows_on_another(
    open_page: Opened, service: RunningService
) -> None:
    page, _ = paced(open_page, service, *guests(service, "Ada"), 4000)
    page.locator(MY_TURN).wait_for(state="attached")
    page.evaluate(RECORD)
    page.evaluate(ANSWERS)
    tap_at_random(page, 1, most=1)
    is_shown = "answers.length > 0 && shown.some(([version]) => version === answers[0][0])"
    wait_until(lambda: page.evaluate(is_shown), "my move")
    [(version, answered)] = page.evaluate("answers")
    assert dict(page.evaluate("shown"))[version] - answered < 1000
    expect(page.locator(".progress")).to_be_empty()
    expect(page.locator(".since")).to_have_count(0)


def paced(open_page: Opened, service: RunningService, me: dict[str, str], pace: int) -> tuple[Page, str]:
    """Open a game with five bots, whose moves stay so long; return its page and its id."""
    game = created(service, me, "plute", *[BOT] * 5)["id"]
    kept = remembered(service, me)
    settings = {"name": "plateau.settings", "value": json.dumps({"pace": pace, "confirm": "no"})}
    kept["origins"][0]["localStorage"].append(settings)
    return show_game(open_page, service, me, game, storage_state=kept), game


@pytest.mark.long
def test_the_switch_does_not_lose_what_another_device_has_planned(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plute", 6, {})
    tags = []

    def sent(route: Route) -> None:
        """Let the first attempt find another plan than the one that was read."""
        if route.request.method == "PUT":
            tags.append(route.request.headers["if-match"])
        stale = {"if-match": '"another"'} if len(tags) == 1 and route.request.method == "PUT" else {}
        route.continue_(headers=route.request.headers | stale)

    page.route("**/plan", sent)
    with page.expect_response(lambda each: each.request.method == "PUT" and each.status == 412):
        open_panel(page)
        page.get_by_label("Auto-play").check()
    page.wait_for_event("response", lambda each: each.request.method == "PUT" and each.ok)
    assert len({*tags}) == 1


@pytest.mark.parametrize("forced", [pytest.param(True, marks=pytest.mark.long), False])
def test_a_switch_lets_the_service_play_forced_moves(
    open_page: Opened, service: RunningService, *, forced: bool
) -> None:
    page = sit_down(open_page, service, "plute", 6, {})
    open_panel(page)
    switch = page.get_by_label("Auto-play")
    with page.expect_response(lambda each: each.request.method == "PUT" and each.url.endswith("/plan")) as answer:
        switch.check()
    assert answer.value.json()["forced"]
    if not forced:
        with page.expect_response(lambda each: each.request.method == "PUT" and each.url.endswith("/plan")) as answer:
            switch.uncheck()
        assert not answer.value.json()["forced"]
    page.reload()
    expect(switch).to_be_checked(checked=forced)


def test_a_bid_that_is_too_low_is_greyed_and_says_why(open_page: Opened, service: RunningService) -> None:
    page = reached(open_page, service, golden("french-tarot/4-garde", 11))
    low = page.locator(".panel").get_by_role("button", name="Petite", exact=False)
    expect(low).to_have_attribute("aria-disabled", "true")
    before = page.locator(".game").get_attribute("data-version")
    low.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("Petite is too low")
    assert page.locator(".game").get_attribute("data-version") == before
