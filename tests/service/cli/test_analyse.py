"""`plateau analyse` against a whole service, whose workers analyse, too."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Player, plateau
from tests.support.server import RunningService, wait_until


@pytest.fixture(scope="module")
def ada(service: RunningService) -> Iterator[Player]:
    with Player(service.url) as player:
        yield player


def sandbox(ada: Player) -> str:
    """Create a sandbox of Plateau; return its path."""
    return f"/v1/games/{ada.begin(*[{'player': 'me'}] * 2, ruleset='plateau', sandbox=True)}"


@pytest.fixture(scope="module")
def game(ada: Player) -> str:
    """A game that is over after a few turns that nobody thought about."""
    path = sandbox(ada)
    for _ in range(6):
        ada.ask("POST", f"{path}/actions", ada.ask("GET", f"{path}/legal-actions?limit=1")["actions"][0])
    ada.ask("POST", f"{path}/resign", {"confirm": True})
    return path


def test_an_analysis_of_the_workers_is_that_of_the_command(ada: Player, game: str, tmp_path: Path) -> None:
    ada.ask("POST", f"{game}/analysis", {})

    def shown() -> Any:
        return ada.ask("GET", f"{game}/analysis?limit=100")

    wait_until(lambda: shown()["done"] == shown()["all"], "the analysis")
    found = shown()
    assert found["searched"] == 4, "all but the openings"
    log = tmp_path / "log.json"
    log.write_bytes(ada.get(f"{game}/export?format=audit").content)
    run = plateau("analyse", log, "--top", "100")
    assert run.exit_code == 0, run.output
    told = re.findall(r"(?i)event (\d+), player (\d+): cost (?:about )?([\d.]+)(?: ± ([\d.]+))? %", run.stdout)
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
    options = ("--level", "searcher", "--playouts", "20", "--seat", "1", "--top", "1", "--lang", "fr")
    run = plateau("analyse", game.rpartition("/")[2], *options, "--url", service.url)
    assert run.exit_code == 0, run.output
    assert run.stdout.count("joueur 2") == run.stdout.count("Joué") == 1
