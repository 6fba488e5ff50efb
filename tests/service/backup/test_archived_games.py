"""Backups of a store with archived games: the pointers are in them, and a restoration needs the archive."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from domain.game.timeouts import ENDLESS
from service.backup.parts import BackupError, Folder
from service.backup.restoring import Restored, Restorer
from service.common import wall_clock
from service.doctor.examination import Patient, examine
from service.store.archive.archived_games import head_in, name_of
from service.store.archive.buckets import Folder as Place
from service.store.archiving import Archive
from service.store.event_store import EventStore
from service.store.game_lists import GameLists, Part
from service.store.redis.connections import connect
from service.store.waiting import archived
from service.transparency.key_ring import KeyRing
from tests.support.backups import SHARDS, back_up, lasting, read_manifest
from tests.support.games import ADA, choose, order, sandbox, spec
from tests.support.wiring import Games


@pytest.fixture
def client(valkey_url: str) -> Iterator[redis.Redis]:
    """A client of an empty store."""
    with connect(valkey_url) as it:
        it.flushall()
        yield it


class Kept:
    """A store with a finished game and one that continues, and its archive."""

    def __init__(self, client: redis.Redis, folder: Path) -> None:
        folder.mkdir()
        self.client, self.place = client, Place(folder)
        self.store = EventStore(client, SHARDS, archive=self.place)
        self.store.check(allow_unsafe=True)
        self.store.naming_secret()
        KeyRing(client, wall_clock.now).periods()
        games = Games(self.store)
        self.going_on = sandbox(games)
        self.over = games.create(ADA, spec([True, True], ruleset="plateau"))[0]
        rng = random.Random(1)
        while not (game := games.current(self.over)).is_over:
            seat, action = choose(game, rng)
            games.act(self.over, ADA, order(action, seat=seat))
        self.log = self.store.read(self.over)

    def move_out(self) -> None:
        assert Archive(self.store, self.place).move_out(self.over).result == "out"

    @property
    def object(self) -> str:
        pointer = self.client.hget(self.store.shard(self.over).archived, self.over)
        return name_of(head_in(self.over, pointer))

    def restore(self, path: Path, place: Place | None, shards: int = SHARDS) -> Restored:
        return Restorer(self.client, shards, ENDLESS, place=place).restore(Folder(path), read_manifest(path))

    def found(self, place: Place | None, *, mends: bool = False) -> list[tuple[str, str]]:
        """What the doctor finds of games: check and problem."""
        patient = Patient(self.client, self.client, SHARDS, ENDLESS, archive=place)
        findings = examine(patient, games=True, mends=mends, told=lambda _: None)
        return [(each.check, each.problem) for each in findings if each.check in ("chains", "lists", "archive")]


@pytest.fixture
def kept(client: redis.Redis, tmp_path: Path) -> Kept:
    return Kept(client, tmp_path / "archive")


def but_heads(client: redis.Redis) -> dict[bytes, object]:
    return {key: value for key, value in lasting(client).items() if not key.endswith(b":unlogged")}


def test_archived_games_come_back_with_the_rest_and_their_logs_stay_in_the_archive(kept: Kept, tmp_path: Path) -> None:
    kept.move_out()
    before = but_heads(kept.client)
    manifest, counts = back_up(kept.client, tmp_path / "backups")
    assert (manifest.games, counts.new_events) == (2, len(kept.store.read(kept.going_on)))
    assert manifest.events == counts.new_events + len(kept.log)
    kept.client.flushall()
    restored = kept.restore(tmp_path / "backups", kept.place)
    assert (restored.games, restored.events) == (2, manifest.events)
    assert but_heads(kept.client) == before
    assert kept.store.read(kept.over) == kept.log
    assert [*Archive(kept.store, kept.place).due(2**52)] == []
    assert kept.found(kept.place) == []


def test_archived_games_come_back_with_another_number_of_shards(kept: Kept, tmp_path: Path) -> None:
    kept.move_out()
    back_up(kept.client, tmp_path / "backups")
    kept.client.flushall()
    kept.restore(tmp_path / "backups", kept.place, shards=5)
    store = EventStore(kept.client, 5, archive=kept.place)
    assert store.read(kept.over) == kept.log
    assert len(GameLists(store).of_player(ADA.player, Part()).games) == 2


def test_a_game_that_goes_to_the_archive_and_back_between_backups_is_whole_in_each(kept: Kept, tmp_path: Path) -> None:
    """Each backup is whole by itself, and the ones before and after are as well."""
    path, made = tmp_path / "backups", []
    for step in (lambda: None, kept.move_out, lambda: kept.store.bring_back(kept.over)):
        step()
        made.append(back_up(kept.client, path)[0])
    assert [read_manifest(path, each.name).games for each in made] == [2, 2, 2]
    for each, is_out in zip(made, (0, 1, 0), strict=True):
        kept.client.flushall()
        Restorer(kept.client, SHARDS, ENDLESS, place=kept.place).restore(Folder(path), each)
        assert archived(kept.client, kept.store.all_shards).archived == is_out
        assert kept.store.read(kept.over) == kept.log
        assert kept.found(kept.place) == []


def test_a_restoration_without_the_archive_is_refused_before_anything_is_written(kept: Kept, tmp_path: Path) -> None:
    kept.move_out()
    back_up(kept.client, tmp_path / "backups")
    name = kept.object
    kept.client.flushall()
    with pytest.raises(BackupError, match="set PLATEAU_ARCHIVE"):
        kept.restore(tmp_path / "backups", None)
    (tmp_path / "other").mkdir()
    with pytest.raises(BackupError, match=f"does not have {name}; is it the right one"):
        kept.restore(tmp_path / "backups", Place(tmp_path / "other"))
    assert kept.client.dbsize() == 0


def test_a_restoration_from_a_damaged_archive_does_not_end(kept: Kept, tmp_path: Path) -> None:
    kept.move_out()
    back_up(kept.client, tmp_path / "backups")
    data = kept.place.get(kept.object)
    assert data is not None
    kept.place.put(kept.object, data[:-1])
    kept.client.flushall()
    with pytest.raises(BackupError, match="in the archive"):
        kept.restore(tmp_path / "backups", kept.place)
    with pytest.raises(BackupError, match="was interrupted"):
        kept.restore(tmp_path / "backups", kept.place)


def test_the_doctor_checks_the_object_of_each_archived_game(kept: Kept) -> None:
    kept.move_out()
    assert kept.found(kept.place) == []
    data = kept.place.get(kept.object)
    assert data is not None
    kept.place.put(kept.object, data[:-1])
    kept.store = EventStore(kept.client, SHARDS, archive=kept.place)
    ((check, problem),) = {*kept.found(kept.place)}
    assert (check, kept.over in problem, "archive" in problem) == ("chains", True, True)
    assert {check for check, _ in kept.found(None)} == {"archive"}


def test_the_doctor_mends_the_lists_of_archived_games_and_leaves_them_there(kept: Kept) -> None:
    kept.move_out()
    kept.client.hdel(kept.store.shard(kept.over).summaries, kept.over)
    assert [check for check, _ in kept.found(kept.place, mends=True)] == ["lists"]
    assert kept.found(kept.place) == []
    assert archived(kept.client, kept.store.all_shards).archived == 1
