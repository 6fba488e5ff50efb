"""A follower whose game went back ends with the refusal that says what to do."""

from service.cli.client import Service
from service.cli.play.following import Follower
from tests.support.commands import Player
from tests.support.server import RunningService, wait_until


def test_a_follower_that_holds_a_later_version_is_told_in_words(service: RunningService) -> None:
    ada = Player(service.url)
    game = ada.begin(*[{"player": "me"}] * 2, ruleset="plateau", sandbox=True)
    heard: list[bool] = []
    version = ada.ask("GET", f"/v1/games/{game}")["version"] + 1
    events = f"/v1/games/{game}/events?limit=100"
    follower = Follower(Service(service.url, ada.token), events, version, lambda: heard.append(True))
    wait_until(lambda: follower.refusal, "the refusal")
    assert follower.refusal is not None
    assert follower.refusal.code == "game-went-back"
    assert "read the game again" in follower.refusal.detail
    wait_until(lambda: heard, "the player to be told")
