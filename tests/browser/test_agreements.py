"""What players agree on at a table, each in a browser of their own: proposals, pauses, leaving, and playing again."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.pages import GAME, open_panel
from tests.browser.seated import PHONE, guests, show_game, sit_down, two_at_a_table
from tests.support.server import RunningService

Table = tuple[Page, Page, Page]


@pytest.fixture
def table(open_page: Opened, service: RunningService) -> Table:
    """Ada and Ben play Plateau, and somebody watches."""
    ada, ben = guests(service, "Ada", "Ben")
    game = two_at_a_table(service, ada, ben, "plateau")
    pages = [show_game(open_page, service, player, game) for player in (ada, ben)]
    watching = open_page(f"#/game/{game}", **PHONE)
    watching.locator(".game").wait_for()
    return pages[0], pages[1], watching


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def unfold(page: Page) -> None:
    """Unfold what can be proposed, if it is not."""
    open_panel(page)
    if not page.locator(".agree[open]").count():
        page.get_by_text("Pause, undo, leave").click()


def propose(page: Page, what: str) -> None:
    unfold(page)
    page.locator(".agree").get_by_role("button", name=what, exact=True).click()


@pytest.mark.long
def test_a_draw_is_declined_and_agreed_on_and_the_game_is_played_again(table: Table) -> None:
    ada, ben, watching = table
    propose(ada, "A draw")
    expect(ben.get_by_role("alert")).to_contain_text("proposes: A draw.")
    expect(ada.get_by_role("button", name="Agree", exact=True)).to_have_count(0)
    press(ben, "Decline")
    expect(ada.locator(".proposal")).to_have_count(0)
    propose(ben, "A draw")
    press(ada, "Agree")
    for page in table:
        expect(page.locator(".game")).to_have_attribute("data-status", "finished")
    expect(watching.get_by_role("button", name="Play again")).to_have_count(0)
    first = ada.url
    press(ben, "Play again")
    expect(ben).not_to_have_url(first)
    expect(ada.get_by_text("would like to play again.")).to_be_visible()
    expect(ben).to_have_url(re.compile(r"#/(game|waiting)/gm_[0-9a-f]{20}$"))


@pytest.mark.long
def test_a_game_is_paused_and_continues_when_both_agree_and_anyone_who_resigns_has_lost(table: Table) -> None:
    ada, ben, watching = table
    propose(ada, "Pause")
    press(ben, "Agree")
    for page in table:
        expect(page.get_by_text("The game is paused", exact=True)).to_be_visible()
    assert watching.locator(".game :is(.lit, .agree, .proposal button)").count() == 0
    propose(ben, "Resume")
    press(ada, "Agree")
    expect(ada.locator(".game")).to_have_attribute("data-status", "active")
    unfold(ada)
    press(ada, "Resign")
    press(ada, "Back")
    press(ada, "Resign")
    press(ada, "Yes, resign")
    for page in table:
        expect(page.locator(".game")).to_have_attribute("data-status", "finished")


@pytest.mark.long
def test_pressing_enter_twice_does_not_resign(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plateau", 2, {})
    unfold(page)
    page.get_by_role("button", name="Resign", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Pause, undo, leave")).to_be_focused()
    expect(page.locator(".game")).to_have_attribute("data-status", "active")
    press(page, "Resign")
    press(page, "Yes, resign")
    expect(page.get_by_role("main")).to_be_focused()
    expect(page.locator(".game")).to_have_attribute("data-status", "finished")


def test_where_the_rules_know_no_resignation_a_bot_takes_the_seat_of_who_leaves(open_page: Opened) -> None:
    page = open_page()
    page.get_by_role("button", name="Play Plute").click()
    expect(page).to_have_url(GAME)
    path = f"/v1/games/{page.url.rpartition('/')[2]}"
    unfold(page)
    expect(page.get_by_role("button", name="Resign")).to_have_count(0)
    press(page, "Leave the table")
    press(page, "Yes, leave")
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    assert page.request.get(path).json()["seats"][0]["bot"]
