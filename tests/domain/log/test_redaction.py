"""Visibility: which part of an event leaves the log, for whom (API contract, section Events)."""

from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass

import pytest

from domain.field_types import secret
from domain.log.record import Writer, visible
from domain.log.redaction import Hidden, merged, seen_by, split
from domain.log.secrets import Secrets


@dataclass(frozen=True)
class Box:
    seat: int
    count: int
    cards: tuple[str, ...] = secret("seat")


@dataclass(frozen=True)
class Packed:
    """An event with a secret of its own, and boxes with theirs."""

    seat: int
    to: int
    boxes: tuple[Box, ...]
    lid: Box
    note: str = secret("seat", "to")
    seed: str = secret()


SECRETS = Secrets("gm_1", b"s" * 32)
EVENT = Packed(3, 1, (Box(0, 2, ("RS", "T1")), Box(1, 1, ("EX",))), Box(2, 0, ()), "hush", "nobody")
PUBLIC = {"to": 1, "boxes": [{"seat": 0, "count": 2}, {"seat": 1, "count": 1}], "lid": {"seat": 2, "count": 0}}


def test_split_takes_every_secret_out_under_its_pointer_with_its_seats():
    data, hidden = split(EVENT)
    assert data == PUBLIC
    assert hidden == {
        "/boxes/0/cards": Hidden((0,), ["RS", "T1"]),
        "/boxes/1/cards": Hidden((1,), ["EX"]),
        "/lid/cards": Hidden((2,), []),
        "/note": Hidden((3, 1), "hush"),
        "/seed": Hidden((), "nobody"),
    }


@pytest.mark.parametrize("hint", [Box | None, Mapping[str, Box], Mapping[str, tuple[Box, ...]]])
def test_a_secret_where_no_pointer_leads_is_rejected_rather_than_published(hint):
    event = make_dataclass("Wrapped", [("box", hint)], frozen=True)
    with pytest.raises(TypeError, match="secrets can be in dataclasses"):
        split(event(Box(0, 1, ("RS",))))


@pytest.mark.parametrize(
    ("viewer", "pointers"),
    [
        (0, {"/boxes/0/cards"}),
        (1, {"/boxes/1/cards", "/note"}),
        (2, {"/lid/cards"}),
        (3, {"/note"}),
        (4, set()),
        (None, set()),
    ],
)
def test_a_viewer_sees_the_parts_declared_for_the_seat(viewer, pointers):
    assert set(seen_by(split(EVENT)[1], viewer, everything=False)) == pointers


def test_everything_is_seen_once_the_game_is_over():
    _, hidden = split(EVENT)
    for viewer in (0, None):
        assert set(seen_by(hidden, viewer, everything=True)) == set(hidden)


def test_merged_puts_values_back_and_leaves_the_public_data_alone():
    data, hidden = split(EVENT)
    whole = merged(data, seen_by(hidden, None, everything=True))
    assert whole["boxes"] == [{"seat": 0, "count": 2, "cards": ["RS", "T1"]}, {"seat": 1, "count": 1, "cards": ["EX"]}]
    assert (whole["note"], whole["seed"], whole["lid"]["cards"]) == ("hush", "nobody", [])
    assert data == PUBLIC


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, 4, None])
def test_what_a_viewer_may_not_know_is_absent_and_sealed(viewer):
    (record,) = Writer(SECRETS).write([("packed", EVENT)], "2026-01-01T00:00:00.000Z", "rq")
    seen = visible(record, SECRETS, viewer, everything=False)
    assert (seen["version"], seen["type"], seen["seat"]) == (1, "packed", 3)
    assert set(seen["sealed"]) == {"/boxes/0/cards", "/boxes/1/cards", "/lid/cards", "/note", "/seed"}
    assert set(seen["salts"]) == set(seen_by(record.hidden, viewer, everything=False))
    assert ("cards" in seen["data"]["boxes"][0]) == (viewer == 0)
    assert ("note" in seen["data"]) == (viewer in (1, 3))
    assert "seed" not in seen["data"]
    assert "hush" not in repr(record)
    assert "hush" not in repr(EVENT)
    assert "request" not in seen


def test_a_record_gives_back_the_whole_event_for_folding():
    (record,) = Writer(SECRETS).write([("packed", EVENT)], "2026-01-01T00:00:00.000Z", "rq")
    whole = record.whole_data()
    assert (whole["seat"], whole["note"], whole["boxes"][1]["cards"]) == (3, "hush", ["EX"])
    assert record.data == PUBLIC


def test_equal_secrets_of_one_event_have_different_seals():
    twins = Packed(0, 1, (Box(0, 1, ("RS",)), Box(1, 1, ("RS",))), Box(2, 1, ("RS",)), "n", "n")
    (record,) = Writer(SECRETS).write([("packed", twins)], "2026-01-01T00:00:00.000Z", "rq")
    assert len(set(record.sealed.values())) == 5
