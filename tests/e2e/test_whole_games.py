"""The sample client plays whole games against the service as a separate process, over a real socket."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from domain.log import chain
from tests.support.server import PROGRAMS, ROOT, RealServer, RunningService, running_service

TABLES = [
    ("embedded", 2),
    *(
        pytest.param(*table, marks=pytest.mark.long)
        for table in [("embedded", 6), *zip(PROGRAMS, (3, 4), strict=False)]
    ),
]
"""The engines, each with a number of players or two; the tests of the API play whole games of every number."""


@pytest.fixture(scope="module")
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service on its embedded engine, or on a kind of server there is, over TCP."""
    folder = tmp_path_factory.mktemp("service")
    if request.param == "embedded":
        with running_service(folder, {"PLATEAU_WEB_PROCESSES": "2"}) as running:
            yield running
        return
    server = RealServer.start(request.param, folder / "engine", tcp=True)
    assert server.url.startswith("redis://")
    with running_service(folder, {"PLATEAU_WEB_PROCESSES": "2", "REDIS_URL": server.url}) as running:
        yield running
    server.stop()


def play(url: str, *options: str) -> str:
    """Run the sample client as the docs say, and give what it prints."""
    command = [sys.executable, "examples/random_game.py", "--url", url, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("service", "seats"), TABLES, indirect=["service"])
def test_the_sample_client_plays_a_whole_game(service: RunningService, seats: int) -> None:
    printed = play(service.url, "--seats", str(seats))
    game_id = printed.split("Game ")[1].split()[0]
    scores = [int(line.split()[-1]) for line in printed.splitlines()[-seats:]]
    assert sum(scores) == 0
    assert f"\nseats: {seats}\n" in printed
    assert printed.count("\nresult: hands_played") == 1

    with httpx.Client(base_url=service.url) as spectator:
        view = spectator.get(f"/v1/games/{game_id}/view").json()
        assert view["game"]["status"] == "finished"
        assert view["state"]["scores"] == scores
        assert len(view["state"]["hand_results"]) == seats
        log = spectator.get(f"/v1/games/{game_id}/events", params={"limit": 1000}).json()
    assert log["next"] is None
    assert [event["version"] for event in log["events"]] == list(range(1, view["version"] + 1))
    assert chain.verify(log["events"]) == log["events"][-1]["hash"]
    assert all(event["salts"].keys() == event["sealed"].keys() for event in log["events"])


def test_the_sample_client_says_when_nobody_answers(tmp_path: Path) -> None:
    command = [sys.executable, "examples/random_game.py", "--url", "http://127.0.0.1:9"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "make run" in done.stderr


@pytest.mark.long
def test_games_outlive_a_restart_on_the_embedded_engine(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        game_id = play(service.url, "--seats", "3").split("Game ")[1].split()[0]
        before = httpx.get(f"{service.url}/v1/games/{game_id}/view").json()
        assert service.stop() == 0
        service.start()
        assert httpx.get(f"{service.url}/v1/games/{game_id}/view").json() == before


def test_a_killed_service_loses_no_acknowledged_action(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WEB_PROCESSES": "2"}) as service:
        ada = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()
        headers = {"Authorization": f"Bearer {ada['token']}"}
        new = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 3, "sandbox": True}
        game = httpx.post(f"{service.url}/v1/games", json=new, headers=headers).json()
        acted = httpx.post(f"{service.url}/v1/games/{game['id']}/actions", json={"type": "pass"}, headers=headers)
        assert acted.status_code == 201
        service.kill()
        service.start()
        page = httpx.get(f"{service.url}/v1/games/{game['id']}/events", headers=headers).json()
        told = acted.json()["events"]
        assert page["events"][-len(told) :] == told
        assert json.dumps(page).count('"passed"') == 1
