"""Moving: rules.md, section 5.

Capture and the stomp: rules.md, section 6.
"""

import pytest

from domain.plateau import events as ev
from domain.plateau.actions import Move
from tests.domain.plateau import builders
from tests.domain.plateau.builders import move, stomp

DIRECTIONS = [
    ("b2 Wrr", "b2", "b1 b3 a2 c2"),
    ("b2 Wbb", "b2", "a1 c1 a3 c3"),
    ("b2 Wxx", "b2", "b1 b3 a2 c2 a1 c1 a3 c3"),
    ("b2 Wox", "b2", "a4 c4 d1 d3"),
    ("a1 Wrr", "a1", "a2 b1"),
    ("a1 Wxx Wrr", "a1", "a2 b1 a3 c1"),
    ("a1 Wxx Wxx Wrr", "a1", "a2 b1 a3 c1 a4 d1"),
    ("a1 Wxx Wxx Wxx Wrr", "a1", "a2 b1 a3 c1 a4 d1"),
    ("a1 Wxx Wxx Bbb Wrr", "a1", "a2 b1"),
    ("a1 Wox", "a1", "b3 c2"),
    ("a1 Wxx Wxx Wxx Wox", "a1", "b3 c2"),
]


@pytest.mark.rule("plateau", "1", "**controls** the square")
@pytest.mark.rule(
    "plateau", "5", "determines the whole move", "Red moves straight", "They move in one line",
    "Orange moves one square straight", "picked up on the way do not count",
)  # fmt: skip
@pytest.mark.parametrize(("board", "start", "reached"), DIRECTIONS)
def test_the_face_on_top_gives_the_direction_and_its_unit_the_range(board, start, reached):
    """The range does not depend on how many pieces are lifted."""
    moves = [each for each in builders.legal(builders.state(board)) if isinstance(each, Move) and each.from_ == start]
    for lift in {each.lift for each in moves}:
        assert {each.to for each in moves if not each.flip and each.lift == lift} == {*reached.split()}


MIXED = "a1 Wxx Wrr, c4 Bxx Bbb, b2 Wxx Bbb"
FREE, THREE = "a1 Wbb Wxx Wrr", "a1 Wxx Wxx Wrr"
WEAPONS = {"pin": "weapons"}
REFUSALS = [
    (MIXED, move("a1", "a1", lift=2), {}, "no-way"),
    (MIXED, move("a1", "b3", lift=2), {}, "no-way"),
    (MIXED, move("a1", "b2", lift=2), {}, "no-way"),
    (MIXED, move("a1", "d1", lift=2), {}, "out-of-range"),
    (MIXED, move("a1", "b1", lift=3), {}, "lift-out-of-range"),
    (MIXED, move("a1", "b1", lift=0), {}, "lift-out-of-range"),
    (MIXED, move("c4", "b4"), {}, "not-controlled"),
    (MIXED, move("d4", "c4"), {}, "not-controlled"),
    (MIXED, move("b2", "b3"), {}, "not-controlled"),
    ("a1 Wox", move("a1", "a2"), {}, "no-way"),
    ("a1 Wrr Wox", move("a1", "b3", "a2:1", lift=2), {}, None),
    ("a1 Wrr Wox", move("a1", "b3", "b2:1", lift=2), {}, "stop-off-the-way"),
    ("a1 Wrr Wox", move("a1", "b3", "a3:1", lift=2), {}, "stop-off-the-way"),
    (FREE, move("a1", "d1", "b1:2", "c1:1", lift=3), {}, None),
    (FREE, move("a1", "d1", "c1:1", "b1:2", lift=3), {}, "stops-out-of-order"),
    ("a1 Wxx Wrr, b1 Wbb Wbb", move("a1", "d1", "b1:4", lift=2), {}, "out-of-range"),
    ("a1 Wxx Wrr", move("a1", "c1", "b1:2", lift=2), {}, "stop-without-change"),
    ("a1 Wxx Wrr", move("a1", "c1", "b1:3", lift=2), {}, "carry-out-of-range"),
    ("a1 Wxx Wrr", move("a1", "c1", "b1:0", lift=2), {}, "carry-out-of-range"),
    ("a1 Wxx Wrr", move("a1", "c1", "d1:1", lift=2), {}, "stop-off-the-way"),
    ("a1 Wxx Wrr", move("a1", "c1", "a1:1", lift=2), {}, "stop-off-the-way"),
    ("a1 Wxx Wrr", move("a1", "c1", "b1:1", "b1:1", lift=2), {}, "stops-out-of-order"),
    ("a1 Wbb Wrr, b1 Wxx Bxx", move("a1", "c1", "b1:3", lift=2), {}, "carry-out-of-range"),
    ("a1 Wbb Wxx Wrr, b1 Bxx", move("a1", "c1", "b1:2", lift=3), WEAPONS, None),
    ("a1 Wbb Wxx Wrr, b1 Bxx", move("a1", "c1", "b1:1", lift=3), WEAPONS, "blank-pins"),
    (f"{THREE}, b1 Wxx, c1 Bbb", move("a1", "d1", "b1:4", "c1:3", lift=3), {}, None),
    (f"{THREE}, b1 Wrr, c1 Bbb", move("a1", "d1", "b1:4", "c1:3", lift=3), WEAPONS, None),
    (f"{THREE}, b1 Wxx, c1 Bbb", move("a1", "d1", "b1:4", "c1:3", lift=3), WEAPONS, "blank-pins"),
    ("a1 Wxx, b1 Bbb, a2 Wrr", move("a1", "b1"), {}, "blank-on-enemy"),
    ("a1 Wxx, b1 Bbb, a2 Wrr", move("a1", "a2"), {}, None),
    ("a1 Wxx Wrr", builders.opening("d1", "xx", "rr"), {}, "wrong-phase"),
    ("a1 Wxx Wrr", builders.respond("M"), {}, "wrong-phase"),
    ("a1 Wxx Wrr", builders.REFUSE, {}, "wrong-phase"),
]


@pytest.mark.rule("plateau", "1", "is **pinned**: it cannot be moved")
@pytest.mark.rule("plateau", "2", "never a turn of its own", "In a turn, a player onboards a piece")
@pytest.mark.rule(
    "plateau", "5", "Choose a square that you control", "turn over its top piece (`flip`)",
    "lift a number of pieces (`lift`)", "on a square other than the one where it began",
    "is either passed over", "At a stop, all carried pieces are set down", "with `pin: weapons`",
    "A blank cannot end on a square that the enemy controls",
)  # fmt: skip
@pytest.mark.parametrize(("board", "action", "options", "code"), REFUSALS)
def test_a_move_that_the_rules_do_not_allow_is_refused_with_its_reason(board, action, options, code):
    assert builders.refusal(builders.state(board, options=options), action) == code


RESULTS = {
    "a flip stays": ("b2 Wrb", move("b2", "c3", flip=True), {"c3": ["Wbr"]}),
    "a flip of equal faces": ("b2 Wxx Wrr", move("b2", "b3", lift=2, flip=True), {"b3": ["Wxx", "Wrr"]}),
    "a blank left on an enemy": ("b2 Bbb Wxx Wrr", move("b2", "b3"), {"b2": ["Bbb", "Wxx"], "b3": ["Wrr"]}),
    "a jump": (f"{THREE}, b1 Bbb", move("a1", "d1", lift=3), {"b1": ["Bbb"], "d1": ["Wxx", "Wxx", "Wrr"]}),
    "a drop": (FREE, move("a1", "c1", "b1:1", lift=3), {"b1": ["Wbb", "Wxx"], "c1": ["Wrr"]}),
    "a pick-up": (
        "a1 Wbb Wrr, b1 Bxx Wox Wxx", move("a1", "c1", "b1:3", lift=2),
        {"b1": ["Bxx", "Wox"], "c1": ["Wxx", "Wbb", "Wrr"]},
    ),
    "an enemy set free": (
        "a1 Wbb Wrr, b1 Bxx Wxx", move("a1", "c1", "b1:3", lift=2), {"b1": ["Bxx"], "c1": ["Wxx", "Wbb", "Wrr"]}
    ),
    "an enemy pinned": (
        f"{FREE}, b1 Bxx", move("a1", "c1", "b1:1", lift=3), {"b1": ["Bxx", "Wbb", "Wxx"], "c1": ["Wrr"]}
    ),
    "six in the middle of a move": (
        f"{THREE}, b1 Wxx Wxx Wbb", move("a1", "d1", "b1:6", "c1:3", lift=3),
        {"c1": ["Wxx", "Wxx", "Wbb"], "d1": ["Wxx", "Wxx", "Wrr"]},
    ),
}  # fmt: skip


@pytest.mark.rule("plateau", "1", "`x` blank", "are **markers**", "it is a **weapon**, otherwise a **blank**")
@pytest.mark.rule(
    "plateau", "5", "whatever they show and whatever lies below them", "the lowest stay",
    "On a square that you control, lift", "join at the bottom", "This can unpin enemy pieces",
    "On a square that the enemy controls, lift", "The pieces left behind pin what they lie on",
)  # fmt: skip
@pytest.mark.rule("plateau", "8", "in the middle of a move do not count")
@pytest.mark.parametrize(("board", "action", "expected"), RESULTS.values(), ids=RESULTS)
def test_pieces_are_carried_dropped_and_picked_up_on_the_way(board, action, expected):
    after = builders.acts(builders.state(board), action)
    assert builders.board(after) == expected
    assert (after.prisoners, after.end) == (((), ()), None)


PILE = "a1 Wxx Wxx Wrr, b1 Bxx Bbb"
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
    "too much strength": (PILE, move("a1", "b1", lift=3), {}, {"b1": ["Wxx", "Wxx", "Wrr"]}),
    "just enough": (PILE, move("a1", "b1", lift=2), {}, {"a1": ["Wxx"], "b1": ["Wxx", "Wrr"]}),
    "too little": (PILE, move("a1", "b1"), {}, {"a1": ["Wxx", "Wxx"], "b1": ["Bxx", "Wrr"]}),
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
