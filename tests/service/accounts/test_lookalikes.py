"""Names that look alike have a skeleton in common; names that a reader tells apart have none."""

import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.accounts.names.lookalikes import skeletons

ALIKE = [
    ("Ada", "Ada"),
    ("Ada", "Аdа"),  # Cyrillic А and а
    ("Ada", "АԀА"),  # Cyrillic А and Ԁ
    ("Ada", "ADA"),
    ("Ada", "Ａｄａ"),
    ("Ada", "𝐀𝐝𝐚"),
    ("ALI", "AlI"),
    ("Bill", "BiII"),
    ("BILL", "BlLL"),
    ("mary", "rnary"),
    ("Mary", "Rnary"),
    ("Zoé", "ZOE"),
    ("Zoé", "Zoe\u0301"),
    ("O'Brien", "O’Brien"),
    ("Вера", "вера"),
    ("Νίκος", "ΝΙΚΟΣ"),
    ("Straße", "STRASSE"),
    ("Player-1", "Player−l"),
]
APART = [
    ("Ada", "Ida"),
    ("Ali", "All"),
    ("Vera", "Nera"),
    ("Anna", "Ana"),
    ("क", "कि"),
    ("김민준", "김민서"),
    ("👩", "👨"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_a_skeleton_in_common(one: str, other: str) -> None:
    assert skeletons(one) & skeletons(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_that_a_reader_tells_apart_have_none(one: str, other: str) -> None:
    assert not skeletons(one) & skeletons(other)


@given(st.text(min_size=1, max_size=40))
def test_every_text_has_one_or_two_skeletons(name: str) -> None:
    assert 1 <= len(skeletons(name)) <= 2
    assert skeletons(name) & skeletons(name.casefold())


def test_the_table_is_unicodes_with_its_license() -> None:
    text = files("service.accounts.names").joinpath("lookalikes.txt").read_text("utf-8")
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(rows) == 6565, "confusables.txt 17.0.0 states this total"
    assert all(re.fullmatch(r"[0-9A-F]{4,6};[0-9A-F]{4,6}( [0-9A-F]{4,6})*", row) for row in rows)
    assert "UNICODE LICENSE V3" in text
    assert "version 17.0.0" in text


def test_names_that_differ_in_joiners_alone_look_alike() -> None:
    assert skeletons("می\u200cخواهم") == skeletons("میخواهم")
    assert skeletons("क्\u200dष") == skeletons("क्ष")
