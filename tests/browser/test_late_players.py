"""A player whose time is up, in a game that waits until somebody says so; and tokens and games that are gone."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.seated import bearer, guest, guests, remembered, show_game, two_at_a_table
from tests.support.server import RunningService, wait_until

WAITING = {"per_move": "PT5S", "on_timeout": "wait"}


@pytest.mark.long
def test_the_time_of_a_late_player_is_claimed(open_page: Opened, service: RunningService) -> None:
    ada, ben = guests(service, "Ada", "Ben")
    game = two_at_a_table(service, ada, ben, "plateau", clock=WAITING)
    (late,) = httpx.get(f"{service.url}/v1/games/{game}/view").json()["to_act"]
    page = show_game(open_page, service, [ben, ada][late], game)
    expect(page.get_by_text("has run out of time.")).to_be_visible(timeout=10_000)
    page.get_by_role("button", name="Call time").click()
    expect(page.locator('.game[data-status="finished"]')).to_be_visible()


@pytest.mark.long
def test_a_player_whom_the_service_no_longer_knows_reads_why(open_page: Opened, service: RunningService) -> None:
    with httpx.Client(base_url=service.url) as client:
        ada = guest(client, "Ada")
        page = open_page(storage_state=remembered(service, ada), quiet=True)
        page.get_by_role("link", name="Use another device too?").click()
        expect(page.get_by_role("heading", name="Keep your seats")).to_be_visible()
        client.delete(f"/v1/me?confirm={ada['id']}", headers=bearer(ada)).raise_for_status()
        wait_until(lambda: client.get("/v1/me", headers=bearer(ada)).status_code == 401, "every process to know it")
    page.goto("/#/")
    expect(page.get_by_text("This browser's player no longer exists here")).to_be_visible()
    page.goto("/#/game/gm_00000000000000000000")
    expect(page.get_by_text("We can't find this game, or it's private")).to_be_visible()
