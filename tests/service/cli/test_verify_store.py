"""`plateau verify --all` on the store of a service: what is on its disk is what was written, or it is named."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from click.testing import Result

from domain.audit.bundle import read
from domain.laws.play import log_of
from service.cli import many
from service.store.event_store import Append, EventStore
from tests.support.commands import plateau
from tests.support.people import Client
from tests.support.random_games import played
from tests.support.server import RunningService, running_service, wait_until
from tests.support.stores import change_on_the_disk, entries_of

ME = {"player": "me"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RunningService]:
    """A service that logs the heads of its games each second, and has no workers who continue games."""
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1", "PLATEAU_HEADS_SECONDS": "1"}) as running:
        yield running


def verify_all(service: RunningService) -> Result:
    return plateau("verify", "--all", PLATEAU_DATA=service.data)


def begun(ada: Client) -> list[str]:
    """Begin two games, and play a little."""
    games = [ada.begin([ME] * 3, sandbox=True) for _ in range(2)]
    for game_id in games:
        for _ in range(3):
            assert ada.ask("POST", f"/v1/games/{game_id}/actions", {"type": "pass"})[0] == 201
    return games


def is_logged(ada: Client, game_id: str) -> Callable[[], bool]:
    """Return whether the head of a game is in the log of heads."""

    def asked() -> bool:
        version = ada.ask("GET", f"/v1/games/{game_id}")[1]["version"]
        status, proof = ada.ask("GET", f"/v1/games/{game_id}/inclusion")
        return bool(status == 200 and proof["version"] == version)

    return asked


@pytest.mark.long
def test_all_games_are_verified_whether_they_are_over_or_not(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (ran := verify_all(service)).exit_code == 0
    assert ran.output == "0 games verified, 0 as far as they go, 0 wrong; 0 events\n"
    begun(Client(service.url))
    with redis.Redis(unix_socket_path=str(service.data / "engine.sock")) as client:
        steps = played("plateau", 2, 0)
        EventStore(client).append(Append(steps[-1].game.id, 0, log_of(steps), head=""))
        for most in (many.MANY, 2):  # in this process, and in several
            monkeypatch.setattr(many, "MANY", most)
            ran = verify_all(service)
            assert (ran.exit_code, ran.stderr) == (0, "")
            assert ran.stdout.startswith("2 games verified, 0 as far as they go, 0 wrong; ")


@pytest.mark.long
def test_a_byte_flipped_on_the_disk_is_named_and_the_other_games_continue(service: RunningService) -> None:
    games = begun(Client(service.url))
    entries = entries_of(service.data, games[0])
    assert service.stop() == 0
    change_on_the_disk(service.data, games[0], entries[4])
    service.start()
    ran = verify_all(service)
    assert ran.exit_code == 1
    assert f"{games[0]}: WRONG: version 5, " in ran.stderr
    assert ran.stdout.startswith("1 games verified, 0 as far as they go, 1 wrong; ")


@pytest.mark.long
def test_a_torn_file_is_noticed_by_those_alone_who_kept_a_receipt(service: RunningService) -> None:
    """The engine starts with what it can read: one game is shorter, and the log of heads is torn with it."""
    ada = Client(service.url)
    games = begun(ada)
    for game_id in games:
        wait_until(is_logged(ada, game_id), "the head to be logged")
    entries, bundle = entries_of(service.data, games[1]), f"/v1/games/{games[1]}/export?format=bundle"
    (receipt,) = read(ada.ask("GET", bundle)[1]).signed["receipt"]
    assert ada.ask("POST", "/v1/verify-receipt", receipt)[1] == {"signed": True, "log": "matches"}
    assert service.stop() == 0
    (aof,) = (service.data / "appendonlydir").glob("*.incr.aof")
    written = aof.read_bytes()
    aof.write_bytes(written[: written.index(entries[-1]) + 20])
    service.start()
    assert len(entries_of(service.data, games[1])) < len(entries)
    assert verify_all(service).exit_code == 0
    assert ada.ask("POST", "/v1/verify-receipt", receipt)[1] == {"signed": True, "log": "contradicts"}
    (kept := service.data / "kept").write_text(json.dumps(receipt))
    (saved := service.data / "game.jsonl").write_bytes(ada.ask("GET", bundle)[1])
    ran = plateau("verify", saved, "--receipts", kept)
    assert (ran.exit_code, "your receipt 1 is of version " in ran.stdout) == (3, True)
