"""The standalone players: short, without the code of the server, and able to play a whole game."""

import re
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from plateau_client import Client

from tests.examples.packages import imported
from tests.support.server import ROOT, RunningService, wait_until

BOT = {"bot.py": {"plateau_client"}}
PLAYERS = {"player.py": {"plateau_client"}, "player_requests.py": {"requests"}}
"""The examples, each with the only library that it needs."""


def run(example: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "examples" / example, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(("example", "libraries"), (PLAYERS | BOT).items())
def test_a_player_is_short_and_needs_one_library(example: str, libraries: set[str]) -> None:
    program = ROOT / "examples" / example
    assert len(program.read_text().splitlines()) <= 40
    assert imported(program) == libraries


@pytest.mark.parametrize("example", PLAYERS)
def test_a_player_plays_a_whole_game(example: str, service: RunningService) -> None:
    done = run(example, service.url)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^The end: \{'reason': 'hands_played', 'winners': \[", done.stdout, re.MULTILINE)
    games = httpx.get(f"{service.url}/v1/games", params={"status": "finished"}).json()["items"]
    assert [seat.get("bot") for seat in games[0]["seats"]] == [None, "random", "random"]


@pytest.fixture
def bot(service: RunningService) -> Iterator[str]:
    """The bot of the example, which runs; its id."""
    command = [sys.executable, ROOT / "examples/bot.py", service.url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = re.fullmatch(
            r"Invite (pl_bot\w+)\. To be the same bot again, set BOT_TOKEN=plt_\w.*\n", process.stdout.readline()
        )
        assert said
        yield said[1]
    finally:
        process.kill()
        process.communicate()


def test_anyone_who_invites_the_bot_has_an_opponent_and_can_see_who_runs_it(service: RunningService, bot: str) -> None:
    with Client.guest(service.url, "Ada") as ada:
        table = ada.create(
            {"ruleset": "le-plateau", "visibility": "private", "seats": [{"player": "me"}, {"open": True}]}
        )
        table.invite({"player": bot})
        wait_until(lambda: table.game()["status"] == "active", "the bot to join")
        seats = table.game()["seats"]
        assert [seat.get("account") for seat in seats] == [None, "bot"]
        moves = 0
        for view in table.turns():
            table.act(table.choices(view)[0], view)
            moves = sum(event["seat"] == 1 for event in table.events())
            if moves > 4:
                break
        assert moves > 4
        player = ada.player(bot)
    assert (player["kind"], player["operator"]) == ("bot", "Ben, ben@example.org")


def test_the_documentation_shows_the_bot_as_it_is() -> None:
    assert f"```python\n{(ROOT / 'examples/bot.py').read_text()}```" in (ROOT / "docs/bots.md").read_text()


def test_the_table_of_players_needs_only_the_package() -> None:
    assert imported(ROOT / "examples/random_game.py") == {"plateau_client"}


def test_a_player_of_the_package_says_what_went_wrong() -> None:
    done = run("player.py", "http://127.0.0.1:9")
    assert done.returncode == 1
    assert "did not respond" in done.stderr
    assert "Traceback" not in done.stderr
