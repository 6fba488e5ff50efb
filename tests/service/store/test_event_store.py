"""The contract of the event store, on every kind of store: in memory, Valkey, Redis."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import redis
from redis.crc import key_slot

from domain.game.durations import DAY
from domain.log.redaction import Hidden
from service.store import keys
from service.store.codec import entry_of, record_of
from service.store.event_store import (
    Append,
    Appended,
    Conflict,
    EventStore,
    LogDamaged,
    Remembered,
    StoreUnavailable,
)
from service.store.game_index import Listing, Priority, Rank, member_of
from service.store.game_lists import GameLists, Part
from service.store.redis.connections import ThreadConnection, connect
from tests.support.games import append_of, record
from tests.support.random_games import Step, log_of, played, starting
from tests.support.server import RealServer, wait_until
from tests.support.stores import KINDS, empty_store, everything
from workers.loops import away

STEPS = played("le-plateau", 3, 1)
GAME_ID = STEPS[0].game.id
STRAY = {"e": entry_of(STEPS[8].records[0])}
STATUSES = ("open", "active", "finished")
RULESETS = ("le-plateau", "other-game")


client = pytest.fixture(params=KINDS)(empty_store)


@pytest.fixture
def store(client: redis.Redis) -> EventStore:
    return EventStore(client)


@pytest.fixture
def game_keys(store: EventStore) -> keys.GameKeys:
    return store.keys_of(GAME_ID)


def write(store: EventStore, steps: tuple[Step, ...] = STEPS[:4]) -> None:
    for step in steps:
        assert store.append(append_of(step)) == Appended(step.game.version)


def listing(left: str, entered: str, summary: bytes = b"{}") -> Listing:
    return Listing(summary, member_of(STEPS[0].game.created_at, GAME_ID), "le-plateau", left, entered)


def listed(
    store: EventStore,
    before: str | None = None,
    limit: int = 100,
    statuses: Sequence[str] = STATUSES,
    rulesets: Sequence[str] = RULESETS,
) -> list[tuple[str, bytes]]:
    page = GameLists(store).public(statuses, rulesets, Part(before, limit))
    return [(game.member, game.summary) for game in page.games]


def lobby(store: EventStore, status: str) -> list[tuple[str, bytes]]:
    return listed(store, statuses=[status])


# -- the log ------------------------------------------------------------------------------------------------------


def test_a_whole_game_comes_back_as_it_was_written_under_versions_without_gaps(store: EventStore) -> None:
    write(store, STEPS)
    log = store.read(GAME_ID)
    assert [each.version for each in log] == list(range(1, len(log) + 1))
    assert log == log_of(STEPS)


def test_entries_are_named_by_their_version(store: EventStore, client: redis.Redis, game_keys: keys.GameKeys) -> None:
    write(store)
    ids = [entry_id for entry_id, _ in client.xrange(game_keys.events)]
    assert ids == [f"{version}-0".encode() for version in range(1, STEPS[3].game.version + 1)]


def test_all_events_of_a_request_stand_in_the_log_or_none(store: EventStore) -> None:
    several = next(number for number, step in enumerate(STEPS) if number > 5 and len(step.records) > 2)
    write(store, STEPS[: several - 1])
    assert isinstance(store.append(append_of(STEPS[several])), Conflict)
    assert store.read(GAME_ID) == log_of(STEPS[: several - 1])
    write(store, STEPS[several - 1 : several + 1])
    assert store.read(GAME_ID) == log_of(STEPS[: several + 1])


def test_reading_starts_after_a_version_and_stops_at_the_limit(store: EventStore) -> None:
    write(store, STEPS)
    log = log_of(STEPS)
    assert store.read(GAME_ID, after=7) == log[7:]
    assert store.read(GAME_ID, after=7, limit=3) == log[7:10]
    assert store.read(GAME_ID, limit=1) == log[:1]
    assert store.read(GAME_ID, after=len(log)) == []
    assert store.read("gm_unknown") == []


def test_games_do_not_mix(store: EventStore) -> None:
    other = tuple(islice(starting("le-plateau", 3, 2), 3))
    write(store)
    write(store, other)
    assert store.read(GAME_ID) == log_of(STEPS[:4])
    assert store.read(other[0].game.id) == log_of(other)


# -- conflicts ----------------------------------------------------------------------------------------------------


def busy(step: Step) -> Append:
    """An append that would change everything that an append can change."""
    return append_of(
        step, request_key="again", answer=b"other", deadline=7, listing=listing("active", "finished", b"x")
    )


def test_a_stale_writer_gets_the_missing_records_and_writes_nothing(store: EventStore, client: redis.Redis) -> None:
    write(store, STEPS[:6])
    store.append(append_of(STEPS[6], request_key="first", answer=b"1", deadline=5, listing=listing("open", "active")))
    before = everything(client)
    for step in STEPS[1:7]:
        head = STEPS[6].game.version
        missing = log_of(STEPS[:7])[step.before.version :]
        assert store.append(busy(step)) == Conflict(head, missing)
        assert everything(client) == before


def test_a_writer_ahead_of_the_log_is_told_and_writes_nothing(store: EventStore, client: redis.Redis) -> None:
    write(store)
    before = everything(client)
    assert store.append(busy(STEPS[5])) == Conflict(STEPS[3].game.version, [])
    assert store.append(replace(busy(STEPS[5]), game_id="gm_unknown")) == Conflict(0, [])
    assert everything(client) == before


def test_a_game_is_created_once(store: EventStore) -> None:
    write(store, STEPS[:1])
    assert store.append(append_of(STEPS[0])) == Conflict(1, list(STEPS[0].records))


def test_a_writer_who_knows_another_log_of_the_same_length_must_read_it_again(
    store: EventStore, client: redis.Redis
) -> None:
    write(store)
    before = everything(client)
    for step in STEPS[1:5]:
        assert store.append(replace(busy(step), head="f" * 64)) == Conflict(STEPS[3].game.version, [])
    known = STEPS[3].records[-1].hash
    for other in (STEPS[3].records[0].hash, known[::-1], known[:-1] + "0f"[known[-1] == "0"]):
        assert store.append(replace(busy(STEPS[4]), head=other)) == Conflict(STEPS[3].game.version, [])
    assert everything(client) == before


DAMAGES = {
    "the first entry is gone": lambda client, events: client.xdel(events, "1-0"),
    "an entry in the middle is gone": lambda client, events: client.xdel(events, "2-0"),
    "an id is ahead": lambda client, events: client.xadd(events, STRAY, id="9-0"),
    "an id is in between": lambda client, events: client.xadd(events, STRAY, id="4-1"),
}


@pytest.fixture
def short(store: EventStore, client: redis.Redis, game_keys: keys.GameKeys) -> EventStore:
    """The store with the first four events of a game, to be damaged."""
    for each in log_of(STEPS)[:4]:
        client.xadd(game_keys.events, {"e": entry_of(each)}, id=f"{each.version}-0")
    return store


def assert_takes_nothing(store: EventStore, client: redis.Redis) -> None:
    """Try to append after every version, as one who knows the event there."""
    before = everything(client)
    heads = ["", *(each.hash for each in log_of(STEPS)[:11])]
    for expected, head in enumerate(heads):
        try:
            answer = store.append(replace(busy(STEPS[5]), expected=expected, head=head))
        except (StoreUnavailable, LogDamaged):
            answer = None
        assert not isinstance(answer, Appended | Remembered)
        assert everything(client) == before


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_log_is_neither_read_nor_written(
    short: EventStore, client: redis.Redis, game_keys: keys.GameKeys, damage: Callable[..., object]
) -> None:
    damage(client, game_keys.events)
    with pytest.raises(LogDamaged, match=rf"log of {GAME_ID} is damaged at version \d: it is missing"):
        short.read(GAME_ID)
    with pytest.raises(LogDamaged):
        short.look_up(GAME_ID, 0, "key")
    assert_takes_nothing(short, client)


def test_a_log_whose_last_entry_was_deleted_takes_no_event(
    short: EventStore, client: redis.Redis, game_keys: keys.GameKeys
) -> None:
    client.xdel(game_keys.events, "4-0")
    assert short.read(GAME_ID) == log_of(STEPS)[:3]
    assert_takes_nothing(short, client)


# -- what goes with the events ------------------------------------------------------------------------------------


def test_a_remembered_answer_comes_back_byte_for_byte_and_nothing_is_appended(
    store: EventStore, client: redis.Redis
) -> None:
    answer = bytes(range(256)) + "é€\r\n".encode()
    write(store)
    assert store.append(append_of(STEPS[4], request_key="key", answer=answer)) == Appended(STEPS[4].game.version)
    before = everything(client)
    assert store.append(replace(busy(STEPS[4]), request_key="key")) == Remembered(answer)
    assert store.append(replace(busy(STEPS[5]), request_key="key")) == Remembered(answer)
    assert everything(client) == before


def test_a_remembered_answer_outlasts_what_others_append(store: EventStore) -> None:
    store.append(append_of(STEPS[0], request_key="key", answer=b"first"))
    write(store, STEPS[1:])
    assert store.append(append_of(STEPS[0], request_key="key", answer=b"second")) == Remembered(b"first")


def test_a_refused_append_is_not_remembered(store: EventStore) -> None:
    write(store, STEPS[:3])
    assert isinstance(store.append(append_of(STEPS[1], request_key="key", answer=b"no")), Conflict)
    assert store.look_up(GAME_ID, 0, "key")[0] is None
    assert store.append(append_of(STEPS[3], request_key="key", answer=b"yes")) == Appended(STEPS[3].game.version)
    assert store.look_up(GAME_ID, 0, "key")[0] == Remembered(b"yes")


def test_an_empty_answer_is_remembered_too(store: EventStore) -> None:
    store.append(append_of(STEPS[0], request_key="key"))
    assert store.append(append_of(STEPS[0], request_key="key")) == Remembered(b"")


def test_a_request_without_a_key_is_not_remembered(store: EventStore, client: redis.Redis) -> None:
    write(store)
    assert not client.keys("*:answer*")


def test_an_answer_is_kept_for_its_time_and_leaves_nothing_behind(client: redis.Redis, game_keys) -> None:
    hasty = EventStore(client, answer_ms=200)
    hasty.append(append_of(STEPS[0], request_key="key", answer=b"kept"))
    assert 0 < client.pttl(game_keys.answer("key")) <= 200
    wait_until(lambda: hasty.look_up(GAME_ID, 0, "key")[0] is None, "the answer to expire")
    assert isinstance(hasty.append(append_of(STEPS[0], request_key="key", answer=b"again")), Conflict)
    assert not client.keys("*:answer*")


def test_an_answer_is_kept_for_a_day_which_a_repetition_does_not_prolong(
    store: EventStore, client: redis.Redis, game_keys: keys.GameKeys
) -> None:
    store.append(append_of(STEPS[0], request_key="key", answer=b"kept"))
    assert DAY - 60_000 < client.pttl(game_keys.answer("key")) <= DAY
    client.pexpire(game_keys.answer("key"), 60_000)
    store.append(append_of(STEPS[0], request_key="key", answer=b"kept"))
    assert client.pttl(game_keys.answer("key")) <= 60_000


def test_answers_are_kept_game_by_game(store: EventStore) -> None:
    other = next(starting("le-plateau", 3, 2))
    store.append(append_of(STEPS[0], request_key="key", answer=b"one"))
    assert store.append(append_of(other, request_key="key", answer=b"two")) == Appended(1)


def test_looking_up_gives_the_answer_and_the_records_after_a_version(store: EventStore) -> None:
    write(store)
    store.append(append_of(STEPS[4], request_key="key", answer=b"kept"))
    log = log_of(STEPS[:5])
    assert store.look_up(GAME_ID, 2, "key") == (Remembered(b"kept"), log[2:])
    assert store.look_up(GAME_ID, len(log), "other") == (None, [])
    assert store.look_up(GAME_ID, len(log), "") == (None, [])
    assert store.look_up("gm_unknown", 0, "key") == (None, [])


def test_a_deadline_is_set_moved_and_cleared(store: EventStore, client: redis.Redis, game_keys: keys.GameKeys) -> None:
    deadlines = game_keys.shard.deadlines
    at = 1_900_000_000_123
    store.append(append_of(STEPS[0], deadline=at))
    assert client.zrange(deadlines, 0, -1, withscores=True) == [(GAME_ID.encode(), at)]
    store.append(append_of(STEPS[1], deadline=at + 1))
    assert client.zrange(deadlines, 0, -1, withscores=True) == [(GAME_ID.encode(), at + 1)]
    store.append(append_of(STEPS[2]))
    assert client.zrange(deadlines, 0, -1) == []


def test_a_deadline_moves_to_the_second_looks_and_back(
    store: EventStore, client: redis.Redis, game_keys: keys.GameKeys
) -> None:
    deadlines, second_looks = game_keys.shard.deadlines, game_keys.shard.second_looks
    for step, of_bots in zip(STEPS[:3], (False, True, False), strict=True):
        priority = Priority(Rank.ALONE if of_bots else Rank.URGENT, ("pl_ada",))
        store.append(append_of(step, deadline=5, priority=priority))
        assert client.hgetall(game_keys.shard.priorities) == {GAME_ID.encode(): str(priority).encode()}
        here, there = (second_looks, deadlines) if of_bots else (deadlines, second_looks)
        assert client.zrange(here, 0, -1, withscores=True) == [(GAME_ID.encode(), 5)]
        assert client.zcard(there) == 0
    store.append(append_of(STEPS[3]))
    assert (client.zcard(deadlines), client.zcard(second_looks)) == (0, 0)
    assert not client.exists(game_keys.shard.priorities)


def test_every_append_leaves_one_entry_in_the_change_feed(
    store: EventStore, client: redis.Redis, game_keys: keys.GameKeys
) -> None:
    write(store)
    changes = [fields for _, fields in client.xrange(game_keys.shard.changes)]
    assert changes == [{b"g": GAME_ID.encode(), b"v": str(step.game.version).encode()} for step in STEPS[:4]]


def test_what_players_should_hear_of_is_written_with_the_events_or_not_at_all(
    store: EventStore, client: redis.Redis, game_keys: keys.GameKeys
) -> None:
    store.append(append_of(STEPS[0], notices=b"first"))
    store.append(append_of(STEPS[1]))
    store.append(append_of(STEPS[2], notices=b"third", request_key="key", answer=b"201"))
    assert isinstance(store.append(append_of(STEPS[2], notices=b"third", request_key="key")), Remembered)
    assert isinstance(store.append(append_of(STEPS[1], notices=b"stale")), Conflict)
    entries = [fields for _, fields in client.xrange(game_keys.shard.notices)]
    versions = [str(STEPS[step].game.version).encode() for step in (0, 2)]
    assert entries == [
        {b"g": GAME_ID.encode(), b"v": version, b"n": content}
        for version, content in zip(versions, (b"first", b"third"), strict=True)
    ]


@pytest.mark.parametrize("feed_of", ["changes", "notices"])
def test_the_feeds_are_trimmed_and_a_log_never(redis_url: str, feed_of: str) -> None:
    with connect(redis_url) as client:
        store = EventStore(client)
        feed = getattr(store.shard(GAME_ID), feed_of)
        client.eval("for i = 1, 100500 do redis.call('XADD', KEYS[1], '1-' .. i, 'g', 'gm_x', 'v', '1') end", 1, feed)
        for step in STEPS[:4]:
            store.append(append_of(step, notices=b"something"))
        assert client.xlen(feed) < 100_500
        assert store.read(GAME_ID) == log_of(STEPS[:4])


# -- the lobby ----------------------------------------------------------------------------------------------------


def test_a_listed_game_moves_from_status_to_status(store: EventStore) -> None:
    member = member_of(STEPS[0].game.created_at, GAME_ID)
    store.append(append_of(STEPS[0], listing=listing("open", "open", b"1")))
    assert lobby(store, "open") == [(member, b"1")]
    store.append(append_of(STEPS[1], listing=listing("open", "open", b"2")))
    assert lobby(store, "open") == [(member, b"2")]
    store.append(append_of(STEPS[2], listing=listing("open", "active", b"3")))
    assert (lobby(store, "open"), lobby(store, "active")) == ([], [(member, b"3")])
    store.append(append_of(STEPS[3]))
    assert lobby(store, "active") == [(member, b"3")]
    store.append(append_of(STEPS[4], listing=listing("active", "finished", b"4")))
    assert (lobby(store, "active"), lobby(store, "finished")) == ([], [(member, b"4")])


def test_a_game_without_a_listing_is_not_listed(store: EventStore) -> None:
    write(store)
    assert listed(store) == []


def created(store: EventStore, number: int, at: str) -> str:
    """Create a game, listed under a status and a ruleset that follow from its number."""
    game_id = f"gm_{number:03}"
    status, ruleset = STATUSES[number % 3], RULESETS[number % 2]
    shown = Listing(game_id.encode(), member_of(at, game_id), ruleset, status, status)
    store.append(Append(game_id, 0, [record(1, f"rq_{number}", game_id)], "", listing=shown))
    return member_of(at, game_id)


def test_the_lobby_pages_newest_first_across_shards_without_doubles(store: EventStore) -> None:
    members = [created(store, number, f"2026-01-01T00:00:{number // 4 % 60:02}.000Z") for number in range(60)]
    assert len({keys.shard_of(f"gm_{number:03}", 16) for number in range(60)}) == 16
    newest_first = sorted(members, reverse=True)
    for limit in (1, 7, 60, 100):
        found, before = [], None
        for _ in range(0, len(members), limit):
            page = listed(store, before, limit)
            found += page
            before = page[-1][0]
            assert len(found) % limit == 0 or len(found) == len(members)
        assert listed(store, before, limit) == []
        assert [member for member, _ in found] == newest_first
        assert all(summary.decode() == member.split(" ")[1] for member, summary in found)


def test_the_lobby_lists_the_statuses_and_rulesets_asked_for_only(store: EventStore) -> None:
    for number in range(12):
        created(store, number, "2026-01-01T00:00:00.000Z")
    found = listed(store, statuses=["active"], rulesets=["other-game"])
    assert [summary for _, summary in found] == [b"gm_007", b"gm_001"]


def test_a_game_created_while_someone_pages_shifts_nothing(store: EventStore) -> None:
    members = [created(store, number, f"2026-01-01T00:00:{number:02}.000Z") for number in range(6)]
    first = listed(store, None, 3)
    created(store, 40, "2026-01-01T00:00:40.000Z")
    second = listed(store, first[-1][0], 3)
    assert [member for member, _ in first + second] == members[::-1]


# -- keys ---------------------------------------------------------------------------------------------------------


def test_all_that_one_append_writes_lives_in_one_slot_of_a_cluster(store: EventStore, client: redis.Redis) -> None:
    store.append(append_of(STEPS[0], request_key="key", deadline=1, listing=listing("open", "active")))
    written = everything(client)
    assert len(written) == 8
    assert len({key_slot(key) for key in written}) == 1
    assert all(key.startswith(b"{s") for key in written)


@pytest.mark.parametrize(
    ("game_id", "shards", "shard"), [("123456789", 16, 6), ("gm_le-plateau_3_1", 16, 8), ("gm_1", 64, 52)]
)
def test_the_shard_of_a_game_is_the_crc32_of_its_id(game_id: str, shards: int, shard: int) -> None:
    assert keys.shard_of(game_id, shards) == shard


# -- the codec ----------------------------------------------------------------------------------------------------


def test_a_record_survives_the_codec_whatever_is_in_it() -> None:
    odd = replace(
        record(3, 'rq "quoted" \\ / \x00'),
        seat=0,
        data={"text": "é€𝄞\u2028\x7f", "nested": [{"deep": [None, True, False, 0, -1, 2**53]}], "": {}},
        sealed={"/hands/0/cards": "ab" * 32, "/a~1b": "cd" * 32},
        hidden={"/hands/0/cards": Hidden((0,), ["RH", "é"]), "/a~1b": Hidden((), {"k": None})},
    )
    assert record_of(odd.game_id, b"3-0", {b"e": entry_of(odd)}) == odd


# -- trouble ------------------------------------------------------------------------------------------------------


def test_a_store_that_forgot_the_script_is_told_it_again(store: EventStore, client: redis.Redis) -> None:
    write(store, STEPS[:2])
    client.script_flush()
    write(store, STEPS[2:4])
    assert store.read(GAME_ID) == log_of(STEPS[:4])


def test_a_server_without_room_refuses_the_whole_append(redis_url: str) -> None:
    with connect(redis_url) as client:
        store = EventStore(client)
        write(store)
        before = everything(client)
        client.config_set("maxmemory", 1)
        try:
            with pytest.raises(StoreUnavailable, match="maxmemory"):
                store.append(busy(STEPS[4]))
            assert store.read(GAME_ID) == log_of(STEPS[:4])
        finally:
            client.config_set("maxmemory", 0)
        assert everything(client) == before
        write(store, STEPS[4:6])


class TimeIsUp(BaseException):
    """What ends a job whose time is over, wherever it is."""


class Interrupted(redis.UnixDomainSocketConnection):
    """A connection on which a job ends right after the first reply, once."""

    is_time_up = False

    def read_response(self, *args: object, **options: object) -> object:
        reply = super().read_response(*args, **options)
        if self.is_time_up:
            self.is_time_up = False
            raise TimeIsUp
        return reply


def test_replies_that_nobody_has_read_do_not_answer_the_next_question(valkey_url: str) -> None:
    connection = ThreadConnection(redis.ConnectionPool.from_url(valkey_url, connection_class=Interrupted))
    assert connection.ask(("ECHO", "first")) == [b"first"]
    connection._connection.is_time_up = True
    with pytest.raises(TimeIsUp):
        connection.ask(("ECHO", "second"), ("ECHO", "third"))
    assert connection.ask(("ECHO", "fourth")) == [b"fourth"]


@pytest.mark.parametrize("transaction", [True, False])
def test_an_error_of_the_server_does_not_say_what_was_to_be_written(
    redis_url: str, transaction: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(redis_url) as client:
        pipe = client.pipeline(transaction=transaction)
        pipe.rpush("list", 1)
        pipe.set("mail", "ada@example.org")
        pipe.hset("list", "mail of pipeline caused error: ada@example.org", "secret")
        with pytest.raises(StoreUnavailable) as told:
            pipe.execute()
        with pytest.raises(redis.ResponseError) as untold:
            client.pipeline().rpush("list", 1).hset("list", "ada@example.org", 1).execute()
    assert str(told.value).startswith("WRONGTYPE ")
    type(away)().report(untold.value)
    assert "WRONGTYPE" in caplog.text
    assert "ada@" not in f"{told.value}{caplog.text}"


def test_a_store_that_does_not_answer_is_unavailable_for_every_question(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path)
    with connect(server.url) as client:
        store = EventStore(client)
        assert store.is_up()
        server.stop()
        assert not store.is_up()
        for ask in (
            lambda: store.append(append_of(STEPS[0])),
            lambda: store.read(GAME_ID),
            lambda: store.look_up(GAME_ID, 0, "key"),
            lambda: listed(store),
            store.check,
        ):
            with pytest.raises(StoreUnavailable):
                ask()
