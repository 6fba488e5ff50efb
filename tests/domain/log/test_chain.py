"""The chain of a log: any viewer can check that nothing in the log was changed or left out."""

import copy
import hashlib
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log import chain
from domain.log.chain import GENESIS, BrokenChain
from domain.log.record import visible
from tests.support.random_games import log_of, played
from tests.support.sampling import TABLES, part

every_table = pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)


def log_for(ruleset_id, seats, seed, viewer, *, everything=False):
    """Return the log of a game as a viewer receives it: plain JSON."""
    steps = played(ruleset_id, seats, seed)
    seen = [visible(r, steps[-1].game.secrets, viewer, everything=everything) for r in log_of(steps)]
    return json.loads(json.dumps(seen))


def broken(events, **begin):
    """Return the message with which a log is rejected."""
    with pytest.raises(BrokenChain) as found:
        chain.verify(events, **begin)
    return str(found.value)


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ({"é": "ü\n", "Z": "/"}, '{"Z":"/","é":"ü\\n"}'),
        ([], "[]"),
        ("10S", '"10S"'),
    ],
)
def test_the_canonical_form_is_sorted_json_without_space_in_utf_8(value, form):
    assert chain.canonical(value) == form.encode()


def test_a_seal_is_the_hash_of_salt_and_canonical_value():
    assert chain.seal("00ff", ["RH", "EX"]) == hashlib.sha256(b'00ff["RH","EX"]').hexdigest()


def test_salts_differ_by_secret_game_version_and_pointer_and_have_128_bits():
    salts = [
        chain.salt(b"a", "gm_1", 1, "/x"),
        chain.salt(b"b", "gm_1", 1, "/x"),
        chain.salt(b"a", "gm_2", 1, "/x"),
        chain.salt(b"a", "gm_1", 2, "/x"),
        chain.salt(b"a", "gm_1", 1, "/y"),
    ]
    assert len(set(salts)) == 5
    assert {len(salt) for salt in salts} == {32}


@every_table
def test_every_viewers_log_verifies_to_the_same_head(ruleset_id, seats):
    head = played(ruleset_id, seats, 1)[-1].game.head
    for viewer in (*range(seats), None):
        assert chain.verify(log_for(ruleset_id, seats, 1, viewer)) == head
    opened = log_for(ruleset_id, seats, 1, None, everything=True)
    assert chain.verify(opened) == head
    assert all(set(event["salts"]) == set(event["sealed"]) for event in opened)


@every_table
def test_the_open_log_shows_what_the_sealed_one_promised(ruleset_id, seats):
    """Everyone's parts together are the open log, at the same pointers, under the same seals."""
    opened = log_for(ruleset_id, seats, 1, None, everything=True)
    for viewer in (*range(seats), None):
        for mine, whole in zip(log_for(ruleset_id, seats, 1, viewer), opened, strict=True):
            assert mine["sealed"] == whole["sealed"]
            assert mine["salts"].items() <= whole["salts"].items()
            assert mine["hash"] == whole["hash"]


@every_table
def test_a_log_verifies_on_from_any_version(ruleset_id, seats):
    events = log_for(ruleset_id, seats, 2, 0)
    for version in range(0, len(events), 5):
        head = events[version - 1]["hash"] if version else GENESIS
        assert chain.verify(events[version:], after=version, head=head) == events[-1]["hash"]


def edits(plain):
    """List copies of plain data with one thing changed, removed or added, at any depth."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield {k: v for k, v in plain.items() if k != key}
            yield from ({**plain, key: other} for other in edits(value))
        yield {**plain, "more": 1}
    elif isinstance(plain, list):
        for index, item in enumerate(plain):
            yield [*plain[:index], *plain[index + 1 :]]
            yield from ([*plain[:index], other, *plain[index + 1 :]] for other in edits(item))
        yield [*plain, "more"]
    elif isinstance(plain, bool) or plain is None:
        yield "more"
    elif isinstance(plain, int):
        yield plain + 1
    else:
        yield plain + "0"


@every_table
def test_any_single_edit_of_any_event_is_found_at_its_version(ruleset_id, seats):
    """Of the keys of an event only those that the chain covers: more keys than these say nothing."""
    rng = random.Random(seats)
    events = log_for(ruleset_id, seats, 0, 0)
    for index, event in enumerate(events):
        begin = {"after": index, "head": events[index - 1]["hash"] if index else GENESIS}
        changed = [edit for edit in edits(event) if "more" not in edit]
        for edit in rng.sample(changed, min(part(60), len(changed))):
            assert f"version {index + 1}" in broken([edit], **begin), edit


@every_table
def test_a_hidden_part_cannot_be_withheld_or_changed(ruleset_id, seats):
    events = log_for(ruleset_id, seats, 0, 0)
    index, event = next((i, e) for i, e in enumerate(events) if e["salts"])
    pointer = next(iter(event["salts"]))
    begin = {"after": index, "head": events[index - 1]["hash"]}
    for salts in ({}, {pointer: "0" * 32}, {**event["salts"], "/none": "0" * 32}):
        assert f"version {index + 1}" in broken([event | {"salts": salts}], **begin)
    forged = copy.deepcopy(event)
    forged["sealed"][pointer] = chain.seal(event["salts"][pointer], ["another value"])
    assert f"version {index + 1}" in broken([forged], **begin)


@every_table
@settings(max_examples=part(40))
@given(data=st.data())
def test_a_gap_a_swap_or_a_double_is_found_at_its_version(ruleset_id, seats, data):
    events = log_for(ruleset_id, seats, 1, data.draw(st.sampled_from([*range(seats), None]), "viewer"))
    place = data.draw(st.integers(0, len(events) - 2), "place")
    gap = events[:place] + events[place + 1 :]
    assert f"version {place + 1} is missing" in broken(gap)
    swapped = [*events[:place], events[place + 1], events[place], *events[place + 2 :]]
    assert f"version {place + 1} is missing" in broken(swapped)
    doubled = [*events[: place + 1], *events[place:]]
    assert f"version {place + 2} is missing" in broken(doubled)
    renumbered = [*events[:place], *({**e, "version": e["version"] - 1} for e in events[place + 1 :])]
    assert f"version {place + 1}" in broken(renumbered)


def test_a_log_of_another_game_does_not_continue_this_one():
    (ruleset_id, seats), *_ = TABLES
    one, other = log_for(ruleset_id, seats, 0, None), log_for(ruleset_id, seats, 1, None)
    assert "version 6" in broken([*one[:5], *other[5:]])


def test_a_lost_tail_leaves_a_valid_log_with_another_head():
    """What no chain can find: so clients keep a head, or a receipt, to compare with."""
    (ruleset_id, seats), *_ = TABLES
    events = log_for(ruleset_id, seats, 0, None)
    assert chain.verify(events[:-3]) == events[-4]["hash"] != events[-1]["hash"]
