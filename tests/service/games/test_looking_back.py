"""Earlier versions of a game: whatever its length, each is folded from the snapshot before it, and still verified."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import redis

from domain.game import history
from domain.game.aggregate import Game
from domain.laws.play import log_of, random_game
from domain.log.record import Record
from domain.registry import RULESETS
from service.games import repository
from service.games.repository import INTERVAL, PART, GameRepository
from service.store.archive.buckets import Folder
from service.store.archiving import Archive
from service.store.codec import entry_of
from service.store.event_store import Append, EventStore, LogDamaged
from tests.support.games import ADA, play_on, sandbox
from tests.support.sampling import part
from tests.support.stores import empty_store
from tests.support.wiring import games_on

LOG = log_of([*random_game(RULESETS["french-tarot"], 4, 1, {"deals": 8}, "")])
GAME_ID = LOG[0].game_id
LAST = len(LOG)


class Counted(EventStore):
    """A store that counts the records that are read from it."""

    records = 0

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        found = super().read(game_id, after, limit)
        self.records += len(found)
        return found


client = pytest.fixture(params=["memory", "valkey"])(empty_store)


@pytest.fixture
def store(client: redis.Redis, archive_folder: Path) -> Counted:
    """A store with a finished game of some hundred events, more than are read at once."""
    store = Counted(client, archive=Folder(archive_folder))
    store.begin()
    store.append(Append(GAME_ID, 0, LOG, head="", finished=1))
    assert LAST > PART + 2 * INTERVAL
    return store


def some_versions() -> list[int]:
    """Return the versions around each interval and each end, and others at random."""
    edges = [INTERVAL * number + more for number in range(LAST // INTERVAL + 1) for more in (-1, 0, 1)]
    picked = random.Random(1).sample(range(1, LAST + 1), part(40))
    return sorted({version for version in (*edges, 1, 2, LAST - 1, LAST, *picked) if 1 <= version <= LAST})


@cache
def folded(version: int) -> Game:
    """Fold the log from its beginning, which is what each version must be."""
    return history.fold_to(LOG, version)


def test_each_version_is_what_the_whole_log_folds_to_and_costs_at_most_an_interval(store: Counted) -> None:
    games = GameRepository(store)
    game = games.fresh(GAME_ID)
    assert (game, store.records) == (history.fold(LOG), LAST)
    for version in some_versions():
        before = store.records
        assert games.at(game, version) == folded(version), version
        assert store.records - before <= INTERVAL, version


def test_each_version_of_an_archived_game_costs_no_more(store: Counted, archive_folder: Path) -> None:
    assert Archive(store, Folder(archive_folder)).move_out(GAME_ID).result == "out"
    games = GameRepository(store)
    game = games.fresh(GAME_ID)
    for version in some_versions():
        before = store.records
        assert games.at(game, version) == folded(version), version
        assert store.records - before <= INTERVAL, version


def test_a_log_in_one_request_has_snapshots_too(client: redis.Redis) -> None:
    one = [replace(record, request="rq_one") for record in LOG]
    store = Counted(client)
    store.append(Append(GAME_ID, 0, one, head=""))
    games = GameRepository(store)
    game = games.fresh(GAME_ID)
    assert game == history.fold(one)
    for version in (1, 2, INTERVAL - 1, INTERVAL, INTERVAL + 1, PART, PART + 1, LAST - 1):
        before = store.records
        assert games.at(game, version) == history.fold_to(one, version), version
        assert store.records - before <= INTERVAL, version


def test_a_game_that_continues_here_or_elsewhere_gets_snapshots(
    client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "INTERVAL", 16)
    here, elsewhere, rng = games_on(client), games_on(client), random.Random(2)
    game_id = sandbox(here)
    store = here.repository.store = Counted(client)
    while not (game := here.show(game_id, None)).is_over:
        play_on(rng.choice((here, here, elsewhere)), game_id, rng)
    log = EventStore(client).read(game_id)
    longest = max(Counter(record.request for record in log).values())
    for version in range(16, game.version):
        before = store.records
        assert here.look(game_id, ADA, None, version)[0] == history.fold_to(log, version)
        assert store.records - before <= 16 + longest, version


def test_who_folded_a_log_for_the_first_time_did_it_for_all(client: redis.Redis) -> None:
    """The process that created a long game in one request has only its end."""
    store = Counted(client)
    store.append(Append(GAME_ID, 0, LOG, head=""))
    games = GameRepository(store)
    game = history.fold(LOG)
    games.keep(game, LOG)
    assert games.at(game, LAST - 1) == folded(LAST - 1)
    assert store.records == LAST
    for version in some_versions():
        before = store.records
        assert games.at(game, version) == folded(version)
        assert store.records - before <= INTERVAL


@pytest.mark.parametrize("place", [-1, 0])
def test_an_event_that_was_changed_after_the_snapshot_is_found(store: Counted, client: redis.Redis, place: int) -> None:
    games = GameRepository(store)
    game, version = games.fresh(GAME_ID), 2 * INTERVAL + 9
    changed = LOG[version + place]
    forged = replace(changed, at="2030-01-01T00:00:00.000Z")
    _replace(client, store, changed.version, entry_of(forged))
    with pytest.raises(LogDamaged, match="the hash does not match the event"):
        games.at(game, version)
    assert games.at(game, 2 * INTERVAL + 3) == folded(2 * INTERVAL + 3)


def test_a_log_that_lost_its_end_is_not_taken_for_an_earlier_version(store: Counted, client: redis.Redis) -> None:
    games = GameRepository(store)
    game, version = games.fresh(GAME_ID), 2 * INTERVAL + 9
    client.xtrim(store.keys_of(GAME_ID).events, maxlen=0)
    with pytest.raises(LogDamaged, match="it is missing"):
        games.at(game, version)


def test_a_process_forgets_the_snapshots_of_a_game_with_the_game(
    store: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = GameRepository(store)
    game = games.fresh(GAME_ID)
    assert games._cache.snapshot(GAME_ID, LAST) is not None
    monkeypatch.setattr(repository, "_MOST_EVENTS", LAST)
    games.keep(replace(game, id="gm_other"), [replace(LOG[0], game_id="gm_other")])
    assert games._cache.snapshot(GAME_ID, LAST) is None


def _replace(client: redis.Redis, store: Counted, version: int, entry: bytes) -> None:
    """Put another entry in place of one, as nobody but who can write to Redis can."""
    events = store.keys_of(GAME_ID).events
    entries = client.xrange(events)
    client.delete(events)
    for entry_id, fields in entries:
        client.xadd(events, {b"e": entry} if entry_id == b"%d-0" % version else fields, id=entry_id)
