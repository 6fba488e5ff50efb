"""The public data of archived games is kept compressed, and comes back as it was."""

import re
import zlib
from hashlib import sha256

import orjson
import pytest

from domain.registry import RULESETS
from service.games.projections.representations import game_resource
from service.store import summaries
from service.store.summaries import compressed, plain
from tests.support.random_games import played
from tests.support.server import ROOT

TABLES = [(name, seats) for name, ruleset in RULESETS.items() for seats in ruleset.seats]
STORED = bytes.fromhex("0143a46d43aca37498a9b81600")
DICTIONARY = "3a34fc8beb612735c4442410e2b457709917d9fc31735296f5593bf88b77f77a"
"""Stored data depends on it, so it is never another one."""


def summary_of(ruleset: str, seats: int) -> bytes:
    """Return the public data of a game that is over; its ids are as long as those of real ones."""
    data = orjson.dumps(game_resource(played(ruleset, seats, 0)[-1].game))
    data = re.sub(rb"gm_[^\"]+", b"gm_0123456789abcdef0123", data)
    return re.sub(rb"pl_[^\"]+", lambda it: b"pl_" + sha256(it[0]).hexdigest()[:16].encode(), data)


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_what_is_kept_is_a_fifth_of_the_data_and_reads_back_to_it(ruleset: str, seats: int) -> None:
    data = summary_of(ruleset, seats)
    kept = compressed(data)
    assert plain(kept) == plain(data) == data
    assert len(kept) < len(data) / 5


def test_data_that_is_like_no_other_reads_back_too() -> None:
    for data in (b"", b"{}", bytes(range(32, 256)) * 100):
        assert plain(compressed(data)) == data


def test_a_stored_summary_is_read_for_ever() -> None:
    """Written by the first release that compressed them."""
    assert sha256((ROOT / "service/store/summaries.dictionary").read_bytes()).hexdigest() == DICTIONARY
    assert plain(STORED) == b'{"id":"gm_1","ruleset":"plute","status":"finished"}'


def test_data_that_was_changed_is_not_taken_for_another() -> None:
    with pytest.raises(zlib.error):
        plain(bytes((summaries.FORM,)) + b"\xff\xff\xff")
