"""Looking back: any version as any viewer knew it, by move and by deal, and the game verified in the browser."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from domain.log import chain
from tests.browser.conftest import Opened
from tests.browser.pages import look_back, open_panel, played_by_one
from tests.browser.seated import guests
from tests.browser.states import GOLDEN
from tests.browser.stored import stored
from tests.support.server import RunningService


@pytest.fixture(scope="module")
def finished(service: RunningService) -> tuple[dict[str, Any], dict[str, Any]]:
    """A player, and a game of theirs that has ended, under the id of which its log is a proof."""
    me, *others = guests(service, "Ada", "Ben", "Cleo")
    game = stored(
        service, GOLDEN / "french-tarot/3-petite.txt", "gm_french-tarot_3_2", [each["id"] for each in (me, *others)]
    )
    return me, {"id": game.id, "version": game.version}


def test_a_finished_game_is_stepped_through_without_betraying_its_length(
    open_page: Opened, service: RunningService, finished: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    me, game = finished
    page = look_back(open_page, service, me, f"#/game/{game['id']}?at=1")
    page.keyboard.press("Escape")
    table = page.locator(".past")
    expect(table).to_have_attribute("data-version", "1")
    expect(page.get_by_role("slider")).to_have_count(0)
    assert str(game["version"]) not in page.get_by_role("group", name="Steps").inner_text()
    page.get_by_role("button", name="Next deal").click()
    expect(table.locator('[data-row="hand:0"] .card')).to_have_count(24)
    dealt = int(table.get_attribute("data-version") or 0)
    page.get_by_role("button", name="One move on").press("ArrowRight")
    expect(table).not_to_have_attribute("data-version", str(dealt))
    page.get_by_role("button", name="Show the timeline").click()
    page.get_by_role("button", name="To the end").click()
    expect(table).to_have_attribute("data-version", str(game["version"]))
    expect(page).to_have_url(re.compile(rf"#/game/{game['id']}\?at={game['version']}$"))
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(table).to_have_attribute("data-version", str(game["version"]))
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_attribute("aria-pressed", "false")
    begin = page.get_by_role("button", name="To the beginning")
    begin.press("Enter")
    expect(table).to_have_attribute("data-version", "1")
    expect(begin).to_have_attribute("aria-disabled", "true")
    expect(begin).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(table).not_to_have_attribute("data-version", "1")
    page.get_by_role("slider").press("Home")
    expect(table).to_have_attribute("data-version", "1")
    open_panel(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as one file").click()
    assert saved.value.suggested_filename == f"french-tarot-{game['id']}.html"


@pytest.mark.long
@pytest.mark.parametrize(("locale", "letters"), [("en-GB", "KQNJ"), ("fr-FR", "RDCV")])
def test_the_board_has_the_letters_of_the_language_or_of_the_reader(
    open_page: Opened, service: RunningService, locale: str, letters: str
) -> None:
    me, game = played_by_one(service, "le-plateau", 3, 0)
    page = look_back(open_page, service, me, f"#/game/{game['id']}?at=1", locale=locale)
    page.goto(page.url.replace("at=1", f"at={game['version']}"))
    for chosen, wanted in (("", letters), ("KQNJ", "KQNJ"), ("RDCV", "RDCV")):
        page.evaluate("(letters) => localStorage.setItem('plateau.settings', JSON.stringify({ letters }))", chosen)
        page.reload()
        courts = page.locator(".board [data-court]")
        courts.first.wait_for()
        assert {*courts.all_text_contents()} == {*wanted}


def test_after_the_end_anyone_can_look_through_every_seat(
    open_page: Opened, service: RunningService, finished: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    _, game = finished
    (stranger,) = guests(service, "Eve")
    events = httpx.get(f"{service.url}/v1/games/{game['id']}/events?limit=1000").json()["events"]
    dealt = next(event["version"] for event in events if event["type"] == "cards_dealt")
    page = look_back(open_page, service, stranger, f"#/game/{game['id']}?at={dealt}")
    hand = page.locator('[data-row="hand:1"] .card:not(.down)')
    expect(hand).to_have_count(0)
    page.route("**/export?*", lambda route: route.abort("internetdisconnected"), times=1)
    page.evaluate("() => { history.replaceState = () => { throw new DOMException('often', 'SecurityError'); }; }")
    open_panel(page)
    page.get_by_label("View").select_option("1")
    expect(page.get_by_role("alert")).to_contain_text("No connection right now")
    expect(hand).to_have_count(24)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_label("View").locator(":checked")).to_have_text("the cards of Ben")
    expect(page.locator(".seats")).not_to_contain_text("(you)")
    page.get_by_label("View").select_option("all")
    expect(page.locator(".card.down")).to_have_count(0)


def test_a_game_verifies_in_the_browser_and_a_change_is_found(
    open_page: Opened, service: RunningService, finished: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    me, game = finished
    page = look_back(open_page, service, me, f"#/game/{game['id']}?at=1")
    open_panel(page)
    page.get_by_role("button", name="Check this game in my browser").click()
    expect(page.locator(".ticks li")).to_have_count(3)
    expect(page.locator(".ticks")).to_contain_text(f"Nothing is missing: all {game['version']} events are there")
    expect(page.locator(".unchecked")).to_have_count(0)
    page.get_by_role("button", name="Try to cheat").click()
    expect(page.locator(".proof .trouble")).to_contain_text("does not match its seal")


@pytest.mark.long
def test_what_could_not_be_verified_is_said_below_what_was(
    open_page: Opened, service: RunningService, finished: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    me, game = finished
    audit = httpx.get(f"{service.url}/v1/games/{game['id']}/export?format=audit").raise_for_status().json()
    audit["events"][0]["data"]["rules_version"], head = 99, chain.GENESIS
    for event in audit["events"]:
        head = event["hash"] = chain.link(head, chain.sealed_form(event))
    page = look_back(open_page, service, me, f"#/game/{game['id']}?at=1")
    page.route("**/export?format=audit*", lambda route: route.fulfill(json=audit | {"head": head}))
    page.reload()
    open_panel(page)
    page.get_by_role("button", name="Check this game in my browser").click()
    expect(page.locator(".ticks li")).to_have_count(3)
    expect(page.locator(".unchecked")).to_contain_text('version 99 of the rules of "french-tarot" is not known here')


@pytest.mark.long
def test_during_a_game_one_sees_the_past_as_it_was_and_finds_the_way_back(
    open_page: Opened, service: RunningService
) -> None:
    me, game = played_by_one(service, "plute", 6, turns=8)
    page = look_back(open_page, service, me, f"#/game/{game['id']}?at={game['version'] - 1}&as=0")
    expect(page.locator(".proof")).to_contain_text(f"So far: {game['version']} events")
    page.get_by_role("button", name="Players and log").click()
    page.wait_for_timeout(400)  # a tap counts on what has been shown for so long
    page.locator(".mine button.card").first.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("To play, go back to now.")
    open_panel(page)
    page.get_by_role("link", name="Back to now").click()
    page.get_by_role("button", name="show my side").click()
    expect(page.locator(".game:not(.past)")).to_be_visible()
    open_panel(page)
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".past")).to_have_attribute("data-version", str(game["version"]))
