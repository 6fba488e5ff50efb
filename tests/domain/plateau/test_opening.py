"""The opening: rules.md, section 3."""

import pytest

from domain.plateau import RULESET as plateau
from domain.plateau.actions import Open
from tests.domain.plateau import builders

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
