"""`plateau import` into the store of a service that runs as a process of its own."""

from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import Result

from domain.audit.bundle import read
from domain.laws.play import log_of
from service.cli import many
from tests.support.bundles import written
from tests.support.commands import plateau
from tests.support.random_games import played
from tests.support.server import RunningService


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Save the bundles of three games."""
    paths = []
    for seed in range(3):
        steps = played("plateau", 2, seed)
        paths.append(tmp_path / f"{seed}.jsonl")
        paths[-1].write_bytes(written(steps[-1].game, log_of(steps)))
    return paths


def imports(service: RunningService, *arguments: object) -> Result:
    return plateau("import", *arguments, PLATEAU_DATA=service.data)


def test_games_are_imported_once_and_the_service_shows_them(service: RunningService, files: list[Path]) -> None:
    name = read(files[0].read_bytes()).header["game_id"]
    ran = imports(service, files[0])
    assert (ran.exit_code, ran.output) == (0, f"{files[0]}: {name}: imported\n")
    assert imports(service, files[0]).output == f"{files[0]}: {name}: known\n"
    with urlopen(f"{service.url}/v1/games/{name}/export?format=bundle") as answer:
        (again := files[0].with_name("again.jsonl")).write_bytes(answer.read())
    assert plateau("verify", again).exit_code == 0
    assert read(again.read_bytes()).events == read(files[0].read_bytes()).events


def test_many_are_imported_and_each_that_is_refused_is_named(
    service: RunningService, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many, "MANY", 3)
    text = files[1].read_text()
    files[1].write_text(text.replace('"seat": 1', '"seat": 0', 1))
    ran = imports(service, files[0].parent)
    assert ran.exit_code == 1
    assert f"{files[1]}: REFUSED: it does not verify: version " in ran.stderr
    assert ran.stdout.count("\n") == 2
    files[1].write_text(text[:-1])
    ran = imports(service, files[0].parent)
    assert (ran.exit_code, "unreadable" in ran.stderr, ran.stdout.count(": known\n")) == (2, True, 2)


def test_without_a_file_or_with_keys_that_are_none_nothing_is_imported(
    service: RunningService, files: list[Path], tmp_path: Path
) -> None:
    (empty := tmp_path / "empty").mkdir()
    assert imports(service, empty).exit_code == 2
    assert imports(service, files[0], "--keys", files[0]).exit_code == 2
