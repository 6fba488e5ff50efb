"""Many tabs of one browser: together they hold one connection open, and none of them misses anything."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.seated import asked, guests, remembered, two_at_a_table
from tests.support.server import RunningService, fetch, wait_until

TABS = 7
"""One more than a browser has connections to a service that speaks HTTP/1.1."""
LOOK = """(seen) => {
  Object.defineProperty(document, "hidden", { value: seen === "away", configurable: true });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""


def duels(service: RunningService, number: int) -> tuple[dict[str, str], list[tuple[str, dict[str, str]]]]:
    """Seat Ada in some games; return her, and each game with its other player."""
    ada, *others = guests(service, "Ada", *["Ben"] * number)
    return ada, [(two_at_a_table(service, ada, ben, "plateau"), ben) for ben in others]


def resign(service: RunningService, game: str, player: dict[str, str]) -> None:
    """Let the other player of a game give it up."""
    asked(service, player, f"/v1/games/{game}/resign", {"confirm": True})


def open_streams(service: RunningService) -> int:
    """Return how many streams and waiting requests are open, as the service counts them."""
    figures = fetch(f"{service.url}/metrics")[1].decode()
    found = re.search(r"^plateau_open_streams(?:\{[^}]*\})? (\d+)", figures, re.MULTILINE)
    return int(found[1]) if found else 0


def opened(first: Page, addresses: list[str]) -> list[Page]:
    """Open an address in each tab of one browser, of which the first is there."""
    tabs = [first, *(first.context.new_page() for _ in addresses[1:])]
    for tab, address in zip(tabs, addresses, strict=True):
        tab.goto(address)
        tab.locator(".game").wait_for()
    return tabs


@pytest.fixture
def alone_at_service(service: RunningService) -> RunningService:
    """A service whose streams of other tests have ended."""
    wait_until(lambda: open_streams(service) == 0, "the end of the streams of other tests")
    return service


@pytest.mark.parametrize("alone", [False, pytest.param(True, marks=pytest.mark.long)])
def test_seven_tabs_hold_one_connection_and_each_hears_of_its_game(
    open_page: Opened, alone_at_service: RunningService, alone: bool
) -> None:
    service = alone_at_service
    ada, games = duels(service, TABS)
    first = open_page("#/lobby", storage_state=remembered(service, ada), alone=alone)
    tabs = opened(first, [f"/#/game/{game}" for game, _ in games])
    wait_until(lambda: open_streams(service) == 1, "the one stream")
    for tab, (game, ben) in zip(tabs, games, strict=True):
        resign(service, game, ben)
        expect(tab.locator(".game")).to_have_attribute("data-status", "finished")
        assert open_streams(service) <= 1


@pytest.mark.parametrize("alone", [pytest.param(False, marks=pytest.mark.long), True])
def test_tabs_at_one_game_share_what_one_of_them_reads_and_continue_when_it_is_closed(
    open_page: Opened, alone_at_service: RunningService, alone: bool
) -> None:
    service = alone_at_service
    ada, [(game, ben)] = duels(service, 1)
    first = open_page("#/lobby", storage_state=remembered(service, ada), alone=alone)
    tabs = opened(first, [f"/#/game/{game}"] * 3)
    for number, tab in enumerate(tabs):
        asked(service, ben, f"/v1/games/{game}/phrases", {"phrase": "hello"})
        for other in tabs[number:]:
            expect(other.get_by_role("log")).to_contain_text(re.compile("(Ben.*){" + str(number + 1) + "}"))
        wait_until(lambda: open_streams(service) == 1, "the one stream")
        if number < 2:
            tab.close()
    resign(service, game, ben)
    expect(tabs[-1].locator(".game")).to_have_attribute("data-status", "finished")


def test_a_tab_that_is_hidden_for_long_holds_no_connection(open_page: Opened, alone_at_service: RunningService) -> None:
    service = alone_at_service
    ada, [(game, ben)] = duels(service, 1)
    kept: Any = remembered(service, ada)
    page = open_page("#/lobby", storage_state=kept, alone=True, watch=lambda page: page.clock.install())
    page.goto(f"/#/game/{game}")
    page.locator(".game").wait_for()
    wait_until(lambda: open_streams(service) == 1, "the stream")
    page.evaluate(LOOK, "away")
    page.clock.run_for("05:00")
    wait_until(lambda: open_streams(service) == 1, "the stream of a tab that is hidden for a while")
    page.clock.run_for("06:00")
    wait_until(lambda: open_streams(service) == 0, "the end of the stream")
    page.evaluate(LOOK, "here")
    wait_until(lambda: open_streams(service) == 1, "the stream again")
    resign(service, game, ben)
    expect(page.locator(".game")).to_have_attribute("data-status", "finished")
