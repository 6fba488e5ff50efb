"""The day and tournaments: what a player has reached, the results, and the way into a tournament and to its games."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from domain.game.durations import moment
from service.common.wall_clock import now_ms
from tests.browser.axe import RUN
from tests.browser.conftest import Opened
from tests.browser.pages import GAME, session
from tests.support import node
from tests.support.server import ROOT, RunningService, posted, running_service


def check(page: Page) -> None:
    """Find nothing that axe-core reports."""
    node.needed()
    page.evaluate(node.asset("axe-core/axe.min.js"))
    assert page.evaluate(RUN)["violations"] == []


COMMAND = (sys.executable, "-m", "service.cli.main", "admin", "token")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service with a daily set and tournaments, whose lots are sealed within seconds."""
    env = {"PLATEAU_WORKERS": "1", "PLATEAU_DAILY": "games=plute,deals=2", "PLATEAU_HEADS_SECONDS": "1"}
    with running_service(tmp_path_factory.mktemp("service"), env) as running:
        yield running


def test_the_page_of_a_day_offers_the_next_deal_and_then_shows_the_players_own(open_page: Opened) -> None:
    page = open_page()
    page.get_by_role("link", name="Plute", exact=True).click()
    expect(page).to_have_url(re.compile(r"#/day/plute/\d{4}-\d\d-\d\d$"))
    day = page.url
    page.get_by_role("button", name="Plute: deal 1 of 2").click()
    expect(page).to_have_url(GAME)
    page.goto(day)
    expect(page.get_by_role("row").filter(has_text="Hand")).to_be_visible()
    expect(page.get_by_text("The results follow at")).to_be_visible()
    check(page)


def test_the_results_of_a_day_mark_the_reader_and_link_to_the_games(open_page: Opened) -> None:
    results = json.loads((ROOT / "api_spec/examples/list_results.json").read_text())["response"]["body"]
    page = open_page()
    page.get_by_role("button", name="Plute: deal 1 of 2").click()
    expect(page).to_have_url(GAME)
    results["items"][0]["player"] = session(page)["id"]
    page.route("**/v1/daily/plute/2026-01-01/results*", lambda route: route.fulfill(json=results))
    page.goto("/#/day/plute/2026-01-01")
    expect(page.get_by_role("heading", name="Plute · 1 January 2026")).to_be_visible()
    expect(page.locator(".own")).to_contain_text(results["items"][0]["name"])
    game = results["items"][0]["games"][0]
    expect(page.get_by_role("link", name="Replay of deal 1")).to_have_attribute("href", f"#/replay/{game}")
    check(page)


def test_a_player_enters_a_tournament_finds_the_game_and_withdraws(open_page: Opened, service: RunningService) -> None:
    director = posted(service.url, "/v1/players", {"name": "Dora"}, "")["id"]
    made = subprocess.run(
        [*COMMAND, director, "--scope", "tournaments"],
        env={**os.environ, "PLATEAU_DATA": str(service.data)},
        capture_output=True,
        text=True,
        check=True,
    )
    evening = {
        "name": "Club evening", "ruleset": "plute", "seats": 6, "deals": 1, "rounds": 1,
        "clock": {"per_move": "PT1M"}, "round_time": "PT1H",
        "starts": moment(now_ms() + 15_000),
    }  # fmt: skip
    one = posted(service.url, "/v1/tournaments", evening, made.stdout.split()[-1])
    page, friend = open_page("#/lobby"), open_page(f"#/tournament/{one['id']}")
    friend.get_by_role("button", name="Enter").click()
    page.get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="Club evening").click()
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("You have a place.")).to_be_visible()
    check(page)
    page.get_by_role("link", name="Continue").click(timeout=60_000)
    expect(page).to_have_url(GAME)
    page.goto(f"/#/tournament/{one['id']}")
    page.get_by_role("group").get_by_text("Withdraw").first.click()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("You have a place.")).to_be_hidden()
