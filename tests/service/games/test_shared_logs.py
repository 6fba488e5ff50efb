"""A fork shares the log of its game up to where it begins: it is short, and reads as if all of it were written out."""

import random
from dataclasses import replace
from types import SimpleNamespace

import fakeredis
import pytest
import redis

from domain.audit.stored import verify_stored
from domain.log.record import Record
from domain.table import EVERYTHING
from service.backup.families import Role, role_of
from service.games.forking import Fork, Forking
from service.games.store_audit import StoreAudit
from service.store import sharing
from service.store.archive.buckets import Folder
from service.store.archiving import Archive
from service.store.event_store import Append, Appended, Conflict, EventStore, LogDamaged
from tests.support.backups import back_up, lasting, restore
from tests.support.games import ADA, append_of, play_on, sandbox
from tests.support.random_games import played
from tests.support.sampling import part
from tests.support.stores import ON_SERVERS, empty_store
from tests.support.wiring import Games, games_on

MOST_BYTES = 1800
"""What the entries of a fork may take: those before the start and the last one among them."""

client = pytest.fixture(params=ON_SERVERS)(empty_store)


def forked(games: Games, game_id: str, **more: object) -> str:
    """Fork a game for Ada; return the id of the fork."""
    forking = Forking(games.desk, games.repository, lambda *_: False)
    return forking.fork(games.repository.fresh(game_id), Fork(caller=ADA, **more))[0]


def finished(client: redis.Redis, ruleset_id: str = "french-tarot", seats: int = 4) -> tuple[str, list[int]]:
    """Put a random game that is over into the store; return its id, and the versions at which it can be forked."""
    steps, store = played(ruleset_id, seats, 4), EventStore(client)
    for step in steps:
        store.append(append_of(step))
    return steps[-1].game.id, [step.game.version for step in steps if step.game.status == "active"]


def stored(client: redis.Redis, game_id: str) -> list[bytes]:
    """Return the entries of a game as they are stored."""
    return [fields[b"e"] for _, fields in client.xrange(EventStore(client).all_shards.keys_of(game_id).events)]


def length(client: redis.Redis, game_id: str) -> int:
    return sum(map(len, stored(client, game_id)))


def in_another_process(client: redis.Redis, game_id: str) -> list[Record]:
    return EventStore(client).read(game_id)


@pytest.mark.parametrize(
    ("ruleset_id", "seats"), [("le-plateau", 4), ("french-tarot", 3), ("plute", 6), ("plateau", 2)]
)
def test_a_fork_takes_a_few_bytes_however_much_it_repeats(client, ruleset_id, seats):
    game_id, versions = finished(client, ruleset_id, seats)
    games = games_on(client)
    forks = [forked(games, game_id, at=at) for at in (versions[len(versions) // 2], versions[-1])]
    early, late = (length(client, fork) for fork in forks)
    repeated = [games.repository.fresh(fork).version for fork in forks]
    assert early < MOST_BYTES
    assert late < MOST_BYTES
    assert repeated[1] - repeated[0] > 40
    assert late - early < 2 * (repeated[1] - repeated[0])
    assert length(client, game_id) > 4 * late


@pytest.mark.parametrize("viewer", [EVERYTHING, 1])
def test_a_fork_reads_as_if_all_its_events_were_written_out(monkeypatch, viewer):
    monkeypatch.setattr("service.games.desk.secrets", SimpleNamespace(token_bytes=bytes, token_hex="0".zfill))
    logs = []
    for shares in (True, False):
        if not shares:
            monkeypatch.setattr("service.store.sharing._LEAST", 10**6)
        with fakeredis.FakeRedis(server=fakeredis.FakeServer()) as client:
            store = EventStore(client)
            game_id, versions = finished(client)
            games = Games(store, lambda: "2026-12-31T00:00:00.000Z")
            fork = forked(games, game_id, at=versions[-1], viewer=None if viewer == EVERYTHING else viewer)
            assert any(map(sharing.is_shared, stored(client, fork))) == shares
            logs.append([replace(each, request="") for each in in_another_process(client, fork)])
    assert logs[0] == logs[1]


def test_a_fork_is_read_from_any_version_in_pages_of_any_size(client):
    game_id, versions = finished(client)
    fork = forked(games_on(client), game_id, at=versions[-1])
    whole = in_another_process(client, fork)
    store = EventStore(client)
    for after in {
        0,
        1,
        *random.Random(1).sample(range(2, len(whole)), part(len(whole) - 2)),
        len(whole),
        len(whole) + 1,
    }:
        assert store.read(fork, after) == whole[after:]
        for limit in (1, 2, 7, 50):
            assert store.read(fork, after, limit) == whole[after : after + limit]
            assert store.look_up(fork, after, "")[1] == whole[after:]


def test_a_fork_continues_and_verifies(client):
    game_id, versions = finished(client)
    games = games_on(client)
    fork = forked(games, game_id, at=versions[len(versions) // 2])
    rng = random.Random(1)
    for _ in range(5):
        play_on(games, fork, rng)
        games = games_on(client)  # a process that knows nothing yet
    report = StoreAudit(EventStore(client)).check(fork)
    assert report.fault is None
    assert report.version == games.repository.fresh(fork).version


def test_a_stale_writer_of_a_fork_gets_what_it_missed_or_reads_again(client):
    game_id, versions = finished(client)
    games = games_on(client)
    fork = forked(games, game_id, at=versions[-1])
    log = in_another_process(client, fork)
    store = EventStore(client)
    play_on(games, fork, random.Random(1))
    new = in_another_process(client, fork)
    append = Append(fork, len(log), new[len(log) :], log[-1].hash)
    assert store.append(append) == Conflict(len(new), new[len(log) :])
    assert store.append(replace(append, expected=0, head="", records=log)) == Conflict(len(new), new)
    assert store.append(replace(append, expected=len(log) - 3, head=log[-4].hash)) == Conflict(len(new), [])
    assert in_another_process(client, fork) == new


def test_forks_of_forks_refer_to_the_games_that_have_the_events(client):
    game_id, versions = finished(client)
    games, rng = games_on(client), random.Random(1)
    fork = forked(games, game_id, at=versions[len(versions) // 2])
    for _ in range(6):
        play_on(games, fork, rng)
        fork = forked(games, fork)
        (shared,) = (sharing.unpacked(entry) for entry in stored(client, fork) if sharing.is_shared(entry))
        assert set(sharing.spans(shared)) == {game_id}, "the few events of the forks in between are written out"
    assert length(client, fork) < 2 * MOST_BYTES
    assert verify_stored(in_another_process(client, fork)).fault is None
    for _ in range(12):
        play_on(games, fork, rng)
    last = forked(games, fork)
    (shared,) = (sharing.unpacked(entry) for entry in stored(client, last) if sharing.is_shared(entry))
    assert set(sharing.spans(shared)) == {game_id, fork}
    assert verify_stored(in_another_process(client, last)).fault is None


def test_what_is_drawn_for_a_fork_is_written_out_even_if_it_is_what_was_dealt(client):
    """So neither the length of a fork nor the time to read it tells whether a draw was right."""
    games = games_on(client)
    game_id = sandbox(games, seats=2)
    for number in range(30):
        play_on(games, game_id, random.Random(number))
    fork = forked(games, game_id, viewer=0)
    log, origin = in_another_process(client, fork), in_another_process(client, game_id)
    (shared,) = (sharing.unpacked(entry) for entry in stored(client, fork) if sharing.is_shared(entry))
    drawn = {part.type for part in shared.parts if isinstance(part, sharing.Content)}
    unseen = {
        each.type for each in origin if each.type != "game_created" and any(0 not in p.to for p in each.hidden.values())
    }
    assert unseen & {each.type for each in log}
    assert drawn == unseen


def test_a_fork_outlives_the_end_and_the_archiving_of_its_game(client, tmp_path):
    games = games_on(client)
    game_id, versions = finished(client, "le-plateau", 4)
    fork = forked(games, game_id, at=versions[-1])
    log = in_another_process(client, fork)
    place = Folder(tmp_path)
    assert Archive(EventStore(client), place).move_out(game_id).result == "out"
    assert EventStore(client, archive=place).read(fork) == log
    with_archive = Games(EventStore(client, archive=place))
    again = forked(with_archive, game_id, at=versions[-1])
    assert len(EventStore(client, archive=place).read(again)) == len(log)
    assert length(client, again) < MOST_BYTES


def test_a_fork_of_a_game_that_was_lost_or_changed_is_not_served_and_says_so(client):
    games = games_on(client)
    game_id, versions = finished(client)
    fork = forked(games, game_id, at=versions[-1])
    events = EventStore(client).all_shards.keys_of(game_id).events
    client.delete(events)
    with pytest.raises(LogDamaged, match=f"it shares the log of {game_id}, which does not go up to what is shared"):
        in_another_process(client, fork)
    steps = played("french-tarot", 4, 5)
    records = [replace(each, game_id=game_id) for step in steps for each in step.records]
    assert isinstance(EventStore(client).append(Append(game_id, 0, records, "")), Appended)
    with pytest.raises(LogDamaged, match="what it shares of another log is not what it was"):
        in_another_process(client, fork)


def test_a_damaged_entry_of_a_fork_is_noticed(client):
    game_id, versions = finished(client)
    fork = forked(games_on(client), game_id, at=versions[-1])
    events = EventStore(client).all_shards.keys_of(fork).events
    entries = client.xrange(events)
    (number,) = (number for number, (_, fields) in enumerate(entries) if sharing.is_shared(fields[b"e"]))
    for at in (0, 3, 20, -1):
        client.delete(events)
        for position, (entry_id, fields) in enumerate(entries):
            entry = bytearray(fields[b"e"])
            entry[at] ^= 1 if position == number else 0
            client.xadd(events, {"e": bytes(entry)}, id=entry_id)
        with pytest.raises(LogDamaged):
            in_another_process(client, fork)


def test_a_fork_with_a_hole_is_neither_read_nor_written(client):
    game_id, versions = finished(client)
    games = games_on(client)
    fork = forked(games, game_id, at=versions[len(versions) // 2])
    for number in range(3):
        play_on(games, fork, random.Random(number))
    log = in_another_process(client, fork)
    events = EventStore(client).all_shards.keys_of(fork).events
    client.xdel(events, f"{len(log) - 1}-0")
    last = replace(log[-1], version=len(log) + 1, request="new")
    answer = EventStore(client).append(Append(fork, len(log), [last], log[-1].hash))
    assert isinstance(answer, Conflict)
    with pytest.raises(LogDamaged, match="it is missing"):
        in_another_process(client, fork)


def test_forks_are_backed_up_and_restored(client, tmp_path):
    games = games_on(client)
    EventStore(client).begin()
    EventStore(client).naming_secret()
    game_id, versions = finished(client, "plateau", 2)
    fork = forked(games, game_id, at=versions[-1])
    back_up(client, tmp_path)
    known = len(in_another_process(client, fork))
    play_on(games, fork, random.Random(1))
    later = forked(games, fork)
    manifest, counts = back_up(client, tmp_path)
    assert manifest.damaged == {}
    fork_events, later_events = (len(in_another_process(client, each)) for each in (fork, later))
    assert counts.new_events == fork_events - known + later_events
    before = lasting(client)
    client.flushall()
    restored = restore(client, tmp_path)
    assert restored.games == 3
    assert restored.events == sum(len(in_another_process(client, each)) for each in (game_id, fork, later))
    assert {key: value for key, value in lasting(client).items() if role_of(key.decode()) is Role.GAME} == {
        key: value for key, value in before.items() if role_of(key.decode()) is Role.GAME
    }
