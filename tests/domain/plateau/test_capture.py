"""Capture and the stomp: rules.md, section 6."""

import pytest

from domain.plateau import events as ev
from tests.domain.plateau import builders
from tests.domain.plateau.builders import move, stomp

THREE = "a1 Wxx Wxx Wrr, b1 Bxx Bbb"
MERGED = {"merged_strength": True}
CAPTURES = {
    "from the top down": ("a1 Wxx Wrr, b1 Bxx Bbb Brx", move("a1", "b1", lift=2), {}, {"b1": ["Bxx", "Wxx", "Wrr"]}),
    "own pieces in between": (
        "a1 Wxx Wrr, b1 Brr Wbb Bxx Wxx Bbb", move("a1", "b1", lift=2), {}, {"b1": ["Brr", "Wbb", "Wxx", "Wxx", "Wrr"]}
    ),
    "merged": ("a1 Wrr, b1 Bxx Bbb Wbb", move("a1", "b1"), MERGED, {"b1": ["Wbb", "Wrr"]}),
    "not merged": ("a1 Wrr, b1 Bxx Bbb Wbb", move("a1", "b1"), {}, {"b1": ["Bxx", "Wbb", "Wrr"]}),
    "a stomp": ("b2 Bxx Bbb Brr Wxx Wrr", stomp("b2"), {}, {"b2": ["Bxx", "Wxx", "Wrr"]}),
    "a stomp, merged": ("b2 Bxx Bbb Brr Wxx Wrr", stomp("b2"), MERGED, {"b2": ["Bxx", "Wxx", "Wrr"]}),
    "no capture at a stop": (
        "a1 Wrr Wbb Wrr, b1 Bbb", move("a1", "c1", "b1:2", lift=3), {}, {"b1": ["Bbb", "Wrr"], "c1": ["Wbb", "Wrr"]}
    ),
    "too much strength": (THREE, move("a1", "b1", lift=3), {}, {"b1": ["Wxx", "Wxx", "Wrr"]}),
    "just enough": (THREE, move("a1", "b1", lift=2), {}, {"a1": ["Wxx"], "b1": ["Wxx", "Wrr"]}),
    "too little": (THREE, move("a1", "b1"), {}, {"a1": ["Wxx", "Wxx"], "b1": ["Bxx", "Wrr"]}),
    "a blank on an own weapon": ("a1 Wxx, b1 Bbb Wrr", move("a1", "b1"), {}, {"b1": ["Bbb", "Wrr", "Wxx"]}),
}  # fmt: skip


@pytest.mark.rule(
    "plateau", "6", "From the top down", "the number of pieces that arrived",
    "your own unit on which the pieces landed counts too", "a player cannot take fewer", "To **stomp**",
    "stops never capture", "Unused strength is lost",
)  # fmt: skip
@pytest.mark.parametrize(("board", "action", "options", "expected"), CAPTURES.values(), ids=CAPTURES)
def test_a_unit_takes_as_many_enemies_as_it_has_strength(board, action, options, expected):
    assert builders.board(builders.acts(builders.state(board, options=options), action)) == expected


@pytest.mark.rule("plateau", "1", "`x` blank", "are **markers**", "it is a **weapon**, otherwise a **blank**")
@pytest.mark.rule("plateau", "6", "To **stomp**")
@pytest.mark.parametrize(
    ("board", "flip", "code"),
    [
        ("b2 Bxx Wrr", False, None),
        ("b2 Bxx Wxx", False, "blank-stomps"),
        ("b2 Bxx Wxb", True, None),
        ("b2 Bxx Wbx", True, "blank-stomps"),
        ("b2 Wxx Wrr", False, "nobody-below"),
        ("b2 Wxx Brr", False, "not-controlled"),
        ("b3 Wrr", False, "not-controlled"),
    ],
)
def test_a_stomp_needs_a_marker_on_top_and_an_enemy_below(board, flip, code):
    assert builders.refusal(builders.state(board), stomp("b2", flip=flip)) == code


@pytest.mark.rule("plateau", "1", "**prisoners** are enemy pieces that a player holds")
def test_a_captured_piece_is_a_prisoner_and_in_no_reserve():
    events, after = builders.act(builders.state("a1 Wxx Wrr, b1 Bxx Brb Brx"), move("a1", "b1", lift=2))
    assert [piece.piece for piece in builders.only(events, ev.PiecesCaptured).pieces] == ["RM", "A"]
    assert after.prisoners == ((), ("A", "RM"))
    assert not {"A", "RM"} & {*after.reserves[0]}
