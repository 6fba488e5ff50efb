"""The quick writer of the canonical form is exact, and answers are remembered in a form that other releases read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log import chain
from service.store.codec import Answer, Head, canonical, recalled, remembered

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
    assert recalled(stored) == (FINGERPRINT, Answer(201, BODY, head))
