"""The quick writer of the canonical form is exact, and answers are remembered in a form that other releases read."""

import json
from typing import Any
from zlib import crc32

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log import chain
from domain.log.record import Record
from service.store.codec import Answer, Head, canonical, json_of, recalled, record_of, remembered
from tests.domain.play import SMALLEST, played

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@given(PLAIN)
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
    assert recalled(stored, b"") == (FINGERPRINT, Answer(201, BODY, head))


def test_answers_of_earlier_releases_are_read() -> None:
    apart = f"{FINGERPRINT} 201 ".encode() + BODY
    assert recalled(apart, b"") == (FINGERPRINT, Answer(201, BODY))
    mark = f"gm_09f2@17@{'ab' * 32}@2026-11-23T08:15:30.125Z"
    assert recalled(apart, mark.encode()) == (FINGERPRINT, Answer(201, BODY, HEAD))


def of_a_new_game(ruleset_id: str) -> Record:
    steps = played(*next(table for table in SMALLEST if table[0] == ruleset_id), 0)
    return steps[0].records[0]


def test_a_release_that_does_not_know_the_secrets_of_deals_refuses_a_game_that_has_them() -> None:
    """It counted the fields of an entry: eight, the checksum, and a bot."""
    for ruleset_id, has_deals in (("plute", True), ("plateau", False)):
        record = of_a_new_game(ruleset_id)
        entry = orjson.loads(json_of(record))
        assert ("form" in entry) == has_deals
        assert (len(entry) == 8 + 1 + ("bot" in entry)) is not has_deals
        assert record_of(record.game_id, b"1-0", {b"e": json_of(record)}) == record


def test_an_entry_of_a_later_release_is_refused() -> None:
    record = of_a_new_game("plute")
    written, _, _ = json_of(record).replace(b'"form":2', b'"form":3').rpartition(b',"crc":')
    later = b'%b,"crc":%d}' % (written, crc32(written + b"}"))
    with pytest.raises(ValueError, match="of a later release"):
        record_of(record.game_id, b"1-0", {b"e": later})
