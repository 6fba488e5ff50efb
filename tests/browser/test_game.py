"""The game page: whole games by taps alone, reasons, and steps back."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Opened
from tests.browser.pages import tap_at_random
from tests.browser.seated import bearer, show_game, sit_down
from tests.browser.states import golden
from tests.domain.laws.facts import CODES, short
from tests.support.sampling import TABLES
from tests.support.server import RunningService, wait_until

SOME_TAPS = 20
SETTLED_MS = 400
"""After so long, a click counts on what has come under the pointer, and on what has just been chosen."""
MOUSE = {"has_touch": False, "is_mobile": False}


@pytest.mark.long
@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_a_whole_game_is_played_by_random_taps_on_a_small_phone(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int
) -> None:
    page = sit_down(open_page, service, ruleset_id, seats, short(ruleset_id))
    played = tap_at_random(page, seats)
    assert (played["status"], played["covered"], played["width"]) == ("finished", [], 360)
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_the_first_tricks_are_played_by_random_taps_on_a_small_phone(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "le-plateau", 4, {})
    played = tap_at_random(page, 1, most=SOME_TAPS)
    assert (played["status"], played["covered"], played["width"]) == ("active", [], 360)
    assert int(page.locator(".game").get_attribute("data-version") or 0) > 6


@pytest.mark.long
def test_squares_are_chosen_taken_back_and_walked_along_by_the_keyboard(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "plateau", 2, {})
    stops = page.locator(".board [tabindex='0']")
    expect(stops).to_have_count(1)
    corner = page.locator('.board [data-pick="square:a4"]')
    corner.press("Enter")
    expect(corner).to_have_attribute("aria-pressed", "true")
    corner.press("Escape")
    expect(corner).to_have_attribute("aria-pressed", "false")
    corner.press("ArrowRight")
    expect(page.locator('.board [data-pick="square:b4"]')).to_be_focused()
    expect(stops).to_have_attribute("data-pick", "square:b4")


def test_a_card_that_cannot_be_played_says_why_and_shows_the_rule(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plute", 6, {})
    refused = '.mine:has(.lit):not(:has(.chosen)) [aria-disabled="true"]'
    tap_at_random(page, 1, until=refused)
    page.locator(refused).first.dispatch_event("click")
    why = page.get_by_role("alert")
    expect(why).to_contain_text("follow")
    why.get_by_text("The rules:").click()
    expect(why.locator("details p").first).to_be_visible()
    expect(why.locator("details p:not([lang=en])")).to_have_count(0)
    why.get_by_role("button", name="Close").click()
    expect(why).to_be_hidden()
    tried: list[Route] = []

    def hold(route: Route) -> None:
        tried.append(route)

    page.route("**/actions?*dry_run=true", hold)
    page.locator(refused).last.dispatch_event("click")
    wait_until(lambda: page.evaluate("true") and tried, "the question")
    page.locator(".mine .card.lit").first.dispatch_event("click")
    with page.expect_response("**/actions?*dry_run=true"):
        tried[0].continue_()
    expect(why).to_be_hidden()


def test_the_only_legal_card_is_played_by_a_click_on_it(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plute", 6, {}, **MOUSE)
    only = ".mine:not(:has(.lit)) .card.chosen"
    tap_at_random(page, 1, until=only)
    name = page.locator(only).get_attribute("data-pick")
    page.wait_for_timeout(SETTLED_MS)
    page.locator(only).click()
    expect(page.locator(f'.mine [data-pick="{name}"]')).to_have_count(0)


def test_the_second_click_of_a_double_click_plays_nothing(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plute", 6, {}, **MOUSE)
    tap_at_random(page, 1, until=".mine .card.lit")
    version = page.locator(".game").get_attribute("data-version") or ""
    card = page.locator(".mine .card.lit").first
    card.dispatch_event("click", {"detail": 2})
    card.dispatch_event("focus")
    expect(page.locator(".game:not([aria-busy])")).to_have_attribute("data-version", version)
    card.dispatch_event("click", {"detail": 1})
    expect(page.locator(".game")).not_to_have_attribute("data-version", version)


def test_a_space_of_the_board_plays_its_card_and_shows_what_the_trick_would_claim(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "le-plateau", 2, short("le-plateau"))
    tap_at_random(page, 1, until='.game:has([data-row="trick"]) .board [data-pick^="space:"].lit')
    space = page.locator('.board [data-pick^="space:"].lit').first
    code = (space.get_attribute("data-pick") or "").removeprefix("space:")
    space.dispatch_event("click")
    expect(page.locator(f'.mine [data-pick="card:{code}"]')).to_have_class(re.compile("chosen"))
    expect(page.locator(f'.board .shown[data-pick="space:{code}"]')).to_have_count(1)


def test_a_unit_that_is_touched_shows_where_it_can_go(open_page: Opened, service: RunningService) -> None:
    game = golden("plateau/ends-resign", 60).prepare(service)
    assert game.player
    page = show_game(open_page, service, game.player, game.address.rpartition("/")[2], **MOUSE)
    legal = page.request.get(
        f"/v1/games/{page.url.rpartition('/')[2]}/legal-actions", headers=bearer(game.player)
    ).json()
    goals: dict[str, set[str]] = {}
    for action in legal["actions"]:
        if action["type"] == "move":
            goals.setdefault(action["from"], set()).add(f"square:{action['to']}")
    assert len(goals) > 1
    for start, wanted in [*goals.items()][:3]:
        page.locator(f'.board [data-pick="square:{start}"]').hover()
        shown = page.locator(".board .shown")
        expect(shown).to_have_count(len(wanted))
        assert {*shown.evaluate_all("(all) => all.map((each) => each.dataset.pick)")} == wanted


def test_every_card_has_a_face_and_the_letters_that_were_chosen(open_page: Opened) -> None:
    faces, letters = open_page().evaluate(
        """async (codes) => {
          const from = (name) => import(document.querySelector("script[type=module]").src.replace("app.js", name));
          const [{ face }, { prefer }] = await Promise.all(["faces.js", "page.js"].map(from));
          const index = (code) => /"index[^"]*","children":"(.)"/.exec(JSON.stringify(face(code)))[1];
          const courts = (letters) => {
            prefer({ letters });
            return ["RDCV", "KQJ"].map((ranks) => [...ranks].map((rank) => index(`${rank}S`)).join(""));
          };
          return [codes.map((code) => JSON.stringify(face(code, ""))), ["RDCV", "KQNJ"].map(courts)];
        }""",
        CODES,
    )
    assert len(set(faces)) == len(CODES)
    assert [code for code, drawn in zip(CODES, faces, strict=True) if "plain" in drawn] == []
    assert letters == [["RDCV", "RDV"], ["KQNJ", "KQJ"]]
