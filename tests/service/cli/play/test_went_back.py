"""A follower whose game went back ends with the refusal that says what to do."""

from pathlib import Path

import pytest

from service.cli.client import Service
from service.cli.play.following import Follower
from tests.support.people import Client
from tests.support.server import running_service, wait_until

pytestmark = pytest.mark.long


def test_a_follower_that_holds_a_later_version_is_told_in_words(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "0"}) as running:
        ada = Client(running.url)
        wanted = {"ruleset": "plateau", "sandbox": True, "seats": [{"player": "me"}] * 2}
        made = ada.ask("POST", "/v1/games", wanted)[1]
        heard: list[bool] = []
        events = f"/v1/games/{made['id']}/events?limit=100"
        follower = Follower(Service(running.url, ada.token), events, made["version"] + 1, lambda: heard.append(True))
        wait_until(lambda: follower.refusal, "the refusal")
        assert follower.refusal is not None
        assert follower.refusal.code == "game-went-back"
        assert "read the game again" in follower.refusal.detail
        wait_until(lambda: heard, "the player to be told")
