"""Onboarding: rules.md, section 4.

The opening: rules.md, section 3.
"""

import pytest

from domain.plateau import RULESET as plateau
from domain.plateau.actions import Onboard, Open
from tests.domain.plateau import builders

BOARD = "a1 Bxx Brr, b2 Wxx Brr, c3 Bbb Wxx Wrr, d4 Bxx"


@pytest.mark.rule("plateau", "1", "height 0 is the bottom")
@pytest.mark.rule(
    "plateau", "4", "move up by one", "These places are legal", "any empty square",
    "the top of a stack that you control", "of which at least one is yours",
)  # fmt: skip
@pytest.mark.parametrize("place", ["b1/0", "c2/0", "c3/3", "c3/2", "c3/1", "b2/1", "b2/0", "a1/0", "c3/0"])
def test_a_piece_can_go_where_it_harms_no_enemy(place):
    square, height = place.split("/")
    state = builders.state(BOARD)
    before = builders.board(state).get(square, [])
    _, after = builders.act(state, builders.onboard(square, int(height), "bx"))
    assert builders.board(after)[square] == [*before[: int(height)], "Wbx", *before[int(height) :]]
    assert after.reserves[1].count("BM") == 0
    assert after.to_move == 0


@pytest.mark.rule(
    "plateau", "4", "move up by one", "These places are legal", "any empty square",
    "the top of a stack that you control", "of which at least one is yours",
)  # fmt: skip
@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("a1/2", "on-an-enemy"),
        ("b2/2", "on-an-enemy"),
        ("d4/1", "on-an-enemy"),
        ("a1/1", "inside-an-enemy-unit"),
        ("b1/1", "no-such-height"),
        ("a1/3", "no-such-height"),
        ("c3/9", "no-such-height"),
    ],
)
def test_a_piece_cannot_go_on_top_of_an_enemy_or_inside_an_enemy_unit(place, code):
    square, height = place.split("/")
    assert builders.refusal(builders.state(BOARD), builders.onboard(square, int(height), "bx")) == code


@pytest.mark.rule(
    "plateau", "4", "move up by one", "These places are legal", "any empty square",
    "the top of a stack that you control", "of which at least one is yours",
)  # fmt: skip
def test_a_piece_comes_from_the_players_reserve_and_shows_one_of_its_faces():
    state = builders.state("a1 Wrb, b1 Wxx Wxx Wxx Wxx")
    assert builders.refusal(state, builders.onboard("c1", 0, "rb")) == "not-in-reserve"
    assert builders.refusal(state, builders.onboard("c1", 0, "xx")) == "not-in-reserve"
    assert builders.refusal(state, Onboard("c1", 0, "RM", "o")) == "no-such-face"
    assert builders.refusal(state, Onboard("c1", 0, "TW", "o")) is None


@pytest.mark.rule(
    "plateau", "4", "under a whole stack, even if its lowest piece is the enemy's", "the lowest piece must be yours"
)
def test_a_piece_can_go_under_any_stack_unless_the_option_forbids_it():
    forbidding = {"onboard_under_enemy": False}
    for options, code in (({}, None), (forbidding, "under-an-enemy")):
        state = builders.state(BOARD, options=options)
        assert builders.refusal(state, builders.onboard("a1", 0, "bx")) == code
        assert builders.refusal(state, builders.onboard("c3", 0, "bx")) == code
        assert builders.refusal(state, builders.onboard("b2", 0, "bx")) is None
        under = {
            action for action in builders.legal(state) if isinstance(action, Onboard) and action.square in ("a1", "d4")
        }
        assert bool(under) == (code is None)


@pytest.mark.rule("plateau", "4", "put a blank on top of a weapon, or complete a unit of six")
def test_a_blank_can_go_on_the_players_own_pinning_weapon():
    state = builders.acts(builders.state("c3 Bbb Wrr"), builders.onboard("c3", 2, "xx"))
    assert builders.board(state) == {"c3": ["Bbb", "Wrr", "Wxx"]}
    assert state.prisoners == ((), ())


EMPTY = {"phase": "opening", "to_move": "B"}


@pytest.mark.rule("plateau", "1", "Seat 0 is Black and begins")
@pytest.mark.rule("plateau", "2", "Black first")
def test_black_opens_then_white_then_black_is_to_move():
    state = builders.state(**EMPTY)
    assert plateau.to_act(state) == {0}
    state = builders.acts(state, builders.opening("a1", "xx", "rr"))
    assert (plateau.to_act(state), state.phase) == ({1}, "opening")
    state = builders.acts(state, builders.opening("d4", "rb", "xo"))
    assert (plateau.to_act(state), state.phase) == ({0}, "play")
    assert builders.board(state) == {"a1": ["Bxx", "Brr"], "d4": ["Wrb", "Wxo"]}


@pytest.mark.rule("plateau", "3", "Place any two pieces of the reserve")
@pytest.mark.parametrize(
    ("action", "code"),
    [
        (builders.opening("b2", "xx", "rr"), "not-at-the-edge"),
        (builders.opening("a1", "rb", "br"), "not-in-reserve"),
        (Open("a1", ()), "wrong-number-of-pieces"),
        (Open("a1", (builders.code("xx"),)), "wrong-number-of-pieces"),
        (Open("a1", (builders.code("xx"),) * 3), "wrong-number-of-pieces"),
        (builders.onboard("a1", 0, "xx"), "wrong-phase"),
        (builders.PASS, "wrong-phase"),
    ],
)
def test_an_opening_takes_two_pieces_to_an_empty_square_at_the_edge(action, code):
    assert builders.refusal(builders.state(**EMPTY), action) == code


@pytest.mark.rule("plateau", "3", "Place any two pieces of the reserve")
def test_white_opens_on_another_square_than_black():
    state = builders.acts(builders.state(**EMPTY), builders.opening("a1", "xx", "rr"))
    assert builders.refusal(state, builders.opening("a1", "xx", "bb")) == "square-taken"
    assert all(action.square != "a1" for action in builders.legal(state))
