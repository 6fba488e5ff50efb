"""Hints on the page: in sandboxes and in games that are over, by keyboard, in every language; nowhere else."""

import re
import secrets
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from domain.game.aggregate import Game
from tests.browser.conftest import Opened
from tests.browser.pages import look_back, open_panel
from tests.browser.seated import BOT, created, guests, show_game
from tests.browser.states import GOLDEN, NAMES
from tests.browser.stored import stored
from tests.support.server import RunningService, wait_until

ASK = {"en": "Hint", "fr": "Conseil", "ja": "ヒント"}
BEST = {"en": "Suggestion: Bid ", "fr": "Conseil\u00a0: ", "ja": "おすすめ："}


def at_table(open_page: Opened, service: RunningService, *, sandbox: bool, **browser: Any) -> Page:
    """Open a game of Le Plateau in which it is the player's turn to bid."""
    (me,) = guests(service, "Ada")
    game = created(service, me, "le-plateau", BOT, BOT, options={"first_dealer": 2}, sandbox=sandbox)
    return show_game(open_page, service, me, game["id"], **browser)


@pytest.mark.parametrize(
    "language", [pytest.param("en", marks=pytest.mark.long), pytest.param("fr", marks=pytest.mark.long), "ja"]
)
def test_in_a_sandbox_a_hint_says_what_a_bot_would_do_and_why(
    open_page: Opened, service: RunningService, language: str
) -> None:
    page = at_table(open_page, service, sandbox=True, locale=language)
    open_panel(page)
    page.get_by_role("button", name=ASK[language]).press("Enter")
    hint = page.locator(".hint [role=status]")
    expect(hint.locator(".best")).to_contain_text(re.compile(f"^{BEST[language][:8]}.+"), timeout=30_000)
    expect(hint.locator("p")).to_have_count(3)
    expect(page.get_by_role("button", name=ASK[language])).to_be_focused()


@pytest.mark.long
def test_looking_back_a_hint_is_for_who_had_to_decide(open_page: Opened, service: RunningService) -> None:
    me, game = over(service, "plute/hand-claimed-made")
    events = httpx.get(f"{service.url}/v1/games/{game.id}/events?limit=1000").raise_for_status().json()["events"]
    first = next(event for event in events if event["type"] in {"bid_made", "passed"})
    page = look_back(open_page, service, me, f"#/game/{game.id}?at={first['version'] - 1}&as=all")
    page.get_by_role("button", name=ASK["en"]).click()
    expect(page.locator(".hint .best")).to_contain_text("Suggestion: ", timeout=30_000)
    page.get_by_role("button", name="Players and log").click()
    page.get_by_role("button", name="One move on").click()
    expect(page.locator(".hint .best")).to_have_count(0)


def over(service: RunningService, name: str) -> tuple[dict[str, str], Game]:
    """Store a golden game that has ended; return a player of it, and the game."""
    players = guests(service, *NAMES)
    game = stored(service, GOLDEN / f"{name}.txt", f"gm_{secrets.token_hex(10)}", [each["id"] for each in players])
    return players[0], game


def test_the_moves_that_cost_most_lead_to_where_they_were_decided(open_page: Opened, service: RunningService) -> None:
    me, game = over(service, "le-plateau/2-ends-made-in-play")
    page = look_back(open_page, service, me, f"#/game/{game.id}?at={game.version}")
    ask = page.get_by_role("button", name="Find my mistakes")
    ask.press("Enter")
    expect(page.get_by_role("progressbar", name="Analysis")).to_be_visible()
    expect(page.locator(".analysis [role=status] p")).to_have_count(0, timeout=120_000)
    expect(ask).to_be_focused()
    first = page.locator(".analysis li").first
    expect(first).to_contain_text("Better: ")
    said = re.match(r"Event (\d+), player (\d): cost ", first.get_by_role("button").inner_text())
    assert said
    first.get_by_role("button").click()
    expect(page.locator(".past")).to_have_attribute("data-version", str(int(said[1]) - 1))
    page.locator(".eyes select").select_option(str(int(said[2]) - 1))
    expect(page.locator(".analysis li button").filter(has_not_text=f", player {said[2]}:")).to_have_count(0)
    expect(page.locator(".analysis li button").filter(has_text=f", player {said[2]}:")).not_to_have_count(0)


def test_an_analysis_that_stops_is_asked_for_again(open_page: Opened, service: RunningService) -> None:
    me, game = over(service, "plateau/forfeit")
    page = look_back(open_page, service, me, f"#/game/{game.id}?at=2")
    asked: list[str] = []

    def stopped(route: Route) -> None:
        asked.append(route.request.method)
        bot = {"name": "searcher", "version": 5, "playouts": 1000}
        known = {"ruleset": "plateau", "game_id": game.id, "bot": bot, "moves": []}
        route.fulfill(json={**known, "done": 3, "failed": 0, "all": 10, "searched": 3})

    page.route("**/analysis*", stopped)
    page.clock.install()
    page.get_by_role("button", name="Find my mistakes").click()
    expect(page.get_by_text("A bot looks at each decision: 3 of 10")).to_be_visible()

    def again() -> bool:
        page.clock.run_for(1000)
        return asked.count("POST") == 2

    wait_until(again, "the page to ask for it again")
    assert asked == ["POST", *["GET"] * (len(asked) - 2), "POST"]
    assert len(asked) > 10


def test_who_has_had_too_many_analyses_is_told_so_at_once(open_page: Opened, service: RunningService) -> None:
    me, game = over(service, "plateau/forfeit")
    page = look_back(open_page, service, me, f"#/game/{game.id}?at=2", quiet=True)
    refused = {"status": 429, "headers": {"Retry-After": "3000"}, "json": {"detail": "Too many analyses."}}
    page.route("**/analysis*", lambda route: route.fulfill(**refused))
    page.get_by_role("button", name="Find my mistakes").click()
    expect(page.locator(".analysis .trouble")).to_be_visible()
    expect(page.locator(".analysis progress")).to_have_count(0)
