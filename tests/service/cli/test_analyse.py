"""Hints and analyses of a whole service, and `plateau analyse` against it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from service.cli.main import main
from tests.support.server import PATIENCE, RunningService, wait_until


@pytest.fixture(scope="module")
def ada(service: RunningService) -> Iterator[httpx.Client]:
    """A player."""
    token = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()["token"]
    with httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as client:
        yield client


def created(ada: httpx.Client) -> str:
    """Create a sandbox of Plateau; return its path."""
    asked = {"ruleset": "plateau", "seats": [{"player": "me"}] * 2, "sandbox": True}
    return f"/v1/games/{ada.post('/v1/games', json=asked).raise_for_status().json()['id']}"


@pytest.fixture(scope="module")
def game(ada: httpx.Client) -> str:
    """A game that is over after a few turns that nobody thought about."""
    path = created(ada)
    for _ in range(6):
        legal = ada.get(f"{path}/legal-actions?limit=1").json()["actions"]
        ada.post(f"{path}/actions", json=legal[0]).raise_for_status()
    ada.post(f"{path}/resign", json={"confirm": True}).raise_for_status()
    return path


def analyse(game: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["analyse", game, *options], env={"PLATEAU_TOKEN": None, "PLATEAU_URL": None})


def test_a_hint_arrives_with_the_answer(ada: httpx.Client) -> None:
    path = created(ada)
    answers: list[Any] = []

    def given() -> bool:
        answers.append(ada.post(f"{path}/hints", json={}))
        return bool(answers[-1].status_code == 200)

    wait_until(given, "a hint")
    hint = answers[-1].json()
    assert {each.status_code for each in answers[:-1]} <= {503}
    assert ada.post(f"{path}/actions?dry_run=true", json=hint["weighed"][0]["action"]).status_code == 200
    assert hint["reason"]["text"]


def test_an_analysis_is_made_by_the_workers_and_is_that_of_the_command(
    service: RunningService, ada: httpx.Client, game: str, tmp_path: Path
) -> None:
    ada.post(f"{game}/analysis", json={}).raise_for_status()

    def shown() -> Any:
        return ada.get(f"{game}/analysis", params={"limit": 100}).json()

    wait_until(lambda: shown()["done"] == shown()["all"], "the analysis")
    found = shown()
    assert found["searched"] == 4, "all but the openings"
    log = tmp_path / "log.json"
    log.write_text(json.dumps(ada.get(f"{game}/export", params={"format": "audit"}).json()))
    run = analyse(str(log), "--top", "100")
    assert run.exit_code == 0, run.output
    told = re.findall(
        r"version (\d+), seat (\d+): cost (?:about )?([\d.]+)(?: ± ([\d.]+))? %",
        run.stdout.replace("Version", "version"),
    )
    asked = [
        (
            str(move["version"]),
            str(move["seat"] + 1),
            f"{move['cost'] / 20:.1f}",
            f"{move['error'] / 20:.1f}" if move["error"] else "",
        )
        for move in found["moves"]
    ]
    assert told
    assert sorted(told) == sorted(asked)
    assert run.stdout.splitlines()[-1].startswith(f"decisions: {found['all']}, searched: {found['searched']}")
    assert "decisions" in run.stderr, "the progress"


def test_the_command_shows_what_is_asked_for(service: RunningService, game: str) -> None:
    name = game.rpartition("/")[2]
    options = ("--level", "searcher", "--playouts", "20", "--seat", "1", "--top", "1", "--lang", "fr")
    run = analyse(name, *options, "--url", service.url)
    assert run.exit_code == 0, run.output
    assert run.stdout.count("joueur 2") == run.stdout.count("Joué") == 1


def test_a_game_that_goes_on_is_not_analysed(service: RunningService, ada: httpx.Client) -> None:
    run = analyse(created(ada).rpartition("/")[2], "--url", service.url)
    assert (run.exit_code, "the game is not over" in run.output) == (5, True)


def test_what_is_no_game_is_not_analysed(service: RunningService, tmp_path: Path) -> None:
    assert analyse("gm_none", "--url", service.url).exit_code == 1
    assert analyse("gm_none", "--url", "http://127.0.0.1:9").exit_code == 3
    assert analyse("gm_none", "--level", "random").exit_code == 2
    (tmp_path / "log.json").write_text("")
    assert analyse(str(tmp_path / "log.json")).exit_code == 2
