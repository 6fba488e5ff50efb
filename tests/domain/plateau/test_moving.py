"""Moving: rules.md, section 5."""

import pytest

from domain.plateau.actions import Move
from tests.domain.plateau import builders


def ends(state, square, **fixed):
    """Return the squares where moves from a square can end."""
    return {
        action.to
        for action in builders.legal(state)
        if isinstance(action, Move) and action.from_ == square
        if all(getattr(action, name) == value for name, value in fixed.items())
    }


@pytest.mark.rule("plateau", "5", "determines the whole move", "Red moves straight", "They move in one line")
@pytest.mark.parametrize(
    ("piece", "reached"),
    [
        ("rr", "b1 b3 a2 c2"),
        ("bb", "a1 c1 a3 c3"),
        ("xx", "b1 b3 a2 c2 a1 c1 a3 c3"),
        ("ox", "a4 c4 d1 d3"),
    ],
)
def test_the_face_on_top_gives_the_direction(piece, reached):
    assert ends(builders.state(f"b2 W{piece}"), "b2", flip=False) == set(reached.split())


@pytest.mark.rule("plateau", "5", "determines the whole move", "Red moves straight", "They move in one line")
@pytest.mark.parametrize(
    ("unit", "reached"), [(1, "a2 b1"), (2, "a2 b1 a3 c1"), (3, "a2 b1 a3 c1 a4 d1"), (4, "a2 b1 a3 c1 a4 d1")]
)
def test_a_unit_goes_as_far_as_it_has_pieces(unit, reached):
    state = builders.state("a1" + " Wxx" * (unit - 1) + " Wrr")
    assert ends(state, "a1", flip=False) == set(reached.split())


@pytest.mark.rule("plateau", "1", "**controls** the square")
@pytest.mark.rule("plateau", "5", "picked up on the way do not count")
def test_pieces_below_the_top_unit_do_not_count_for_the_range():
    state = builders.state("a1 Wxx Wxx Bbb Wrr")
    assert ends(state, "a1") == {"a2", "b1"}
    assert builders.refusal(state, builders.move("a1", "c1")) == "out-of-range"


@pytest.mark.rule("plateau", "5", "picked up on the way do not count")
def test_the_range_does_not_depend_on_how_many_pieces_are_lifted():
    state = builders.state("a1 Wxx Wxx Wrr")
    for lift in (1, 2, 3):
        assert ends(state, "a1", flip=False, lift=lift) == {"a2", "a3", "a4", "b1", "c1", "d1"}


@pytest.mark.rule("plateau", "5", "picked up on the way do not count")
def test_the_range_does_not_depend_on_what_is_dropped_or_picked_up_on_the_way():
    dropping = builders.state("a1 Wbb Wxx Wrr")
    assert builders.refusal(dropping, builders.move("a1", "d1", "b1:2", "c1:1", lift=3)) is None
    picking_up = builders.state("a1 Wxx Wrr, b1 Wbb Wbb")
    assert builders.refusal(picking_up, builders.move("a1", "c1", "b1:4", lift=2)) is None
    assert builders.refusal(picking_up, builders.move("a1", "d1", "b1:4", lift=2)) == "out-of-range"


@pytest.mark.rule("plateau", "5", "Orange moves one square straight")
def test_a_twister_makes_its_whole_step_whatever_the_height_of_the_unit():
    for board in ("a1 Wox", "a1 Wxx Wxx Wxx Wox"):
        assert ends(builders.state(board), "a1", flip=False) == {"b3", "c2"}
    assert builders.refusal(builders.state("a1 Wox"), builders.move("a1", "a2")) == "no-way"
    assert builders.refusal(builders.state("a1 Wxx Wxx Wox"), builders.move("a1", "a3", lift=3)) == "no-way"


@pytest.mark.rule("plateau", "5", "Orange moves one square straight")
def test_a_twister_goes_straight_first():
    state = builders.state("a1 Wrr Wox")
    assert builders.refusal(state, builders.move("a1", "b3", "a2:1", lift=2)) is None
    assert builders.refusal(state, builders.move("a1", "b3", "b2:1", lift=2)) == "stop-off-the-way"
    assert builders.refusal(state, builders.move("a1", "b3", "a3:1", lift=2)) == "stop-off-the-way"


@pytest.mark.rule("plateau", "1", "**controls** the square", "is **pinned**: it cannot be moved")
@pytest.mark.rule("plateau", "2", "never a turn of its own")
@pytest.mark.rule(
    "plateau", "5", "Choose a square that you control", "turn over its top piece (`flip`)",
    "lift a number of pieces (`lift`)", "on a square other than the one where it began",
)  # fmt: skip
@pytest.mark.parametrize(
    ("action", "code"),
    [
        (builders.move("a1", "a1", lift=2), "no-way"),
        (builders.move("a1", "b3", lift=2), "no-way"),
        (builders.move("a1", "b2", lift=2), "no-way"),
        (builders.move("a1", "d1", lift=2), "out-of-range"),
        (builders.move("a1", "b1", lift=3), "lift-out-of-range"),
        (builders.move("a1", "b1", lift=0), "lift-out-of-range"),
        (builders.move("c4", "b4"), "not-controlled"),
        (builders.move("d4", "c4"), "not-controlled"),
        (builders.move("b2", "b3"), "not-controlled"),
    ],
)
def test_a_move_lifts_own_free_pieces_and_ends_elsewhere_within_reach(action, code):
    state = builders.state("a1 Wxx Wrr, c4 Bxx Bbb, b2 Wxx Bbb")
    assert builders.refusal(state, action) == code


@pytest.mark.rule(
    "plateau",
    "5",
    "Choose a square that you control",
    "turn over its top piece (`flip`)",
    "lift a number of pieces (`lift`)",
)
def test_a_flip_changes_the_direction_and_stays():
    state = builders.state("b2 Wrb")
    assert ends(state, "b2", flip=True) == {"a1", "a3", "c1", "c3"}
    after = builders.acts(state, builders.move("b2", "c3", flip=True))
    assert builders.board(after) == {"c3": ["Wbr"]}


@pytest.mark.rule(
    "plateau",
    "5",
    "Choose a square that you control",
    "turn over its top piece (`flip`)",
    "lift a number of pieces (`lift`)",
)
def test_any_top_piece_can_be_flipped_even_one_with_two_equal_faces():
    after = builders.acts(builders.state("b2 Wxx Wrr"), builders.move("b2", "b3", lift=2, flip=True))
    assert builders.public(after) == {"b3": ["Wx?", "Wrr"]}


@pytest.mark.rule("plateau", "5", "whatever they show and whatever lies below them")
def test_pieces_left_on_the_start_can_show_a_blank_on_an_enemy():
    after = builders.acts(builders.state("b2 Bbb Wxx Wrr"), builders.move("b2", "b3"))
    assert builders.board(after) == {"b2": ["Bbb", "Wxx"], "b3": ["Wrr"]}


@pytest.mark.rule("plateau", "5", "is either passed over", "At a stop, all carried pieces are set down")
def test_anything_can_be_jumped():
    state = builders.state("a1 Wxx Wxx Wrr, b1 Bbb, c1 Bxx Wbb")
    after = builders.acts(state, builders.move("a1", "d1", lift=3))
    assert builders.board(after) == {"b1": ["Bbb"], "c1": ["Bxx", "Wbb"], "d1": ["Wxx", "Wxx", "Wrr"]}


@pytest.mark.rule("plateau", "5", "the lowest stay")
def test_a_stop_on_an_empty_square_drops_the_lowest():
    after = builders.acts(builders.state("a1 Wbb Wxx Wrr"), builders.move("a1", "c1", "b1:1", lift=3))
    assert builders.board(after) == {"b1": ["Wbb", "Wxx"], "c1": ["Wrr"]}


@pytest.mark.rule("plateau", "5", "On a square that you control, lift", "join at the bottom")
def test_a_stop_on_an_own_square_picks_up_the_upper_part_of_the_unit_there():
    after = builders.acts(builders.state("a1 Wbb Wrr, b1 Bxx Wox Wxx"), builders.move("a1", "c1", "b1:3", lift=2))
    assert builders.board(after) == {"b1": ["Bxx", "Wox"], "c1": ["Wxx", "Wbb", "Wrr"]}


@pytest.mark.rule("plateau", "5", "This can unpin enemy pieces")
def test_a_stop_can_set_an_enemy_free():
    after = builders.acts(builders.state("a1 Wbb Wrr, b1 Bxx Wxx"), builders.move("a1", "c1", "b1:3", lift=2))
    assert builders.board(after) == {"b1": ["Bxx"], "c1": ["Wxx", "Wbb", "Wrr"]}


@pytest.mark.rule("plateau", "1", "is **pinned**: it cannot be moved")
@pytest.mark.rule("plateau", "5", "On a square that you control, lift", "join at the bottom")
def test_own_pinned_pieces_cannot_be_picked_up():
    state = builders.state("a1 Wbb Wrr, b1 Wxx Bxx")
    assert builders.refusal(state, builders.move("a1", "c1", "b1:3", lift=2)) == "carry-out-of-range"


@pytest.mark.rule("plateau", "1", "`x` blank", "are **markers**", "it is a **weapon**, otherwise a **blank**")
@pytest.mark.rule(
    "plateau",
    "5",
    "On a square that the enemy controls, lift",
    "The pieces left behind pin what they lie on",
    "with `pin: weapons`",
)
def test_any_pieces_pin_or_only_those_with_a_marker_uppermost():
    usual = builders.state("a1 Wbb Wxx Wrr, b1 Bxx")
    pinned = builders.acts(usual, builders.move("a1", "c1", "b1:1", lift=3))
    assert builders.board(pinned) == {"b1": ["Bxx", "Wbb", "Wxx"], "c1": ["Wrr"]}
    assert pinned.prisoners == ((), ())
    state = builders.state("a1 Wbb Wxx Wrr, b1 Bxx", options={"pin": "weapons"})
    assert builders.refusal(state, builders.move("a1", "c1", "b1:2", lift=3)) is None
    assert builders.refusal(state, builders.move("a1", "c1", "b1:1", lift=3)) == "blank-pins"
    after = builders.acts(state, builders.move("a1", "c1", "b1:2", lift=3))
    assert builders.board(after) == {"b1": ["Bxx", "Wbb"], "c1": ["Wxx", "Wrr"]}
    assert after.prisoners == ((), ())


@pytest.mark.rule(
    "plateau",
    "5",
    "On a square that the enemy controls, lift",
    "The pieces left behind pin what they lie on",
    "with `pin: weapons`",
)
@pytest.mark.parametrize(
    ("pin", "picked", "code"), [("any", "xx", None), ("weapons", "rr", None), ("weapons", "xx", "blank-pins")]
)
def test_a_piece_picked_up_on_the_way_pins_by_the_same_rule(pin, picked, code):
    state = builders.state(f"a1 Wxx Wxx Wrr, b1 W{picked}, c1 Bbb", options={"pin": pin})
    assert builders.refusal(state, builders.move("a1", "d1", "b1:4", "c1:3", lift=3)) == code


@pytest.mark.rule("plateau", "5", "is either passed over", "At a stop, all carried pieces are set down")
@pytest.mark.parametrize(
    ("stops", "code"),
    [
        (("b1:2",), "stop-without-change"),
        (("b1:3",), "carry-out-of-range"),
        (("b1:0",), "carry-out-of-range"),
        (("d1:1",), "stop-off-the-way"),
        (("c1:1",), "stop-off-the-way"),
        (("a1:1",), "stop-off-the-way"),
        (("b2:1",), "stop-off-the-way"),
        (("b1:1", "b1:1"), "stops-out-of-order"),
    ],
)
def test_a_stop_lies_on_the_way_and_changes_something(stops, code):
    state = builders.state("a1 Wxx Wrr")
    assert builders.refusal(state, builders.move("a1", "c1", *stops, lift=2)) == code


@pytest.mark.rule("plateau", "5", "is either passed over", "At a stop, all carried pieces are set down")
def test_stops_are_listed_in_the_order_of_the_way():
    state = builders.state("a1 Wbb Wxx Wrr")
    assert builders.refusal(state, builders.move("a1", "d1", "b1:2", "c1:1", lift=3)) is None
    assert builders.refusal(state, builders.move("a1", "d1", "c1:1", "b1:2", lift=3)) == "stops-out-of-order"


@pytest.mark.rule("plateau", "5", "A blank cannot end on a square that the enemy controls")
def test_a_blank_ends_on_empty_and_own_squares_only():
    state = builders.state("a1 Wxx, b1 Bbb, a2 Wrr")
    assert builders.refusal(state, builders.move("a1", "b1")) == "blank-on-enemy"
    assert builders.refusal(state, builders.move("a1", "a2")) is None
    assert builders.refusal(state, builders.move("a1", "b2")) is None


@pytest.mark.rule("plateau", "8", "in the middle of a move do not count")
def test_six_pieces_in_the_middle_of_a_move_do_not_win():
    state = builders.state("a1 Wxx Wxx Wrr, b1 Wxx Wxx Wbb")
    after = builders.acts(state, builders.move("a1", "d1", "b1:6", "c1:3", lift=3))
    assert after.end is None
    assert builders.board(after) == {"c1": ["Wxx", "Wxx", "Wbb"], "d1": ["Wxx", "Wxx", "Wrr"]}


@pytest.mark.rule("plateau", "2", "In a turn, a player onboards a piece")
def test_an_action_of_another_phase_is_rejected():
    state = builders.state("a1 Wxx Wrr")
    for action in (builders.opening("d1", "xx", "rr"), builders.respond("M"), builders.REFUSE):
        assert builders.refusal(state, action) == "wrong-phase"
