"""A turn that the player's plan plays: nothing is asked for, until another device removes the plan."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.seated import bearer, show_game
from tests.support.server import RunningService, running_service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service without workers, which leaves plans as they are."""
    with running_service(
        tmp_path_factory.mktemp("service"), {"PLATEAU_WORKERS": "0", "PLATEAU_WEB_PROCESSES": "1"}
    ) as running:
        yield running


def test_a_turn_that_a_plan_plays_offers_no_choice(open_page: Opened, service: RunningService) -> None:
    with httpx.Client(base_url=service.url) as client:
        me = client.post("/v1/players", json={"name": "Ada"}).json()
        client.headers.update(bearer(me))
        wish = {"ruleset": "le-plateau", "seats": [{"player": "me"}, {"bot": "random"}], "options": {"first_dealer": 1}}
        game = client.post("/v1/games", json=wish).json()["id"]
        plan = f"/v1/games/{game}/plan"
        client.put(plan, json={"steps": [{"action": {"type": "pass"}}]}).raise_for_status()
        page = show_game(open_page, service, me, game)
        said, choice = page.get_by_text("Your plan plays this turn."), page.get_by_role("button", name="Pass")
        expect(said).to_be_visible()
        expect(choice).to_have_count(0)
        assert client.delete(plan).is_success
        expect(choice).to_be_visible()
        expect(said).to_have_count(0)
