"""Compact entries hold every record exactly, are small, and are read for ever."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson
import pytest
import redis
from hypothesis import example, given
from hypothesis import strategies as st

from domain.log import chain
from domain.log.record import Record, verify
from domain.log.redaction import Hidden
from service.store import compact, keys
from service.store.codec import Entries, canonical, entry_of, json_of, record_of
from service.store.event_store import Append, Appended, Conflict, EventStore
from tests.domain.play import GAMES, log_of, played
from tests.golden.logs import FOLDER, golden_log
from tests.service import builders

GOLDEN = sorted(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.txt"))
MOST_BYTES = {"le-plateau": 100, "plateau": 140, "french-tarot": 120, "plute": 120}
"""How many bytes of memory an event of each ruleset takes at most, in whole golden games in a real server."""


def read(record: Record, entry: bytes) -> Record:
    return record_of(record.game_id, b"%d-0" % record.version, {b"e": entry})


@cache
def as_served(name: str) -> list[Record]:
    """Return the log of a golden game with requests named as the service names them, which the chain does not cover."""
    rng = random.Random(name)
    _, log = golden_log(name)
    return [replace(record, request=f"{rng.getrandbits(64):016x}") for record in log]


# -- every record, exactly -----------------------------------------------------------------------------------------


def test_the_records_of_all_golden_games_come_back_as_they_were_from_both_kinds_of_entries() -> None:
    assert len(GOLDEN) > 100
    for name in GOLDEN if GAMES >= 1 else GOLDEN[::4]:
        game, log = golden_log(name)
        small = [entry_of(record) for record in log]
        assert [read(*each) for each in zip(log, small, strict=True)] == log
        assert [read(record, json_of(record)) for record in log] == log
        assert {entry[0] for entry in small} == {compact.FORM}
        assert read(log[-1], small[-1]).hash == game.head


@pytest.mark.parametrize("name", ["french-tarot/4-garde", "plateau/ends-agreement", "plute/ends-plute"])
def test_what_comes_back_has_the_same_chain_and_the_same_seals(name: str) -> None:
    game, log = golden_log(name)
    back = [read(record, entry_of(record)) for record in log]
    assert [chain.canonical(each.sealed_form()) for each in back] == [chain.canonical(r.sealed_form()) for r in log]
    verify(back, chain.GENESIS, game.secrets, canonical)


HEX = "0123456789abcdef" * 4
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/é", max_size=3), inner, max_size=3),
    max_leaves=5,
)
DATA = st.dictionaries(st.text("card/é", max_size=4), PLAIN, max_size=3)
ODD = st.text("0123456789abcdefXYZ -:.TZ", max_size=66)
TIMES = st.datetimes().map(lambda time: f"{time.isoformat(timespec='milliseconds')}Z")


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record, and any text where the service writes digits and times."""
    hidden = draw(st.dictionaries(st.sampled_from(["/hand", "/talon", "/bot/thought"]), PLAIN, max_size=3))
    seals = st.sampled_from([HEX, HEX[::-1]]) | ODD
    return Record(
        game_id="gm_1",
        version=draw(st.integers(1, 10**6)),
        type=draw(st.sampled_from(["card_played", "", "é"])),
        at=draw(TIMES | ODD | st.sampled_from(["2026-02-30T00:00:00.000Z", "1969-12-31T23:59:59.999Z"])),
        seat=draw(st.none() | st.integers(0, 5)),
        data=draw(DATA),
        sealed={pointer: draw(seals) for pointer in draw(st.permutations(list(hidden)))},
        hash=draw(seals),
        hidden={pointer: Hidden(tuple(draw(st.sets(st.integers(0, 5)))), value) for pointer, value in hidden.items()},
        request=draw(st.text("0123456789abcdef", min_size=16, max_size=16) | ODD),
        bot=draw(st.none() | DATA),
    )


USUAL = Record("gm_1", 7, "passed", "2026-11-23T10:00:00.125Z", 1, {}, {}, HEX, {}, "00ff00ff00ff00ff", None)


@given(records())
@example(USUAL)
@example(replace(USUAL, request="0" * 16))
@example(replace(USUAL, request=""))
@example(replace(USUAL, request="00FF00FF00FF00FF"))
@example(replace(USUAL, at="9999-12-31T23:59:59.999Z"))
@example(replace(USUAL, at="2026-11-23T10:00:00Z"))
@example(replace(USUAL, hash="f" * 63))
@example(replace(USUAL, bot={}))
def test_any_record_comes_back_exactly(record: Record) -> None:
    entry = entry_of(record)
    assert read(record, entry) == record
    assert entry[0] in (compact.FORM, ord("{"))


@given(st.integers(0, 253402300799999))
def test_every_time_that_the_service_writes_fits(ms: int) -> None:
    at = compact._time_of(ms)
    assert entry_of(replace(USUAL, at=at))[0] == compact.FORM
    assert read(USUAL, entry_of(replace(USUAL, at=at))).at == at


# -- for ever ------------------------------------------------------------------------------------------------------


def test_the_dictionary_has_not_changed_since_entries_were_first_written_with_it() -> None:
    assert sha256(compact._DICTIONARY).hexdigest() == (
        "5c68e3cb39230283e6b4c75acf4d1247c3eb708ee5dba473fb18e5156d58e9bd"
    )


def test_entries_written_by_the_first_release_that_had_them_are_read() -> None:
    """Each line of the file has a game, a version, a compact entry, and the same event as JSON."""
    lines = Path(__file__).with_name("compact_entries.txt").read_text().splitlines()
    for game_id, version, written, as_json in (line.split(" ", 3) for line in lines):
        small, large = (
            record_of(game_id, f"{version}-0".encode(), {b"e": entry})
            for entry in (bytes.fromhex(written), as_json.encode())
        )
        assert small == large
        assert written.startswith("03")
    assert len(lines) > 20


def test_an_earlier_release_takes_no_compact_entry_for_one_of_its_own() -> None:
    """It parsed entries as JSON; and its script looked for the hash in hex digits before it appended."""
    for record in log_of(played("plute", 6, 1)):
        entry = entry_of(record)
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(entry)
        assert record.hash.encode() not in entry


def test_an_entry_of_a_later_form_is_refused_as_such() -> None:
    later = bytes((compact.FORM + 1,)) + entry_of(USUAL)[1:]
    with pytest.raises(ValueError, match="of a later release"):
        read(USUAL, later)


def test_an_entry_whose_seals_do_not_fit_its_hidden_parts_is_refused() -> None:
    written = entry_of(USUAL)[5:] + bytes(31)
    entry = bytes((compact.FORM,)) + crc32(written).to_bytes(4) + written
    with pytest.raises(ValueError, match="a seal for each hidden part"):
        read(USUAL, entry)


# -- in a store ----------------------------------------------------------------------------------------------------

STEPS = played("le-plateau", 3, 1)
GAME_ID = STEPS[0].game.id


@pytest.fixture(params=builders.BUNDLED)
def client(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    yield from builders.empty_store(request)


def first_bytes(client: redis.Redis) -> list[int]:
    (key,) = client.scan_iter("*:events")
    return [fields[b"e"][0] for _, fields in client.xrange(key)]


def start(client: redis.Redis, shards: int = 16) -> EventStore:
    """A process of this release starts on the store."""
    store = EventStore(client, shards)
    store.begin()
    return store


def write(store: EventStore, *steps: Any) -> None:
    for step in steps:
        assert store.append(builders.append_of(step)) == Appended(step.game.version)


def test_a_new_store_has_compact_entries_and_says_so(client: redis.Redis) -> None:
    write(start(client), *STEPS[:3])
    assert set(first_bytes(client)) == {compact.FORM}
    assert client.get(keys.ENTRIES) == b"compact"


def test_a_store_that_an_earlier_release_began_goes_on_with_json_until_it_is_told_otherwise(
    client: redis.Redis,
) -> None:
    client.set(keys.SHARDS, 16)
    before = start(client)
    write(before, *STEPS[:3])
    assert set(first_bytes(client)) == {ord("{")}
    EventStore(client).write_entries(Entries.COMPACT)
    write(before, STEPS[3])
    write(start(client), STEPS[4])
    write(before, STEPS[5])
    write(start(client), STEPS[6])
    kinds = [byte for step, byte in zip(STEPS[3:7], b"{\x03{\x03", strict=True) for _ in step.records]
    assert first_bytes(client)[-len(kinds) :] == kinds
    assert EventStore(client).read(GAME_ID) == log_of(STEPS[:7])


@pytest.mark.parametrize("kind", Entries)
def test_a_writer_who_knows_another_log_is_told_so_whatever_the_kind_of_the_entry(
    client: redis.Redis, kind: Entries
) -> None:
    store = start(client)
    store.write_entries(kind)
    write(store, *STEPS[:4])
    known, step = STEPS[3].records[-1].hash, STEPS[4]
    for other in (STEPS[3].records[0].hash, known[::-1], "f" * 64, known[:-1] + "0f"[known[-1] == "0"]):
        append = Append(GAME_ID, STEPS[3].game.version, step.records, other)
        assert store.append(append) == Conflict(STEPS[3].game.version, [])
    write(store, step)


# -- small ---------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize("ruleset_id", MOST_BYTES)
def test_an_event_takes_no_more_memory_of_a_real_server_than_is_said(ruleset_id: str, valkey_url: str) -> None:
    names = [name for name in GOLDEN if name.startswith(f"{ruleset_id}/")]
    with redis.Redis.from_url(valkey_url) as client:
        client.flushall()
        used = events = 0
        for name in names:
            log = as_served(name)
            pipe = client.pipeline(transaction=False)
            for record in log:
                pipe.xadd(name, {"e": entry_of(record)}, id=f"{record.version}-0")
            pipe.memory_usage(name, samples=0)
            used, events = used + pipe.execute()[-1], events + len(log)
        assert 0.75 * MOST_BYTES[ruleset_id] < used / events <= MOST_BYTES[ruleset_id]
