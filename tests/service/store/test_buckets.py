"""An archive in a bucket, on a server that speaks the protocol of S3 (``tests.service.store.buckets``)."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import fakeredis
import pytest

from service.store.archive import buckets as archive_places
from service.store.archive.buckets import ArchiveUnavailable, Place, place_at
from service.store.archiving import Archive
from service.store.event_store import EventStore
from tests.service.store.buckets import Bucket, environment, running_bucket
from tests.support.games import append_of
from tests.support.people import Client
from tests.support.random_games import log_of, played
from tests.support.server import PATIENCE, ROOT, fetch, running_service, wait_until

ADDRESS = "s3://games/kept/here"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    with running_bucket(monkeypatch) as bucket:
        yield bucket


@pytest.fixture
def place(bucket: Bucket) -> Place:
    place = place_at(ADDRESS)
    assert place is not None
    return place


def test_objects_are_put_below_the_path_of_the_address_and_read_back(bucket: Bucket, place: Place) -> None:
    assert (place.get("aa/x"), place.size("aa/x")) == (None, None)
    place.put("aa/x", b"one")
    place.put("aa/x", b"other")
    assert (place.get("aa/x"), place.size("aa/x")) == (b"other", 5)
    assert bucket.objects == {"kept/here/aa/x": b"other"}
    assert place.address == ADDRESS


@pytest.mark.parametrize("status", [400, 403, 500, 503])
def test_a_bucket_that_refuses_or_fails_is_away_and_no_object_is_taken_for_missing(
    bucket: Bucket, place: Place, status: int
) -> None:
    bucket.status = status
    for ask in (lambda: place.get("aa/x"), lambda: place.size("aa/x"), lambda: place.put("aa/x", b"")):
        with pytest.raises(ArchiveUnavailable, match=f"the archive {ADDRESS} cannot be used") as raised:
            ask()
        assert "secret" not in str(raised.value)


def test_a_bucket_that_does_not_answer_holds_nobody_up_for_long(bucket: Bucket, place: Place) -> None:
    bucket.close()
    began = time.monotonic()
    with pytest.raises(ArchiveUnavailable):
        place.get("aa/x")
    assert time.monotonic() - began < PATIENCE


def test_a_game_is_moved_there_and_read_and_brought_back(bucket: Bucket, place: Place) -> None:
    steps = played("plateau", 2, 1)
    game_id, log = steps[-1].game.id, log_of(steps)
    store = EventStore(fakeredis.FakeRedis(server=fakeredis.FakeServer()), archive=place)
    for step in steps:
        store.append(append_of(step))
    bucket.status = 503
    with pytest.raises(ArchiveUnavailable):
        Archive(store, place).move_out(game_id)
    bucket.status = 0
    assert Archive(store, place).move_out(game_id).result == "out"
    assert [command for command, _ in bucket.asked[-3:]] == ["GET", "PUT", "GET"]
    assert store.read(game_id) == log
    assert EventStore(store.client, archive=place_at(ADDRESS)).read(game_id) == log
    assert store.bring_back(game_id)
    assert store.read(game_id) == log


def test_the_library_is_loaded_only_for_buckets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "obstore", None)
    monkeypatch.setitem(__import__("sys").modules, "obstore.store", None)
    folder = place_at(tmp_path.as_uri())
    assert isinstance(folder, archive_places.Folder)
    with pytest.raises(ImportError):
        place_at(ADDRESS)


@pytest.mark.parametrize("address", ["gs://games/path", "az://games/path"])
def test_the_other_kinds_of_buckets_can_be_set_up(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_SKIP_SIGNATURE", "true")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", "ada")
    assert getattr(place_at(address), "address", None) == address


@pytest.mark.long
def test_a_service_archives_into_a_bucket_and_all_games_verify(bucket: Bucket, tmp_path: Path) -> None:
    env = {"PLATEAU_WORKERS": "1", "PLATEAU_ARCHIVE": ADDRESS, **environment(bucket)}
    with running_service(tmp_path, env) as service:
        client = Client(service.url)
        games = [client.begin([{"bot": "random"}] * 2, ruleset="plateau") for _ in range(9)]

        def is_over(game: str) -> bool:
            return bool(json.loads(fetch(f"{service.url}/v1/games/{game}")[1])["status"] == "finished")

        wait_until(lambda: all(map(is_over, games)), "the bots", 4 * PATIENCE)
        before = [fetch(f"{service.url}/v1/games/{game}/events?limit=1000")[1] for game in games]
        given = {**env, "PLATEAU_DATA": str(service.data), "REDIS_URL": ""}

        def run(*words: str) -> str:
            command = [sys.executable, "-m", "service.cli.main", *words]
            ran = subprocess.run(
                command, env={**os.environ, **given}, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
            )
            return ran.stdout

        assert run("archive", "run", "--days", "0") == "games archived: 9\n"
        assert len(bucket.objects) == 9
        assert [fetch(f"{service.url}/v1/games/{game}/events?limit=1000")[1] for game in games] == before
        assert "9 games verified" in run("verify", "--all")
