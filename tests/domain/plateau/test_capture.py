"""Capture and the stomp: rules.md, section 6."""

import pytest

from domain.plateau import events as ev
from tests.domain.plateau import builders


@pytest.mark.rule("plateau", "6", "From the top down")
def test_a_unit_takes_one_enemy_for_each_of_its_pieces_from_the_top_down():
    state = builders.state("a1 Wxx Wrr, b1 Bxx Bbb Brx")
    events, after = builders.act(state, builders.move("a1", "b1", lift=2))
    assert builders.board(after) == {"b1": ["Bxx", "Wxx", "Wrr"]}
    assert [piece.piece for piece in builders.only(events, ev.PiecesCaptured).pieces] == ["RM", "B"]
    assert after.prisoners == ((), ("RM", "B"))


@pytest.mark.rule("plateau", "6", "From the top down")
def test_own_pieces_in_between_are_skipped_and_add_no_strength():
    state = builders.state("a1 Wxx Wrr, b1 Brr Wbb Bxx Wxx Bbb")
    after = builders.acts(state, builders.move("a1", "b1", lift=2))
    assert builders.board(after) == {"b1": ["Brr", "Wbb", "Wxx", "Wxx", "Wrr"]}


@pytest.mark.rule(
    "plateau",
    "6",
    "the number of pieces that arrived",
    "your own unit on which the pieces landed counts too",
    "a player cannot take fewer",
)
@pytest.mark.parametrize(("merged", "left"), [(True, []), (False, ["Bxx"])])
def test_a_unit_that_lands_on_its_own_captures_with_both_or_with_those_that_arrived(merged, left):
    state = builders.state("a1 Wrr, b1 Bxx Bbb Wbb", options={"merged_strength": merged})
    after = builders.acts(state, builders.move("a1", "b1"))
    assert builders.board(after) == {"b1": [*left, "Wbb", "Wrr"]}


@pytest.mark.rule("plateau", "6", "To **stomp**")
@pytest.mark.parametrize("merged", [True, False])
def test_a_stomp_captures_with_the_whole_unit(merged):
    state = builders.state("b2 Bxx Bbb Brr Wxx Wrr", options={"merged_strength": merged})
    after = builders.acts(state, builders.stomp("b2"))
    assert builders.board(after) == {"b2": ["Bxx", "Wxx", "Wrr"]}


@pytest.mark.rule("plateau", "6", "stops never capture")
def test_stops_never_capture():
    state = builders.state("a1 Wrr Wbb Wrr, b1 Bbb")
    events, after = builders.act(state, builders.move("a1", "c1", "b1:2", lift=3))
    assert builders.only(events, ev.PiecesCaptured) is None
    assert builders.board(after) == {"b1": ["Bbb", "Wrr"], "c1": ["Wbb", "Wrr"]}


@pytest.mark.rule("plateau", "6", "Unused strength is lost", "a player cannot take fewer")
def test_a_capture_is_mandatory_and_maximal():
    state = builders.state("a1 Wxx Wxx Wrr, b1 Bxx Bbb")
    for lift, left in ((3, 0), (2, 0), (1, 1)):
        after = builders.acts(state, builders.move("a1", "b1", lift=lift))
        assert sum(piece[0] == "B" for piece in builders.board(after)["b1"]) == left


@pytest.mark.rule("plateau", "6", "stops never capture")
def test_a_blank_on_an_own_weapon_captures_nothing():
    after = builders.acts(builders.state("a1 Wxx, b1 Bbb Wrr"), builders.move("a1", "b1"))
    assert builders.board(after) == {"b1": ["Bbb", "Wrr", "Wxx"]}


@pytest.mark.rule("plateau", "1", "`x` blank", "are **markers**", "it is a **weapon**, otherwise a **blank**")
@pytest.mark.rule("plateau", "6", "To **stomp**")
@pytest.mark.parametrize(
    ("board", "flip", "code"),
    [
        ("b2 Bxx Wrr", False, None),
        ("b2 Bxx Wxx", False, "blank-stomps"),
        ("b2 Bxx Wxx", True, "blank-stomps"),
        ("b2 Bxx Wxb", True, None),
        ("b2 Bxx Wbx", True, "blank-stomps"),
        ("b2 Wxx Wrr", False, "nobody-below"),
        ("b2 Wxx Brr", False, "not-controlled"),
        ("b3 Wrr", False, "not-controlled"),
        ("b2 Bxx Wxx Wrr", False, None),
    ],
)
def test_a_stomp_needs_a_marker_on_top_and_an_enemy_below(board, flip, code):
    state = builders.state(board)
    assert builders.refusal(state, builders.stomp("b2", flip=flip)) == code
    assert (builders.stomp("b2", flip=flip) in builders.legal(state)) == (code is None)


@pytest.mark.rule("plateau", "1", "**prisoners** are enemy pieces that a player holds")
def test_a_captured_piece_is_a_prisoner_and_in_no_reserve():
    after = builders.acts(builders.state("a1 Wrr, b1 Brb"), builders.move("a1", "b1"))
    assert after.prisoners[1] == ("A",)
    assert "A" not in after.reserves[0]
    assert after.history[-1].public.captured[0].piece == "A"
