"""Phrases on the page: said by one player, read by another, in the log and at the seat, until they are muted."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel
from tests.browser.seated import guests, show_game, two_at_a_table
from tests.support.server import RunningService


def duel(open_page: Opened, service: RunningService) -> tuple[Page, Page]:
    """Open a game of Plateau as its two players, one of them French."""
    ada, bob = guests(service, "Ada", "Bob")
    game = two_at_a_table(service, ada, bob, "plateau")
    pages = [show_game(open_page, service, one, game, locale=locale) for one, locale in ((ada, "en"), (bob, "fr"))]
    return pages[0], pages[1]


@pytest.mark.long
def test_players_say_phrases_and_can_mute_them(open_page: Opened, service: RunningService) -> None:
    english, french = duel(open_page, service)
    log = french.get_by_role("log")
    expect(log).to_contain_text("La partie commence")  # from then on, it follows
    open_panel(english)
    english.get_by_text("Chat").click()
    english.get_by_role("button", name="Well played!").click()
    expect(french.locator("[data-seat='0'] .bubble")).to_have_text("Bien joué\u00a0!")
    expect(log).to_contain_text(re.compile("Ada.*\u00a0: Bien joué\u00a0!"))
    expect(english.get_by_role("log")).to_contain_text(re.compile("Ada.*: Well played!"))
    open_panel(french)
    french.get_by_text("Discussion").click()
    french.get_by_role("button", name="Masquer les messages").click()
    expect(log).not_to_contain_text("Bien joué")
    expect(french.locator(".bubble")).to_have_count(0)
    french.reload()
    open_panel(french)
    french.get_by_text("Discussion").click()
    mute = french.get_by_role("button", name="Masquer les messages")
    expect(mute).to_have_attribute("aria-pressed", "true")
    mute.click()
    expect(log).to_contain_text(re.compile("Ada.*Bien joué"))


@pytest.mark.long
def test_anyone_who_wants_no_phrases_neither_asks_for_them_nor_sees_where_to_say_one(
    open_page: Opened, service: RunningService
) -> None:
    english, _ = duel(open_page, service)
    english.evaluate("""localStorage.setItem("plateau.settings", JSON.stringify({phrases: false}))""")
    with english.expect_request(re.compile("/events")) as asked:
        english.reload()
    assert "phrases" not in asked.value.url
    expect(english.get_by_role("log")).to_be_visible()
    expect(english.get_by_text("Chat")).to_have_count(0)
