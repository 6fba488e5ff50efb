"""`plateau import` into the store of a service that runs as a process of its own.

`plateau archive` against the service as a process of its own, and the dispatcher that archives by itself.
"""

import json
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import Result

from domain.audit.bundle import read
from domain.laws.play import log_of
from service.cli import many
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from service.runtime.data_folder import socket_path, socket_url
from service.store.event_store import EventStore
from service.store.redis.connections import connect
from tests.support.bundles import written
from tests.support.commands import Player, plateau
from tests.support.random_games import played
from tests.support.server import PATIENCE, RunningService, fetch, running_service, wait_until


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


BOTS = [{"bot": "random"}] * 3


def finished(service: RunningService) -> str:
    """Let bots finish a game; return its id."""
    game = Player(service.url).begin(*BOTS)
    address = f"{service.url}/v1/games/{game}"
    wait_until(lambda: json.loads(fetch(address)[1])["status"] == "finished", "the bots", 2 * PATIENCE)
    return game


@pytest.mark.long
def test_finished_games_go_to_the_archive_and_back(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    archive = {"PLATEAU_ARCHIVE": folder.as_uri()}
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1", **archive}) as service:
        game = finished(service)
        address = f"{service.url}/v1/games/{game}"

        def run(*words: str, env: dict[str, str] = archive) -> Result:
            return plateau(*words, PLATEAU_DATA=service.data, **env)

        asked = ("/view", "/events?limit=1000", "/export?format=bundle", "/audit")
        before = [fetch(f"{address}{each}")[1] for each in asked]
        assert "finished games in the store: 1\n" in run("archive", "status").output
        assert run("archive", "run").output == "games archived: 0\n"  # its time has not come
        assert (run("archive", "run", "--days", "0", env={}).exit_code, any(folder.iterdir())) == (2, False)
        assert run("archive", "run", "--days", "0").output == "games archived: 1\n"
        status = run("archive", "status").output
        assert f"archive: {folder.as_uri()}\narchived games: 1\nfinished games in the store: 0\n" in status
        assert "moved so far: 1 games" in status
        assert [fetch(f"{address}{each}")[1] for each in asked] == before
        assert "0 wrong" in run("verify", "--all").output
        wrong = run("verify", "--all", env={})
        assert (wrong.exit_code, "PLATEAU_ARCHIVE" in wrong.output) == (1, True)
        figures = fetch(f"{service.url}/metrics")[1].decode()
        assert "plateau_archived_games 1.0" in figures
        assert "plateau_games_archived_total 1.0" in figures
        assert run("archive", "bring-back", game, env={}).exit_code == 1
        assert run("archive", "bring-back", game).output == f"{game}: back in the store\n"
        assert run("archive", "bring-back", game).output == f"{game}: in the store already\n"
        assert run("archive", "bring-back", "gm_none").exit_code == 1
        assert [fetch(f"{address}{each}")[1] for each in asked] == before
        folder.rename(folder.with_name("away"))
        away = run("archive", "run", "--days", "0")
        assert (away.exit_code, "mount or make it" in away.output) == (3, True)


@pytest.mark.long
def test_a_dispatcher_archives_by_itself_what_is_old_enough(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1"}) as service:
        game, _ = finished(service), finished(service)
        with connect(socket_url(socket_path(service.data))) as client:
            client.zadd(EventStore(client).shard(game).finished, {game: 1})
    env = {"PLATEAU_WORKERS": "1", "PLATEAU_ARCHIVE": folder.as_uri(), "PLATEAU_ARCHIVE_AFTER_DAYS": "1"}
    with running_service(tmp_path, env) as service:
        wait_until(lambda: any(folder.glob("*/*.zst")), "the archiver", PATIENCE)
        figures = ""

        def is_counted() -> bool:
            nonlocal figures
            figures = fetch(f"{service.url}/metrics")[1].decode()
            return "plateau_archived_games 1.0" in figures

        wait_until(is_counted, "the archived game")
        assert "plateau_finished_games 1.0" in figures
        assert [path.name.partition("-")[0] for path in folder.glob("*/*.zst")] == [game]
        assert json.loads(fetch(f"{service.url}/v1/games/{game}")[1])["status"] == "finished"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"PLATEAU_ARCHIVE": "s3://user:secret@bucket"}, "credentials of a bucket come from the environment"),
        ({"PLATEAU_ARCHIVE": "file://host/folder"}, "allowed: file:///path/of/folder"),
        ({"PLATEAU_ARCHIVE": "http://archive.example"}, "allowed: file:///path/of/folder"),
        ({"PLATEAU_ARCHIVE": "s3:///path"}, "allowed: file:///path/of/folder"),
        ({"PLATEAU_ARCHIVE": "file:///archive", "PLATEAU_MEMORY": "1"}, "exclude each other"),
    ],
)
def test_an_address_that_makes_no_sense_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidSettings, match=said):
        Settings.from_environment(given)


def test_a_bucket_needs_the_library_for_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.archive.buckets.find_spec", lambda _: None)
    Settings.from_environment({"PLATEAU_ARCHIVE": "file:///archive"})
    with pytest.raises(InvalidSettings, match=r"pip install 'plateau-server\[archive\]'"):
        Settings.from_environment({"PLATEAU_ARCHIVE": "s3://bucket/plateau"})
