"""`plateau rerun` against a service as a process of its own, and against logs in files."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from domain.log import chain
from service.bots import BOTS, RANDOM
from service.cli.main import main
from tests.support.server import RunningService, wait_until


def created(service: RunningService, *seats: str, **more: object) -> str:
    """Create a game of Le Plateau, whose seats are those of bots or the player's."""
    token = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()["token"]
    taken = [{"player": "me"} if name == "me" else {"bot": name} for name in seats]
    asked = {"ruleset": "le-plateau", "seats": taken, **more}
    answer = httpx.post(f"{service.url}/v1/games", json=asked, headers={"Authorization": f"Bearer {token}"})
    game_id: str = answer.raise_for_status().json()["id"]
    return game_id


@pytest.fixture(scope="module")
def game(service: RunningService) -> str:
    """A game that bots have finished."""
    game_id = created(service, RANDOM, RANDOM)
    url = f"{service.url}/v1/games/{game_id}"
    wait_until(lambda: httpx.get(url).json()["status"] == "finished", "the game to end")
    return game_id


@pytest.fixture(scope="module")
def audit(service: RunningService, game: str) -> Any:
    """The log of that game as an export."""
    return httpx.get(f"{service.url}/v1/games/{game}/export?format=audit").json()


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[Any], str]:
    """Save a log, with its chain computed anew; return the file."""

    def save(log: Any) -> str:
        head = chain.GENESIS
        for event in log["events"]:
            sealed_form = chain._sealed_form(event)
            head = event["hash"] = chain.link(head, sealed_form)
        log["head"] = head
        (tmp_path / "log.json").write_text(json.dumps(log))
        return str(tmp_path / "log.json")

    return save


def rerun(game: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["rerun", game, *options], env={"PLATEAU_TOKEN": None, "PLATEAU_URL": None})


def moves(audit: Any) -> list[Any]:
    """List the events with which moves of bots begin."""
    return [event for event in audit["events"] if "bot" in event]


def test_every_move_of_the_bots_is_the_same_again(service: RunningService, game: str, audit: Any) -> None:
    run = rerun(game, "--url", service.url)
    assert run.exit_code == 0, run.output
    *lines, summary = run.output.splitlines()
    assert [int(line.split()[0]) for line in lines] == [event["version"] for event in moves(audit)]
    assert summary == f"moves made again: {len(lines)}, of which differ: 0"
    assert len(lines) > 20


def test_one_move_is_made_again(service: RunningService, game: str, audit: Any) -> None:
    event = moves(audit)[5]
    run = rerun(game, str(event["version"]), "--url", service.url)
    assert run.exit_code == 0, run.output
    line = run.output.splitlines()[0]
    assert line.split(":")[0].split() == [str(event["version"]), "seat", str(event["seat"] + 1), "random", "1"]
    assert json.loads(line.partition(": ")[2])["type"]


def test_a_log_in_a_file_is_enough(audit: Any, saved: Callable[[Any], str]) -> None:
    assert rerun(saved(deepcopy(audit)), str(moves(audit)[0]["version"])).exit_code == 0


def test_a_version_with_which_no_move_of_a_bot_begins(service: RunningService, game: str) -> None:
    run = rerun(game, "1", "--url", service.url)
    assert (run.exit_code, "no move of a bot begins" in run.output) == (5, True)


def forged(audit: Any, **changes: object) -> Any:
    """Change what the log says of the first move of a bot with several legal actions, and seal it again."""
    log = deepcopy(audit)
    event = moves(log)[0]
    event["bot"]["thought"] |= changes
    event["sealed"][chain.THOUGHT] = chain.seal(event["salts"][chain.THOUGHT], event["bot"]["thought"])
    return log


def test_a_move_that_the_bot_would_not_have_made_is_found(audit: Any, saved: Callable[[Any], str]) -> None:
    log = deepcopy(audit)
    event = moves(log)[0]
    assert event["type"] in {"passed", "bid_made"}
    other = {"type": "passed", "data": {}} if event["type"] == "bid_made" else {"type": "bid_made"}
    run = rerun(saved(_with(log, event | other)), str(event["version"]))
    assert run.exit_code == 4, run.output
    assert f"DIFFERS: the log has {other['type']}" in run.output


def _with(log: Any, event: Any) -> Any:
    log["events"][event["version"] - 1] = event
    return log


def test_a_seed_that_does_not_follow_from_the_secret_is_found(audit: Any, saved: Callable[[Any], str]) -> None:
    run = rerun(saved(forged(audit, seed=1)), str(moves(audit)[0]["version"]))
    assert (run.exit_code, "its seed does not follow" in run.output) == (4, True)


def test_playouts_that_the_bot_does_not_have_are_found(audit: Any, saved: Callable[[Any], str]) -> None:
    log = deepcopy(audit)
    event = moves(log)[0]
    event["bot"]["playouts"] = 1000
    run = rerun(saved(log), str(event["version"]))
    assert run.exit_code == 4, run.output
    assert "DIFFERS: random 1 has 0 playouts at most, not 1000" in run.output


def test_a_log_that_was_changed_does_not_verify(audit: Any, tmp_path: Path) -> None:
    log = deepcopy(audit)
    moves(log)[0]["bot"]["name"] = "greedy"
    (tmp_path / "log.json").write_text(json.dumps(log))
    run = rerun(str(tmp_path / "log.json"))
    assert (run.exit_code, "does not verify" in run.output) == (5, True)


def test_a_log_whose_end_is_missing_does_not_verify(audit: Any, tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text(json.dumps(audit | {"events": audit["events"][:-3]}))
    run = rerun(str(tmp_path / "log.json"))
    assert (run.exit_code, "its end is missing" in run.output) == (5, True)


@pytest.mark.parametrize("command", ["rerun", "analyse"])
def test_a_log_of_a_ruleset_that_is_not_installed(audit: Any, saved: Callable[[Any], str], command: str) -> None:
    log = deepcopy(audit)
    log["events"][0]["data"]["ruleset"] = "no-such-game"
    run = CliRunner().invoke(main, [command, saved(log)], env={"PLATEAU_TOKEN": None, "PLATEAU_URL": None})
    assert (run.exit_code, "no-such-game of the game is not installed here" in run.output) == (5, True)


def test_a_bot_of_another_version_is_not_asked(
    audit: Any, saved: Callable[[Any], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, RANDOM, type(BOTS[RANDOM])("Newer.", BOTS[RANDOM].policy, version=2))  # type: ignore[arg-type]
    run = rerun(saved(deepcopy(audit)), str(moves(audit)[0]["version"]))
    assert (run.exit_code, "random 1 is not here" in run.output) == (5, True)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"events": []}', '{"events": [{"version": 1}]}'])
def test_a_file_that_is_no_log(tmp_path: Path, content: str) -> None:
    (tmp_path / "log.json").write_text(content)
    assert rerun(str(tmp_path / "log.json")).exit_code == (5 if content else 2)


def test_a_game_that_is_not_over(service: RunningService) -> None:
    run = rerun(created(service, "me", "me", sandbox=True), "--url", service.url)
    assert (run.exit_code, "the game is not over" in run.output) == (5, True)


def test_a_game_that_there_is_not(service: RunningService) -> None:
    assert rerun("gm_none", "--url", service.url).exit_code == 1


def test_a_service_that_there_is_not() -> None:
    assert rerun("gm_none", "--url", "http://127.0.0.1:9").exit_code == 3
