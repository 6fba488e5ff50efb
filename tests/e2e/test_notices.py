"""The whole service tells players what happens in their games: as processes, and in memory."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import PATIENCE, RunningService, running_service, wait_until

GAME = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}], "visibility": "private"}

PIECES = [{"piece": "A", "up": "r"}, {"piece": "TW", "up": "o"}]
NEVER = {
    "when": {"path": "/state/nowhere", "op": "exists"},
    "action": {"type": "open", "square": "d4", "pieces": PIECES},
}


class Player:
    """A player who asks a service over HTTP."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.token = url, ""
        made = self.ask("POST", "/v1/players", {"name": name})
        self.id, self.token = made["id"], made["token"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request; return the response."""
        with self.open(method, path, body) as response:
            return json.loads(response.read() or b"null")

    def open(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request; return the open response."""
        sent = {"Content-Type": "application/json", **headers}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.url + path, data, sent, method=method)
        return urllib.request.urlopen(asked, timeout=PATIENCE)

    def kinds(self) -> list[str]:
        """List the kinds of the player's events."""
        return [each["type"] for each in self.ask("GET", "/v1/me/events")["events"]]


def hear_of_everything(url: str) -> None:
    """Let two players meet, play and part, and compare what they are told with what has happened."""
    ada, ben = Player(url, "Ada"), Player(url, "Ben")
    following = ben.open("GET", "/v1/me/events", Accept="application/x-ndjson")
    game = f"/v1/games/{ada.ask('POST', '/v1/games', GAME)['id']}"
    ada.ask("POST", f"{game}/invitations", {"player": ben.id})
    wait_until(lambda: ben.kinds() == ["invited"], "the invitation")
    ben.ask("POST", f"{game}/seats", {})
    wait_until(lambda: ada.kinds() == ["game_started", "your_turn"], "the start")
    ben.ask("PUT", f"{game}/plan", {"steps": [NEVER]})
    ada.ask("POST", f"{game}/actions", ada.ask("GET", f"{game}/legal-actions?limit=1")["actions"][0])
    wait_until(lambda: "your_turn" in ben.kinds(), "the worker to look at the plan")
    ada.ask("POST", f"{game}/proposals", {"kind": "pause"})
    ada.ask("POST", f"{game}/resign", {"confirm": True})
    heard = ["invited", "game_started", "plan_dropped", "your_turn", "proposal_made", "game_ended"]
    wait_until(lambda: ben.kinds() == heard, "the end")
    lines = iter(following.readline, b"")
    events = [json.loads(line) for _, line in zip(heard, filter(bytes.strip, lines), strict=False)]
    assert events == ben.ask("GET", "/v1/me/events")["events"]
    following.close()
    assert ada.kinds() == ["game_started", "your_turn", "game_ended"]


def test_players_hear_of_everything_in_pages_and_in_a_stream(service: RunningService) -> None:
    hear_of_everything(service.url)


@pytest.mark.long
def test_they_hear_of_it_from_a_service_in_memory_too(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1"}, "--memory") as service:
        hear_of_everything(service.url)
        assert service.errors == ""
