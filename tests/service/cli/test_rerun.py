"""`plateau rerun` against a service as a process of its own, and against logs in files."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.log import chain
from service.bots import BOTS, RANDOM
from tests.support.commands import Player, plateau
from tests.support.server import RunningService, wait_until


@pytest.fixture(scope="module")
def game(service: RunningService) -> str:
    """A game that bots have finished."""
    game_id = Player(service.url).begin(*[{"bot": RANDOM}] * 2)
    url = f"{service.url}/v1/games/{game_id}"
    wait_until(lambda: httpx.get(url).json()["status"] == "finished", "the game to end")
    return game_id


@pytest.fixture(scope="module")
def audit(service: RunningService, game: str) -> Any:
    """The log of that game as an export."""
    return httpx.get(f"{service.url}/v1/games/{game}/export?format=audit").json()


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[Any], str]:
    """Save a log, with its chain computed again; return the file."""

    def save(log: Any) -> str:
        head = chain.GENESIS
        for event in log["events"]:
            head = event["hash"] = chain.link(head, chain.sealed_form(event))
        log["head"] = head
        (tmp_path / "log.json").write_text(json.dumps(log))
        return str(tmp_path / "log.json")

    return save


def moves(audit: Any) -> list[Any]:
    """List the events with which moves of bots begin."""
    return [event for event in audit["events"] if "bot" in event]


def test_every_move_of_the_bots_is_the_same_again(service: RunningService, game: str, audit: Any) -> None:
    run = plateau("rerun", game, "--url", service.url)
    assert run.exit_code == 0, run.output
    *lines, summary = run.output.splitlines()
    assert [int(line.split()[0]) for line in lines] == [event["version"] for event in moves(audit)]
    assert summary == f"moves made again: {len(lines)}, of which differ: 0"
    assert len(lines) > 20


def test_one_move_is_made_again_from_a_file(audit: Any, saved: Callable[[Any], str]) -> None:
    event = moves(audit)[5]
    run = plateau("rerun", saved(deepcopy(audit)), event["version"])
    assert run.exit_code == 0, run.output
    line = run.output.splitlines()[0]
    assert line.split(":")[0].split() == [str(event["version"]), "seat", str(event["seat"] + 1), "random", "1"]
    assert json.loads(line.partition(": ")[2])["type"]


def other_move(event: Any) -> None:
    event |= {"type": "passed", "data": {}} if event["type"] == "bid_made" else {"type": "bid_made"}


def other_seed(event: Any) -> None:
    event["bot"]["thought"]["seed"] = 1
    event["sealed"][chain.THOUGHT] = chain.seal(event["salts"][chain.THOUGHT], event["bot"]["thought"])


def more_playouts(event: Any) -> None:
    event["bot"]["playouts"] = 1000


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (other_move, "DIFFERS: the log has "),
        (other_seed, "its seed does not follow"),
        (more_playouts, "DIFFERS: random 1 has 0 playouts at most, not 1000"),
    ],
)
def test_a_move_that_the_bot_did_not_make_is_found(
    audit: Any, saved: Callable[[Any], str], forge: Callable[[Any], None], said: str
) -> None:
    log = deepcopy(audit)
    forge(event := moves(log)[0])
    run = plateau("rerun", saved(log), event["version"])
    assert (run.exit_code, said in run.output) == (4, True), run.output


def change_a_name(log: Any) -> None:
    moves(log)[0]["bot"]["name"] = "greedy"


def cut_the_end(log: Any) -> None:
    del log["events"][-3:]


@pytest.mark.parametrize(("damage", "said"), [(change_a_name, "does not verify"), (cut_the_end, "its end is missing")])
def test_a_log_that_was_changed_is_not_repeated(
    audit: Any, tmp_path: Path, damage: Callable[[Any], None], said: str
) -> None:
    damage(log := deepcopy(audit))
    (tmp_path / "log.json").write_text(json.dumps(log))
    run = plateau("rerun", tmp_path / "log.json")
    assert (run.exit_code, said in run.output) == (5, True)


@pytest.mark.parametrize("command", ["rerun", "analyse"])
def test_a_log_of_a_ruleset_that_is_not_installed(audit: Any, saved: Callable[[Any], str], command: str) -> None:
    log = deepcopy(audit)
    log["events"][0]["data"]["ruleset"] = "no-such-game"
    run = plateau(command, saved(log))
    assert (run.exit_code, "no-such-game of the game is not installed here" in run.output) == (5, True)


def test_a_bot_of_another_version_is_not_asked(
    audit: Any, saved: Callable[[Any], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, RANDOM, type(BOTS[RANDOM])("Newer.", BOTS[RANDOM].policy, version=2))  # type: ignore[arg-type]
    run = plateau("rerun", saved(deepcopy(audit)), moves(audit)[0]["version"])
    assert (run.exit_code, "random 1 is not here" in run.output) == (5, True)


def test_a_version_with_which_no_move_of_a_bot_begins(audit: Any, saved: Callable[[Any], str]) -> None:
    run = plateau("rerun", saved(deepcopy(audit)), 1)
    assert (run.exit_code, "no move of a bot begins" in run.output) == (5, True)


@pytest.mark.parametrize("command", ["rerun", "analyse"])
@pytest.mark.parametrize("content", ["", "[]", "{}", '{"events": []}', '{"events": [{"version": 1}]}'])
def test_a_file_that_is_no_log(tmp_path: Path, content: str, command: str) -> None:
    (tmp_path / "log.json").write_text(content)
    assert plateau(command, tmp_path / "log.json").exit_code == (5 if content else 2)


@pytest.mark.parametrize("command", ["rerun", "analyse"])
def test_a_game_that_is_not_over(service: RunningService, command: str) -> None:
    game = Player(service.url).begin(*[{"player": "me"}] * 2, sandbox=True)
    run = plateau(command, game, "--url", service.url)
    assert (run.exit_code, "the game is not over" in run.output) == (5, True)
