"""Compact entries hold every record exactly, are small, and are read for ever.

The quick writer of the canonical form is exact, and answers are remembered in a form that other releases read.
"""

import json
import random
import re
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any
from zlib import crc32

import pytest
import redis
from hypothesis import example, given
from hypothesis import strategies as st

from domain.log import chain
from domain.log.record import Record, verify
from domain.log.redaction import Hidden
from service.store import codec
from service.store.codec import Answer, Head, canonical, entry_of, recalled, record_of, remembered
from tests.golden.logs import files, game_name, golden_log
from tests.support.sampling import GAMES

GOLDEN = [game_name(path) for path in files("txt")]
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


def test_the_records_of_all_golden_games_come_back_as_they_were() -> None:
    assert len(GOLDEN) > 100
    for name in GOLDEN if GAMES >= 1 else GOLDEN[::4]:
        game, log = golden_log(name)
        small = [entry_of(record) for record in log]
        assert [read(*each) for each in zip(log, small, strict=True)] == log
        assert {entry[0] for entry in small} == {codec.FORM}
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


def is_usual(record: Record) -> bool:
    """Return whether a record has a time since 1970, hashes of 64 hex digits, and seals in the order of its parts."""
    has_time = re.fullmatch(r"(19[7-9].|[2-9]...)-..-..T..:..:..\.[0-9]{3}Z", record.at) and record.at[5:7] != "02"
    hashes = all(re.fullmatch("[0-9a-f]{64}", text) for text in (record.hash, *record.sealed.values()))
    return bool(has_time) and hashes and [*record.sealed] == [*record.hidden]


@given(records())
@example(USUAL)
@example(replace(USUAL, request="0" * 16))
@example(replace(USUAL, request=""))
@example(replace(USUAL, request="00FF00FF00FF00FF"))
@example(replace(USUAL, at="9999-12-31T23:59:59.999Z"))
@example(replace(USUAL, at="2026-11-23T10:00:00Z"))
@example(replace(USUAL, hash="f" * 63))
@example(replace(USUAL, bot={}))
def test_any_record_comes_back_exactly_or_is_refused(record: Record) -> None:
    try:
        entry = entry_of(record)
    except ValueError:
        assert not is_usual(record)
    else:
        assert read(record, entry) == record


@given(st.integers(0, 253402300799999))
def test_every_time_that_the_service_writes_fits(ms: int) -> None:
    at = codec._time_of(ms)
    assert entry_of(replace(USUAL, at=at))[0] == codec.FORM
    assert read(USUAL, entry_of(replace(USUAL, at=at))).at == at


# -- for ever ------------------------------------------------------------------------------------------------------


def test_the_dictionary_has_not_changed_since_entries_were_first_written_with_it() -> None:
    assert sha256(codec._DICTIONARY).hexdigest() == ("5c68e3cb39230283e6b4c75acf4d1247c3eb708ee5dba473fb18e5156d58e9bd")


def test_an_entry_of_a_later_form_is_refused_as_such() -> None:
    later = bytes((codec.FORM + 1,)) + entry_of(USUAL)[1:]
    with pytest.raises(ValueError, match="a form that this release does not know"):
        read(USUAL, later)


def test_an_entry_whose_seals_do_not_fit_its_hidden_parts_is_refused() -> None:
    written = entry_of(USUAL)[5:] + bytes(31)
    entry = bytes((codec.FORM,)) + crc32(written).to_bytes(4) + written
    with pytest.raises(ValueError, match="a seal for each hidden part"):
        read(USUAL, entry)


# -- small ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
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


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@given(JSON)
def test_the_quick_writer_writes_what_the_definition_does(value: Any) -> None:
    assert canonical(value) == chain.canonical(value)
    assert json.loads(canonical(value)) == value


@pytest.mark.parametrize("value", ["".join(map(chr, range(0x250))), {"\uffff": 1, "\U00010000": 2, "é": 3, "z": 4}])
def test_escapes_and_the_order_of_keys_are_those_of_the_definition(value: Any) -> None:
    assert canonical(value) == chain.canonical(value)


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**40])
def test_numbers_of_any_size_are_written(number: int) -> None:
    assert canonical([number]) == chain.canonical([number]) == f"[{number}]".encode()


FINGERPRINT = "5d41402abc4b2a76b9719d911017c592ae4d0f8d1b7c4c5a3b1d5f0e1a2b3c4d"
BODY = b'{"game_id":"gm_09f2","version":17,"note":"a b @ c"}'
HEAD = Head("gm_09f2", 17, "ab" * 32, "2026-11-23T08:15:30.125Z")


@pytest.mark.parametrize("head", [HEAD, None])
def test_an_answer_and_its_head_are_read_back(head: Head | None) -> None:
    stored = remembered(FINGERPRINT, Answer(201, BODY, head))
    assert recalled(stored) == (FINGERPRINT, Answer(201, BODY, head))
