"""The whole service tells players what happens in their games: as processes, and in memory."""

import json
import urllib.request
from pathlib import Path

import pytest

from tests.recorded.player import Player
from tests.support.processes import PATIENCE
from tests.support.server import RunningService, running_service, wait_until

GAME = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}], "visibility": "private"}

PIECES = [{"piece": "A", "up": "r"}, {"piece": "TW", "up": "o"}]
NEVER = {
    "when": {"path": "/state/nowhere", "op": "exists"},
    "action": {"type": "open", "square": "d4", "pieces": PIECES},
}


def kinds(player: Player) -> list[str]:
    """List the kinds of the player's events."""
    return [each["type"] for each in player.ask("GET", "/v1/me/events")["events"]]


def hear_of_everything(url: str) -> None:
    """Let two players meet, play and part, and compare what they are told with what has happened."""
    ada, ben = Player(url, "Ada"), Player(url, "Ben")
    headers = {"Authorization": f"Bearer {ben.token}", "Accept": "application/x-ndjson"}
    following = urllib.request.urlopen(urllib.request.Request(f"{url}/v1/me/events", headers=headers), timeout=PATIENCE)
    game = f"/v1/games/{ada.ask('POST', '/v1/games', GAME)['id']}"
    ada.ask("POST", f"{game}/invitations", {"player": ben.id})
    wait_until(lambda: kinds(ben) == ["invited"], "the invitation")
    ben.ask("POST", f"{game}/seats", {})
    wait_until(lambda: kinds(ada) == ["game_started", "your_turn"], "the start")
    ben.ask("PUT", f"{game}/plan", {"steps": [NEVER]})
    ada.ask("POST", f"{game}/actions", ada.ask("GET", f"{game}/legal-actions?limit=1")["actions"][0])
    wait_until(lambda: "your_turn" in kinds(ben), "the worker to look at the plan")
    ada.ask("POST", f"{game}/proposals", {"kind": "pause"})
    ada.ask("POST", f"{game}/resign", {"confirm": True})
    heard = ["invited", "game_started", "plan_dropped", "your_turn", "proposal_made", "game_ended"]
    wait_until(lambda: kinds(ben) == heard, "the end")
    lines = iter(following.readline, b"")
    events = [json.loads(line) for _, line in zip(heard, filter(bytes.strip, lines), strict=False)]
    assert events == ben.ask("GET", "/v1/me/events")["events"]
    following.close()
    assert kinds(ada) == ["game_started", "your_turn", "game_ended"]


def test_players_hear_of_everything_in_pages_and_in_a_stream(service: RunningService) -> None:
    hear_of_everything(service.url)


@pytest.mark.long
def test_they_hear_of_it_from_a_service_in_memory_too(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1"}, "--memory") as service:
        hear_of_everything(service.url)
        assert service.errors == ""
