"""The archive of finished games, on every kind of store: nothing is lost on the way, and all is read as before."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from service.games.advice.question_store import QuestionStore
from service.games.talking import PhraseStore
from service.store import keys
from service.store.archive.archived_games import FORMAT, ArchiveMissing, name_of, packed, unpacked
from service.store.archive.buckets import ArchiveUnavailable, Folder, place_at
from service.store.archiving import Archive, MovedOut
from service.store.codec import Head, entry_of
from service.store.event_store import Append, Appended, Conflict, EventStore, LogDamaged, Remembered
from service.store.game_index import NO_PRIORITY
from service.store.redis.connections import connect
from service.store.redis.redis_rights import GAMES, WEB
from service.store.shards import Shards
from service.store.waiting import Archived, archived
from service.transparency.transparency_log import Unlogged
from tests.service.store.redis_users import refused, restricted
from tests.support.games import append_of, record
from tests.support.random_games import log_of, played
from tests.support.server import RealServer
from tests.support.stores import KINDS, empty_store, everything
from workers.archiver import Archiver

STEPS = played("le-plateau", 3, 1)
LOG = log_of(STEPS)
OTHER_LOG = [*LOG[:-1], LOG[-2]]
GAME_ID = STEPS[0].game.id
HEAD = Head(GAME_ID, len(LOG), LOG[-1].hash, LOG[-1].at)
ENDED = 1_000_000
OBJECT = name_of(HEAD)


client = pytest.fixture(params=KINDS)(empty_store)


@pytest.fixture
def store(client: redis.Redis, archive_folder: Path) -> EventStore:
    """A store with a game that is over."""
    store = EventStore(client, archive=Folder(archive_folder))
    store.begin()
    for step in STEPS:
        over = {"finished": ENDED} if step is STEPS[-1] else {}
        assert store.append(append_of(step, **over)) == Appended(step.game.version)
    return store


@pytest.fixture
def archive(store: EventStore, archive_folder: Path) -> Archive:
    return Archive(store, Folder(archive_folder))


def shard_of(store: EventStore) -> keys.Shard:
    return store.shard(GAME_ID)


# -- out and back -------------------------------------------------------------------------------------------------


def test_an_archived_game_is_read_as_before_and_its_log_has_left_the_store(
    store: EventStore, archive: Archive, client: redis.Redis
) -> None:
    assert [*archive.due(ENDED)] == []
    assert [*archive.due(ENDED + 1)] == [GAME_ID]
    before = [store.look_up(GAME_ID, after, "key") for after in range(len(LOG) + 2)]
    assert archive.move_out(GAME_ID).result == "out"
    assert client.exists(store.keys_of(GAME_ID).events) == 0
    assert [*archive.due(ENDED + 1)] == []
    assert store.read(GAME_ID) == LOG
    assert store.read(GAME_ID, after=7, limit=3) == LOG[7:10]
    assert store.read(GAME_ID, limit=1) == LOG[:1]
    assert store.read(GAME_ID, after=len(LOG)) == []
    assert [store.look_up(GAME_ID, after, "key") for after in range(len(LOG) + 2)] == before
    assert EventStore(client, archive=archive._place).read(GAME_ID) == LOG


def test_a_game_comes_back_exactly_as_it_was(store: EventStore, archive: Archive, client: redis.Redis) -> None:
    finished = shard_of(store).finished.encode()
    before = everything(client)
    assert not store.bring_back(GAME_ID)
    archive.move_out(GAME_ID)
    assert store.bring_back(GAME_ID)
    after = everything(client)
    ((game, again),) = after.pop(finished)
    assert (game, before.pop(finished)) == (GAME_ID.encode(), [(GAME_ID.encode(), ENDED)])
    assert again > ENDED
    assert after == before
    assert not store.bring_back(GAME_ID)
    assert archive.move_out(GAME_ID).result == "out"


def test_a_log_comes_back_byte_for_byte(client: redis.Redis, archive_folder: Path) -> None:
    store = EventStore(client, archive=Folder(archive_folder))
    events = store.keys_of(GAME_ID).events
    for each in LOG:
        client.xadd(events, {"e": entry_of(each)}, id=f"{each.version}-0")
    before = client.xrange(events)
    assert Archive(store, Folder(archive_folder)).move_out(GAME_ID).result == "out"
    assert store.read(GAME_ID) == LOG
    assert store.bring_back(GAME_ID)
    assert client.xrange(events) == before


def test_the_pointer_says_where_the_log_ends(store: EventStore, archive: Archive, client: redis.Redis) -> None:
    archive.move_out(GAME_ID)
    unlogged = Unlogged(client, 16)
    assert unlogged.heads([GAME_ID]) == [HEAD]
    client.delete(shard_of(store).unlogged)
    client.hset(shard_of(store).summaries, GAME_ID, "{}")
    client.zadd(keys.heads_of(GAME_ID), {"0": HEAD.version - 1})
    unlogged.add_all()
    assert [*unlogged.games()] == [GAME_ID]
    client.zadd(keys.heads_of(GAME_ID), {"1": HEAD.version})
    client.delete(shard_of(store).unlogged)
    unlogged.add_all()
    assert [*unlogged.games()] == []


def test_games_are_counted(store: EventStore, archive: Archive, client: redis.Redis) -> None:
    shards = store.all_shards
    assert archived(client, shards, ENDED + 5000) == Archived(0, 1, 1, 5.0)
    assert archived(client, shards, ENDED) == Archived(0, 1, 0, 0.0)
    archive.move_out(GAME_ID)
    assert archived(client, shards, ENDED + 5000) == Archived(1, 0, 0, 0.0)


def test_anyone_who_reads_while_a_game_goes_and_comes_back_reads_all_of_it(
    store: EventStore, archive: Archive, archive_folder: Path
) -> None:
    stop = threading.Event()

    def read() -> int:
        reads = 0
        while not stop.is_set():
            here = EventStore(store.client, archive=Folder(archive_folder))
            assert here.read(GAME_ID) == LOG
            assert here.look_up(GAME_ID, len(LOG) - 1, "")[1] == LOG[-1:]
            reads += 1
        return reads

    with ThreadPoolExecutor(3) as threads:
        reading = [threads.submit(read) for _ in range(3)]
        for _ in range(25):
            assert archive.move_out(GAME_ID).result == "out"
            assert store.bring_back(GAME_ID)
        stop.set()
    assert all(each.result() > 0 for each in reading)


# -- writing to an archived game ----------------------------------------------------------------------------------


def following(**more: object) -> Append:
    after = replace(record(len(LOG) + 1, "later", GAME_ID), hash="a" * 64)
    return Append(GAME_ID, len(LOG), [after], HEAD.hash, **more)


def test_an_append_brings_the_game_back_first(store: EventStore, archive: Archive, client: redis.Redis) -> None:
    archive.move_out(GAME_ID)
    append = following(request_key="key", answer=b"done", finished=ENDED + 7)
    assert store.append(append) == Appended(len(LOG) + 1)
    assert store.read(GAME_ID) == [*LOG, *append.records]
    assert client.xlen(store.keys_of(GAME_ID).events) == len(LOG) + 1
    assert store.append(append) == Remembered(b"done")
    assert [*archive.due(ENDED + 8)] == [GAME_ID]
    assert archive.move_out(GAME_ID).result == "out"
    assert store.append(append) == Remembered(b"done")
    assert store.read(GAME_ID) == [*LOG, *append.records]


def test_a_stale_writer_gets_what_it_missed_and_the_game_stays_archived(
    store: EventStore, archive: Archive, client: redis.Redis
) -> None:
    archive.move_out(GAME_ID)
    before = everything(client)
    for step in STEPS:
        missing = LOG[step.before.version :] if step.before else LOG
        assert store.append(append_of(step)) == Conflict(len(LOG), missing)
    assert store.append(replace(following(), head="f" * 64)) == Conflict(len(LOG), [])
    assert store.append(replace(following(), expected=len(LOG) + 1)) == Conflict(len(LOG), [])
    assert everything(client) == before


def test_what_follows_from_an_archived_log_is_written_while_it_stays_there(
    store: EventStore, archive: Archive, client: redis.Redis
) -> None:
    archive.move_out(GAME_ID)
    nothing = Append(GAME_ID, len(LOG), (), HEAD.hash, deadline=5)
    assert store.append(nothing) == Appended(len(LOG))
    assert client.zscore(shard_of(store).deadlines, GAME_ID) == 5
    assert client.exists(store.keys_of(GAME_ID).events) == 0
    assert store.append(replace(nothing, head="f" * 64)) == Conflict(len(LOG), [])


def test_phrases_are_said_in_an_archived_game_at_its_version(store: EventStore, archive: Archive) -> None:
    archive.move_out(GAME_ID)
    phrases = PhraseStore(store)
    assert phrases.write(GAME_ID, len(LOG) - 1, b"", "1", b"{}") == "moved"
    assert phrases.write(GAME_ID, len(LOG), b"", "1", b"{}") == "written"
    assert phrases.write("gm_none", 1, b"", "1", b"{}") == "moved"


# -- nothing is lost ----------------------------------------------------------------------------------------------


class Killed(Exception):
    """The process ends here."""


class Killing(Folder):
    """A folder whose user is killed at a step."""

    def __init__(self, path: Path, at: str) -> None:
        super().__init__(path)
        self.at = at
        self.written = 0

    def put(self, name: str, data: bytes) -> None:
        if self.at == "before writing":
            raise Killed
        if self.at == "while writing":
            super().put(name, data[: len(data) // 2])
            raise Killed
        super().put(name, data)
        self.written += 1
        if self.at == "after writing":
            raise Killed


@pytest.mark.parametrize("at", ["before writing", "while writing", "after writing"])
def test_anyone_who_is_killed_leaves_the_log_in_the_store_and_another_continues(
    store: EventStore, client: redis.Redis, archive_folder: Path, at: str
) -> None:
    before = everything(client)
    with pytest.raises(Killed):
        Archive(store, Killing(archive_folder, at)).move_out(GAME_ID)
    assert everything(client) == before
    another = Killing(archive_folder, "never")
    assert Archive(store, another).move_out(GAME_ID).result == "out"
    assert another.written == (0 if at == "after writing" else 1)
    assert [path.relative_to(archive_folder).as_posix() for path in archive_folder.rglob("*") if path.is_file()] == [
        OBJECT
    ]
    assert store.read(GAME_ID) == LOG


def test_a_game_that_has_new_events_stays(store: EventStore, client: redis.Redis, archive_folder: Path) -> None:
    class Slow(Folder):
        def put(self, name: str, data: bytes) -> None:
            super().put(name, data)
            assert store.append(following()) == Appended(len(LOG) + 1)

    assert Archive(store, Slow(archive_folder)).move_out(GAME_ID).result == "moved"
    assert len(store.read(GAME_ID)) == client.xlen(store.keys_of(GAME_ID).events) == len(LOG) + 1


def test_a_game_of_which_a_worker_is_asked_something_stays(store: EventStore, archive: Archive) -> None:
    questions = QuestionStore(store)
    questions.put(GAME_ID, "1 0", NO_PRIORITY)
    assert archive.move_out(GAME_ID).result == "asked"
    assert questions.take(GAME_ID) == "1 0"
    assert archive.move_out(GAME_ID).result == "out"
    assert archive.move_out(GAME_ID) == MovedOut("gone")


def test_an_archive_that_returns_something_else_gets_nothing(
    store: EventStore, client: redis.Redis, archive_folder: Path
) -> None:
    class Forgetful(Folder):
        def put(self, name: str, data: bytes) -> None:
            super().put(name, data[:-1] + bytes([data[-1] ^ 1]))

    before = everything(client)
    with pytest.raises(ArchiveUnavailable, match="does not return"):
        Archive(store, Forgetful(archive_folder)).move_out(GAME_ID)
    assert everything(client) == before


@pytest.mark.parametrize("damage", [{"e": b"{}"}, {"other": b"x"}])
def test_a_damaged_log_stays_in_the_store(
    store: EventStore, archive: Archive, client: redis.Redis, damage: dict[str, bytes]
) -> None:
    client.xadd(store.keys_of(GAME_ID).events, damage, id=f"{len(LOG) + 1}-0")
    before = everything(client)
    with pytest.raises(LogDamaged):
        archive.move_out(GAME_ID)
    assert everything(client) == before


def test_a_folder_that_is_not_there_takes_nothing_and_is_no_loss(
    store: EventStore, archive: Archive, archive_folder: Path
) -> None:
    archive_folder.rename(archive_folder.with_name("elsewhere"))
    with pytest.raises(ArchiveUnavailable, match="mount or make it"):
        archive.move_out(GAME_ID)
    archive_folder.with_name("elsewhere").rename(archive_folder)
    archive.move_out(GAME_ID)
    archive_folder.rename(archive_folder.with_name("elsewhere"))
    with pytest.raises(ArchiveUnavailable, match="mount or make it"):
        store.read(GAME_ID)


def test_without_its_archive_a_game_is_not_served_and_does_not_seem_new(
    store: EventStore, archive: Archive, client: redis.Redis
) -> None:
    archive.move_out(GAME_ID)
    here = EventStore(client)
    for ask in (lambda: here.read(GAME_ID), lambda: here.look_up(GAME_ID, 0, "")):
        with pytest.raises(ArchiveMissing, match="PLATEAU_ARCHIVE"):
            ask()
    with pytest.raises(ArchiveMissing):
        here.append(append_of(STEPS[0]))


OBJECT_DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "it is gone": lambda _: None,
    "it is empty": lambda _: b"",
    "its end is missing": lambda data: data[:-9],
    "a byte is another": lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:],
    "it is of another game": lambda data: data.replace(GAME_ID.encode(), b"gm_" + b"0" * (len(GAME_ID) - 3)),
    "it is of a later release": lambda data: data.replace(FORMAT.encode(), b"plateau-archive/9"),
    "it claims to be huge": lambda data: data.replace(b'"bytes":', b'"bytes":99999'),
    "it has other entries": lambda _: packed(HEAD, [entry_of(each) for each in OTHER_LOG]),
    "it has fewer entries": lambda _: packed(HEAD, [entry_of(each) for each in LOG[:-1]]),
}


@pytest.mark.sampled
@pytest.mark.parametrize("damage", OBJECT_DAMAGES.values(), ids=OBJECT_DAMAGES)
def test_a_damaged_object_is_named_and_never_taken_for_the_log(
    store: EventStore, archive: Archive, archive_folder: Path, damage: Callable[[bytes], bytes | None]
) -> None:
    archive.move_out(GAME_ID)
    path = archive_folder / OBJECT
    data = damage(path.read_bytes())
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
    with pytest.raises(LogDamaged, match="in the archive"):
        store.read(GAME_ID)
    with pytest.raises(LogDamaged):
        store.append(following())


def test_an_object_depends_on_the_log_alone_and_is_for_its_owner(
    store: EventStore, archive: Archive, archive_folder: Path
) -> None:
    archive.move_out(GAME_ID)
    path = archive_folder / OBJECT
    entries = [entry_of(each) for each in LOG]
    assert path.read_bytes() == packed(HEAD, entries)
    assert unpacked(HEAD, path.read_bytes()) == entries
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


# -- the rest of the store ----------------------------------------------------------------------------------------


def test_an_archived_game_stays_in_its_shard_when_the_store_grows(client: redis.Redis, archive_folder: Path) -> None:
    store = EventStore(client, 2, archive=Folder(archive_folder))
    store.begin()
    for step in STEPS:
        store.append(append_of(step))
    Archive(store, Folder(archive_folder)).move_out(GAME_ID)
    Shards(client, 2).grow(64)
    later = EventStore(client, 2, archive=Folder(archive_folder))
    assert later.read(GAME_ID) == LOG
    assert later.append(append_of(STEPS[0])) == Conflict(len(LOG), LOG)
    assert later.append(following()) == Appended(len(LOG) + 1)


def test_a_game_that_is_not_here_any_more_is_no_longer_due(
    store: EventStore, archive: Archive, client: redis.Redis
) -> None:
    archive.move_out(GAME_ID)
    client.zadd(shard_of(store).finished, {GAME_ID: ENDED})
    assert [*archive.due(ENDED + 1)] == []
    assert client.zcard(shard_of(store).finished) == 0


def test_one_at_a_time_holds_the_archive(archive: Archive) -> None:
    assert archive.hold(60_000)
    assert not archive.hold(60_000)
    archive.release()
    assert archive.hold(60_000)


def test_a_place_is_made_from_its_address(tmp_path: Path) -> None:
    assert place_at(None) is None
    path = tmp_path / "with a space"
    place = place_at(path.as_uri())
    assert place is not None
    assert place.address == path.as_uri()
    path.mkdir()
    place.put("aa/b", b"x")
    assert ((path / "aa/b").read_bytes(), place.get("aa/b"), place.get("aa/c")) == (b"x", b"x", None)
    assert (place.size("aa/b"), place.size("aa/c")) == (1, None)


def test_workers_have_the_rights_to_archive_and_web_processes_to_bring_back(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path / "server", tcp=True)
    (tmp_path / "archive").mkdir()
    place = Folder(tmp_path / "archive")
    try:
        with connect(restricted(server, "web", WEB)) as web, connect(restricted(server, "hands", GAMES)) as hands:
            store, beside = EventStore(web, archive=place), EventStore(hands, archive=place)
            store.begin()
            for step in STEPS:
                store.append(append_of(step, finished=ENDED))
            archiver = Archiver(beside, Archive(beside, place), lambda: 2 * ENDED, 1)
            assert archiver.round() == 1
            assert store.read(GAME_ID) == LOG
            assert archived(web, store.all_shards).archived == 1
            assert store.append(following()) == Appended(len(LOG) + 1)
        assert refused(server) == []
    finally:
        server.stop()
