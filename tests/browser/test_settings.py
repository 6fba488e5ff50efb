"""Settings: how it looks, who I am, and the link with which I keep my seats."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.pages import session, settled_guest
from tests.browser.seated import asked, guests, remembered
from tests.support.server import RunningService


@pytest.mark.long
def test_the_colours_follow_the_system_until_they_are_chosen_and_the_choice_lasts(open_page: Opened) -> None:
    page = open_page("#/settings", color_scheme="dark")
    assert ground(page) == "rgb(23, 25, 28)"
    page.get_by_label("Theme").select_option("light")
    assert ground(page) == "rgb(246, 243, 236)"
    page.reload()
    expect(page.get_by_label("Theme")).to_have_value("light")
    assert ground(page) == "rgb(246, 243, 236)"


@pytest.mark.long
def test_a_player_takes_another_name_and_the_service_decides_which_names_there_are(open_page: Opened) -> None:
    page = open_page(quiet=True)
    settled_guest(page)
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Your name").fill("Ada ")
    page.get_by_role("button", name="Change the name").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Change the name").click()
    expect(page.get_by_text("Your name is now Ada.")).to_be_attached()
    assert session(page)["name"] == "Ada"


def test_a_link_with_a_token_signs_nobody_in_without_asking(open_page: Opened, service: RunningService) -> None:
    ada, ben = guests(service, "Ada", "Ben")
    link = f"#/keep/{ada['token']}"
    page = open_page(link)
    expect(page.get_by_text("signs this browser in as Ada")).to_be_visible()
    expect(page.get_by_text("they see every hand that you are dealt here")).to_be_visible()
    assert session(page) is None
    page.get_by_role("button", name="Do not sign in").click()
    expect(page.get_by_text("No account: pick a game")).to_be_visible()
    assert session(page) is None
    assert "keep" not in page.url
    page.goto(f"/{link}")
    page.get_by_role("button", name="Play as Ada").click()
    expect(page.get_by_text("Playing as Ada.")).to_be_visible()
    assert session(page) == {key: ada[key] for key in ("token", "id", "name")}
    assert "keep" not in page.url
    other = open_page(link, storage_state=remembered(service, ben))
    expect(other.get_by_text("You play here as Ben")).to_be_visible()
    other.get_by_role("button", name="Do not sign in").click()
    assert session(other)["id"] == ben["id"]


def test_a_link_to_the_player_of_this_browser_leaves_the_token_of_this_browser(
    open_page: Opened, service: RunningService
) -> None:
    (ada,) = guests(service, "Ada")
    more = asked(service, ada, "/v1/me/tokens", {"label": "link"})
    page = open_page(f"#/keep/{more['token']}", storage_state=remembered(service, ada))
    expect(page.get_by_text("You already play here as Ada.")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    assert session(page)["token"] == ada["token"]


@pytest.mark.long
def test_the_link_makes_the_same_player_in_another_browser_once_it_is_confirmed(open_page: Opened) -> None:
    page = open_page()
    settled_guest(page)
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("button", name="Forget me here")).to_be_disabled()
    page.get_by_role("button", name="Make the link").click()
    link = page.get_by_label("Keep your seats").input_value()
    elsewhere = open_page(f"#/{link.partition('#/')[2]}")
    elsewhere.get_by_role("button", name="Play as").click()
    expect(elsewhere.get_by_role("heading", name="Continue")).to_be_visible()
    assert session(elsewhere)["id"] == session(page)["id"]
    assert "keep" not in elsewhere.url
    other = open_page()
    settled_guest(other)
    before = session(other)["id"]
    other.goto(link)
    expect(other.get_by_role("button", name="Play as")).to_be_visible()
    assert session(other)["id"] == before
    other.get_by_role("button", name="Play as").click()
    expect(other.get_by_role("heading", name="What shall we play?")).to_be_visible()
    assert session(other)["id"] == session(page)["id"]
    tab = page.context.new_page()
    tab.goto("/")
    expect(tab.get_by_role("heading", name="Continue")).to_be_visible()
    page.get_by_role("button", name="Forget me here").click()
    expect(tab.get_by_text("No account: pick a game")).to_be_visible()
    assert session(page) is None


def ground(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.long
def test_the_page_speaks_the_language_of_the_browser_until_another_is_chosen(open_page: Opened) -> None:
    page = open_page(locale="fr-FR")
    expect(page.get_by_role("heading", name="À quoi on joue\u00a0?")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.get_by_role("link", name="Réglages").click()
    page.get_by_label("Langue").select_option(label="日本語")
    expect(page.get_by_role("heading", name="設定")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert page.get_by_role("heading", name="設定").evaluate("each => getComputedStyle(each).letterSpacing") == "normal"
    page.reload()
    expect(page.get_by_role("heading", name="設定")).to_be_visible()


def test_the_letters_of_court_cards_can_follow_the_language_again(open_page: Opened) -> None:
    page = open_page("#/settings")
    letters = page.get_by_label("Letters of court cards")
    expect(letters).to_have_value("")
    letters.select_option(label="R D C V")
    page.reload()
    expect(letters).to_have_value("RDCV")
    letters.select_option(label="As in the language (K Q N J)")
    page.reload()
    expect(letters).to_have_value("")
    page.get_by_label("Language").select_option(label="français")
    expect(page.get_by_label("Lettres")).to_have_value("")
    expect(page.get_by_role("option", name="Selon la langue (R D C V)")).to_be_attached()
