"""The archiver moves out what is over, old enough and whole, and nothing else; a failure of one game is its own."""

import random
from pathlib import Path

import pytest

from domain.game.durations import DAY, SECOND
from domain.log.record import Record
from service.store import keys
from service.store.archive.buckets import ArchiveUnavailable, Folder
from service.store.archiving import Archive
from service.store.event_store import EventStore
from service.store.heartbeat import StoreClock
from service.store.reporting import Reporter
from service.store.waiting import archived
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from tests.support.games import ADA, choose, order, sandbox
from tests.workers.conftest import House
from workers import archiver as archivers
from workers.archiver import Archiver
from workers.log_worker import LogWorker


class Archived:
    """A house whose finished games go to a folder after 30 days."""

    def __init__(self, house: House, folder: Path) -> None:
        folder.mkdir()
        self.house, self.client, self.folder = house, house.client, Folder(folder)
        self.store = EventStore(house.client, archive=self.folder)
        self.archiver = self.new_archiver()

    def new_archiver(self, place: Folder | None = None) -> Archiver:
        archive = Archive(self.store, place or self.folder)
        return Archiver(self.store, archive, lambda: self.house.ms, 30 * DAY)

    def play(self) -> str:
        """Play a short game of Plateau to its end; return its id."""
        game_id = self.house.begin("me", "me", ruleset="plateau", max_plies=8)
        rng = random.Random(3)
        while not (game := self.house.game(game_id)).is_over:
            seat, action = choose(game, rng)
            self.house.ms += SECOND
            self.house.games.act(game_id, ADA, order(action, seat=seat))
        return game_id

    def log(self, game_id: str) -> list[Record]:
        return self.store.read(game_id)

    def is_out(self, game_id: str) -> bool:
        return bool(self.client.hexists(self.store.shard(game_id).archived, game_id))

    def figures(self) -> list[int]:
        """Return how many games are archived, and finished and still in the store."""
        found = archived(self.client, self.store.all_shards)
        return [found.archived, found.finished]


@pytest.fixture
def place(house: House, tmp_path: Path) -> Archived:
    return Archived(house, tmp_path / "archive")


def test_a_finished_game_goes_after_its_time_and_no_other(place: Archived) -> None:
    over, going_on = place.play(), sandbox(place.house.games)
    log = place.log(over)
    assert place.figures() == [0, 1]
    place.house.ms += 30 * DAY
    assert (place.archiver.round(), place.figures()) == (0, [0, 1])
    place.house.ms += SECOND
    assert (place.archiver.round(), place.figures()) == (1, [1, 0])
    assert (place.archiver.round(), place.archiver.failures) == (0, 0)
    assert [place.is_out(each) for each in (over, going_on)] == [True, False]
    assert place.log(over) == log
    assert place.house.counted("games_archived") == 1
    assert place.house.counted("archived_bytes") > 1000


def test_a_game_that_was_brought_back_stays_for_its_whole_time(place: Archived) -> None:
    game_id = place.play()
    place.house.ms += 31 * DAY
    assert place.archiver.round() == 1
    now = 1000 * int(place.client.time()[0])
    assert place.store.bring_back(game_id)
    place.house.ms = now + 29 * DAY
    assert (place.archiver.round(), place.is_out(game_id)) == (0, False)
    place.house.ms = now + 31 * DAY
    assert (place.archiver.round(), place.is_out(game_id)) == (1, True)


def test_a_damaged_log_stays_and_does_not_hold_up_others(place: Archived, caplog: pytest.LogCaptureFixture) -> None:
    bad, good = place.play(), place.play()
    events = keys.GameKeys(bad, place.store.shard(bad)).events
    ((last, fields),) = place.client.xrevrange(events, count=1)
    place.client.xdel(events, last)
    place.house.ms += 31 * DAY
    assert (place.archiver.round(), place.archiver.failures) == (1, 1)
    assert [place.is_out(each) for each in (bad, good)] == [False, True]
    assert place.house.counted("archive_failures") == 1
    assert f"{bad} stays in the store" in caplog.text
    assert fields


def test_a_log_that_is_not_what_the_log_of_heads_says_stays(place: Archived) -> None:
    game_id = place.play()
    ring = KeyRing(place.client, place.house.now)
    unlogged = Unlogged(place.client, 16)
    LogWorker(TransparencyLog(place.client), unlogged, ring.sign, place.house.now, 3600).keep()
    events = keys.GameKeys(game_id, place.store.shard(game_id)).events
    entries = place.client.xrange(events)
    place.client.delete(events)
    for entry_id, fields in entries[:-3]:  # a whole log, but a shorter one
        place.client.xadd(events, fields, id=entry_id)
    place.house.ms += 31 * DAY
    assert (place.archiver.round(), place.archiver.failures) == (0, 1)
    assert not place.is_out(game_id)


def test_an_archive_that_is_away_ends_the_round_and_all_is_moved_later(place: Archived, tmp_path: Path) -> None:
    games = [place.play() for _ in range(3)]
    place.house.ms += 31 * DAY

    class Away(Folder):
        def get(self, name: str) -> bytes | None:
            raise ArchiveUnavailable("it is away")

    away = place.new_archiver(Away(tmp_path))
    with pytest.raises(ArchiveUnavailable):
        away.round()
    assert (away.failures, place.house.counted("archive_failures")) == (1, 1)
    assert place.figures() == [0, 3]
    assert place.archiver.round() == 3
    assert all(map(place.is_out, games))


def test_two_archivers_do_not_do_the_same_at_once(place: Archived) -> None:
    place.play()
    place.house.ms += 31 * DAY
    archive = Archive(place.store, place.folder)
    assert archive.hold(60_000)
    assert (place.archiver.round(), place.figures()) == (None, [0, 1])
    archive.release()
    assert (place.archiver.round(), place.figures()) == (1, [1, 0])


def test_a_round_is_bounded_in_time(place: Archived, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        place.play()
    place.house.ms += 31 * DAY
    monkeypatch.setattr(archivers, "ROUND_SECONDS", -1)
    assert [place.archiver.round() for _ in range(4)] == [1, 1, 1, 0]


def test_what_could_not_be_moved_comes_after_all_others_in_the_next_round(
    place: Archived, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        place.play()
    place.house.ms += 31 * DAY
    first = next(Archive(place.store, place.folder).due(place.house.ms))
    events = keys.GameKeys(first, place.store.shard(first)).events
    ((last, _),) = place.client.xrevrange(events, count=1)
    place.client.xdel(events, last)
    monkeypatch.setattr(archivers, "ROUND_SECONDS", -1)
    assert [place.archiver.round() for _ in range(4)] == [0, 1, 1, 0]
    assert (place.archiver.failures, place.is_out(first)) == (2, False)


@pytest.mark.parametrize("archive", ["", "file:///elsewhere"])
def test_nothing_is_moved_away_from_a_process_without_the_archive(place: Archived, archive: str) -> None:
    over = place.play()
    place.house.ms += 31 * DAY
    clock = StoreClock(place.client)
    other = Reporter(place.client, "web", clock, archive=archive)
    Reporter(place.client, "worker", clock, archive=place.folder.address).report()
    other.report()
    with pytest.raises(ArchiveUnavailable, match=r"do not read from .* and would refuse its games: web; start them"):
        place.archiver.round()
    assert not place.is_out(over)
    place.client.delete(keys.PROCESSES)
    assert place.archiver.round() == 1
