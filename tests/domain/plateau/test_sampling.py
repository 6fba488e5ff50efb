"""Worlds drawn from views: they agree with the view, and with all that follows from what was shown."""

import random
from dataclasses import replace

import pytest

from domain.plateau import RULESET as plateau
from domain.plateau import lines
from domain.plateau.pieces import SET
from tests.domain.plateau import builders
from tests.support.random_games import played
from tests.support.sampling import seeds

VIEWERS = (0, 1, None)
START = plateau.setup(plateau.options.complete({}, 2), 2)


def worlds(state, viewer, count=60):
    """Draw worlds, each checked to look the same to the viewer."""
    view = plateau.project(state, viewer)
    drawn = [plateau.sample(state.options, viewer, view, random.Random(seed)) for seed in range(count)]
    assert all(plateau.project(world, viewer) == view for world in drawn)
    return drawn


def kinds(drawn, token):
    return {piece.kind for world in drawn for stack in world.board for piece in stack if piece.token == token}


@pytest.mark.parametrize("seed", seeds(4))
def test_every_world_has_the_twelve_pieces_of_each_player(seed):
    for step in played("plateau", 2, seed)[5::9]:
        state = step.game.state
        for viewer in VIEWERS:
            for world in worlds(state, viewer, 3):
                for seat in (0, 1):
                    on_board = [p.kind for stack in world.board for p in stack if p.owner == seat]
                    everything = sorted((*on_board, *world.reserves[seat], *world.prisoners[1 - seat]))
                    assert everything == sorted(SET)


def test_the_lower_piece_of_an_opening_can_be_any_that_is_left():
    state = builders.acts(START, builders.opening("a1", "rb", "xo"))
    assert kinds(worlds(state, 1, 200), "p1") == {"A", "TW", "RM", "BM", "R", "B", "M"}
    assert kinds(worlds(state, 1, 200), "p2") == {"TW", "RM", "BM", "M"}
    assert kinds(worlds(state, 0), "p1") == {"A"}


def test_a_piece_that_was_captured_and_came_home_can_have_been_placed_again():
    """Black's ace was captured, came home, and can lie on c4 now; the pieces that never left a1 cannot be it."""
    state = builders.acts(
        START, builders.opening("a1", "xx", "rr"), builders.opening("d4", "xx", "bb"),
        builders.onboard("d3", 0, "br"), builders.onboard("d2", 0, "rr"),
        builders.onboard("c1", 0, "xx"), builders.move("d2", "d3"),
        builders.onboard("a4", 0, "bx"), builders.onboard("b4", 0, "xx"),
        builders.move("a4", "b3"), builders.onboard("c2", 0, "xx"),
        builders.move("b3", "c2"), builders.onboard("b2", 0, "xx"),
    )  # fmt: skip
    assert state.prisoners == (("M",), ("A",))
    assert kinds(worlds(state, 1), "p2") == {"R", "RM"}
    home = builders.acts(state, builders.onboard("a3", 0, "xx"), builders.tender("A"), builders.respond("M"))
    again = builders.acts(home, builders.onboard("c4", 0, "rb"))
    drawn = worlds(again, 1, 200)
    last = max((p.token for stack in again.board for p in stack), key=lambda token: int(token[1:]))
    assert "A" in kinds(drawn, last)
    assert kinds(drawn, "p2") == {"R", "RM"}


def shut_in():
    """Play until Black has no legal action."""
    state = START
    for line in builders.SHUT_IN:
        state = builders.acts(state, lines.read(line, state.board))
    return state


def test_a_world_with_an_unforced_forfeit_is_not_drawn():
    """A mask or a Twister on a4 could have been turned over and moved; Black passed, so it is a Mute."""
    state = shut_in()
    assert builders.legal(state) == [builders.PASS]
    (piece,) = state.board[builders.SQUARES.index("a4")]
    assert kinds(worlds(state, 1, 60), piece.token) == {"M", "BM", "RM", "TW"}
    passed = builders.acts(state, builders.PASS)
    assert kinds(worlds(passed, 1, 20), piece.token) == {"M"}


def test_a_view_that_no_world_agrees_with_is_rejected():
    view = plateau.project(shut_in(), 1)
    impossible = tuple(replace(line, line=line.line.replace("r?", "o?")) for line in view.history)
    with pytest.raises(AssertionError, match="no pieces fit"):
        plateau.sample(START.options, 1, replace(view, history=impossible), random.Random(0))
