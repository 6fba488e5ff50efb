"""The quick writer of the canonical form is exact: clients check hashes with the one that defines it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log import chain
from service.store.codec import canonical

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
