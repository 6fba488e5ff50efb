"""Without a connection: the page opens all the same, and finished games that were opened before can be read."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel
from tests.browser.seated import remembered
from tests.browser.states import golden
from tests.support.server import RunningService, wait_until

pytestmark = pytest.mark.long

IS_KEPT = """async () => (await caches.keys()).some((name) => name.startsWith("/web/")) &&
  !!navigator.serviceWorker.controller"""


def leave(page: Page) -> None:
    """Lose the connection once the worker has kept the client, and load the page again."""
    wait_until(lambda: page.evaluate(IS_KEPT), "the worker to keep the client")
    page.context.set_offline(True)
    page.reload()


def test_the_page_opens_without_a_connection_and_says_so(open_page: Opened) -> None:
    page = open_page(service_workers="allow")
    page.get_by_role("heading", name="What shall we play?").wait_for()
    leave(page)
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    expect(page.locator("p.lost")).to_contain_text("You're offline")
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Play", exact=True).click()
    page.reload()
    expect(page.get_by_role("button", name="Play Plute")).to_be_visible()


def test_a_finished_game_that_was_opened_can_be_read_without_a_connection(
    open_page: Opened, service: RunningService
) -> None:
    visit = golden("french-tarot/3-petite").prepare(service)
    assert visit.player
    kept = remembered(service, visit.player)
    page = open_page(visit.address[1:], storage_state=kept, service_workers="allow", locale="fr-FR")
    page.locator(".ending").wait_for()
    page.wait_for_function("() => localStorage.getItem('plateau.kept')")
    leave(page)
    table = page.locator(".past")
    expect(table.locator('[data-row="hand:0"], .seat').first).to_be_visible()
    last = int(table.get_attribute("data-version") or 0)
    open_panel(page)
    told = page.get_by_role("log").locator("li")
    expect(told.last).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("group", name="Étapes").get_by_role("button").first.click()
    expect(table).not_to_have_attribute("data-version", str(last))
    page.goto("/#/")
    page.get_by_role("link", name="Tarot").click()
    expect(page.locator(".past")).to_have_attribute("data-version", str(last))
    page.goto("/#/game/gm_00000000000000000000")
    expect(page.get_by_role("alert")).to_contain_text("Pas de connexion")


def test_who_is_forgotten_here_leaves_no_game_behind(open_page: Opened, service: RunningService) -> None:
    visit = golden("plateau/forfeit").prepare(service)
    assert visit.player
    page = open_page(visit.address[1:], storage_state=remembered(service, visit.player), service_workers="allow")
    page.wait_for_function("() => localStorage.getItem('plateau.kept')")
    page.goto("/#/settings")
    page.get_by_role("button", name="Make the link").click()
    page.get_by_role("button", name="Forget me here").click()
    page.wait_for_function("() => !localStorage.getItem('plateau.session')")
    assert page.evaluate("caches.has('plateau-games')") is False
