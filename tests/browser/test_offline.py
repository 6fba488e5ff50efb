"""Without a connection: the page opens all the same, and finished games that were opened before can be read."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel
from tests.browser.seated import guests, remembered
from tests.browser.states import golden
from tests.support.proxies import CuttingProxy
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


def test_the_page_that_is_kept_stands_in_for_a_proxy_without_its_service(
    open_page: Opened, service: RunningService
) -> None:
    with CuttingProxy(service.url) as proxy:
        page = open_page(service_workers="allow", quiet=True)
        page.goto(proxy.url)
        wait_until(lambda: page.evaluate(IS_KEPT), "the worker to keep the client")
        proxy.refusals = [b"GET / "]
        page.reload()
        expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
        assert not proxy.refusals


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


def test_a_game_that_comes_after_its_player_has_left_is_not_kept(open_page: Opened, service: RunningService) -> None:
    visit = golden("plateau/forfeit").prepare(service)
    assert visit.player
    asked: list[Route] = []

    def hold_back(route: Route) -> None:
        asked.append(route)

    def watch(page: Page) -> None:
        page.route("**/v1/games/*/export*", hold_back)

    page = open_page(
        visit.address[1:], storage_state=remembered(service, visit.player), service_workers="allow", watch=watch
    )
    page.locator(".ending").wait_for()
    wait_until(lambda: page.evaluate("true") and asked, "the game to be fetched")
    page.goto("/#/settings")
    page.get_by_role("button", name="Make the link").click()
    page.get_by_role("button", name="Forget me here").click()
    page.wait_for_function("() => !localStorage.getItem('plateau.session')")
    with page.expect_response("**/v1/games/*/export*") as response:
        asked[0].continue_()
    response.value.finished()
    page.wait_for_timeout(500)
    assert page.evaluate("localStorage.getItem('plateau.kept')") is None
    assert page.evaluate("caches.has('plateau-games')") is False


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


def test_a_player_can_leave_where_the_storage_is_broken(open_page: Opened, service: RunningService) -> None:
    (ada,) = guests(service, "Ada")
    page = open_page("#/settings", storage_state=remembered(service, ada))
    page.evaluate("() => { CacheStorage.prototype.delete = () => Promise.reject(new Error('broken')); }")
    page.get_by_role("button", name="Make the link").click()
    page.get_by_role("button", name="Forget me here").click()
    page.wait_for_function("() => !localStorage.getItem('plateau.session')")
    expect(page.get_by_role("alert")).to_have_count(0)
