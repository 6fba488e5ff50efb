"""`plateau backup` and `plateau restore` with the service as a process of its own, whose data is destroyed."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner, Result

from service.cli.backups import backup, restore
from service.store.redis import redis_rights
from tests.service.store.redis_users import refused, restricted
from tests.support.backups import played_store
from tests.support.people import Client
from tests.support.server import PROGRAMS, RealServer, RunningService, running_service, wait_until

ME, BOT, OPEN = {"player": "me"}, {"bot": "random"}, {"open": True}


def run(command: Any, *words: str | Path, **env: str) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words], env={"REDIS_URL": "", **env})


def printed_key(made: Result) -> str:
    """Return the public key that `plateau backup` has printed."""
    (key,) = re.findall(r"signed with the key ([0-9a-f]{64})", made.output)
    return str(key)


@pytest.fixture(params=["embedded", *(pytest.param(kind, marks=pytest.mark.long) for kind in PROGRAMS)])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[RunningService, dict[str, str]]]:
    """The service, and the variables that name its store to commands; with one worker."""
    env = {"PLATEAU_WORKERS": "1"}
    if request.param == "embedded":
        with running_service(tmp_path, env) as running:
            yield running, {"PLATEAU_DATA": str(running.data)}
        return
    server = RealServer.start(request.param, tmp_path / "server")
    try:
        with running_service(tmp_path, {**env, "REDIS_URL": server.url}) as running:
            yield running, {"REDIS_URL": server.url}
    finally:
        server.stop()


def destroy(service: RunningService, where: dict[str, str]) -> None:
    """Stop the service at once, and destroy its data."""
    service.stop()
    if "REDIS_URL" in where:
        with redis.Redis.from_url(where["REDIS_URL"]) as client:
            client.flushall()
    else:
        shutil.rmtree(service.data)


@pytest.mark.long
def test_what_was_destroyed_is_restored_and_everything_continues(
    service: tuple[RunningService, dict[str, str]], tmp_path: Path
) -> None:
    running, where = service
    ada, folder = Client(running.url), tmp_path / "backups"
    me = ada.ask("GET", "/v1/me")[1]
    alone = ada.begin([ME] * 3, sandbox=True)
    action = ada.ask("GET", f"/v1/games/{alone}/legal-actions")[1]["actions"][0]
    acted = ada.ask("POST", f"/v1/games/{alone}/actions", action, Idempotency_Key="once")
    open_game = ada.begin([ME, OPEN], ruleset="plateau")
    bots = ada.begin([BOT] * 3, options={"hands": 30})
    wait_until(lambda: ada.ask("GET", f"/v1/games/{bots}")[1]["version"] > 20, "the bots")

    first = run(backup, folder, **where)
    assert first.exit_code == 0, first.output
    later = run(backup, folder, "--keep", "1", **where)
    assert later.exit_code == 0, later.output
    assert "everything acknowledged before" in later.output
    shown = ada.ask("GET", f"/v1/games/{alone}")[1]
    keys_then = ada.ask("GET", "/.well-known/plateau-keys.json")[1]
    destroy(running, where)

    key = printed_key(later)
    assert key in {each["public_key"] for each in keys_then["keys"]}
    doubtful = run(restore, folder, **where)
    assert (doubtful.exit_code, f"add: --key {key}" in doubtful.output) == (4, True)
    checked = run(restore, folder, "--check", "--key", key, **where)
    assert (checked.exit_code, "whole; 3 games" in checked.output) == (0, True)
    (tmp_path / "keys.json").write_text(json.dumps(keys_then))
    restored = run(restore, folder, "--keys", tmp_path / "keys.json", **where)
    assert restored.exit_code == 0, restored.output
    assert "restored as of" in restored.output
    assert run(restore, folder, "--key", key, **where).exit_code == 4

    running.start()
    assert ada.ask("GET", "/v1/me")[1] == me
    assert ada.ask("GET", f"/v1/games/{alone}")[1] == shown
    assert ada.ask("POST", f"/v1/games/{alone}/actions", action, Idempotency_Key="once") == acted
    assert ada.ask("GET", "/.well-known/plateau-keys.json")[1] == keys_then
    assert {each["id"] for each in ada.ask("GET", "/v1/me/games")[1]["items"]} == {alone, open_game, bots}
    bob = Client(running.url)
    assert bob.ask("POST", f"/v1/games/{open_game}/seats", {"seat": 1})[0] in {200, 201}
    before = ada.ask("GET", f"/v1/games/{bots}")[1]["version"]
    wait_until(lambda: ada.ask("GET", f"/v1/games/{bots}")[1]["version"] > before + 20, "the bots to continue")
    wait_until(lambda: ada.ask("GET", "/v1/me/events")[1]["events"], "notices")


def test_wrong_folders_and_stores_are_refused_in_one_line(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    data = {"PLATEAU_DATA": str(tmp_path / "data")}
    for command, words, code, said in (
        (backup, [empty], 3, "no service runs"),
        (restore, [empty], 4, "there is no backup in"),
        (restore, [tmp_path / "nowhere"], 2, "does not exist"),
    ):
        result = run(command, *words, **data)
        assert (result.exit_code, said in result.output) == (code, True), result.output


def test_a_backup_is_made_though_a_damaged_one_keeps_the_earlier_ones(tmp_path: Path) -> None:
    server, folder = RealServer.start("valkey", tmp_path / "server"), tmp_path / "backups"
    try:
        with redis.Redis.from_url(server.url) as client:
            played_store(client, games=1)
        for _ in range(2):
            made = run(backup, folder, REDIS_URL=server.url)
            assert made.exit_code == 0
        oldest, newer = sorted(folder.glob("*.manifest.json"))
        oldest.write_text("{}")
        again = run(backup, folder, "--keep", "3", REDIS_URL=server.url)
        assert again.exit_code == 4
        assert "everything acknowledged before" in again.output
        assert f"no earlier backup was removed: {oldest} is damaged" in again.output
        newest = max(folder.glob("*.manifest.json"))
        assert newest not in {oldest, newer}
        assert run(restore, folder, "--check", "--key", printed_key(made)).exit_code == 0
        assert run(backup, folder, "--keep", "2", REDIS_URL=server.url).exit_code == 0
        assert not oldest.exists()
    finally:
        server.stop()


def test_a_user_with_the_rights_that_the_commands_ask_for_can_back_up_and_restore(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path / "server", tcp=True)
    try:
        with redis.Redis.from_url(server.url) as client:
            played_store(client, games=2)
            copied = run(backup, tmp_path / "backups", REDIS_URL=restricted(server, "operator", redis_rights.BACKUP))
            assert copied.exit_code == 0, copied.output
            client.flushall()
            lacking = [need for need in redis_rights.RESTORE if need != "+scan"]
            words = [tmp_path / "backups", "--key", printed_key(copied)]
            result = run(restore, *words, REDIS_URL=restricted(server, "operator", lacking))
            assert (result.exit_code, "+scan" in result.output) == (3, True), result.output
            client.acl_log_reset()
            result = run(restore, *words, REDIS_URL=restricted(server, "operator", redis_rights.RESTORE))
            assert result.exit_code == 0, result.output
            assert refused(server) == []
    finally:
        server.stop()
