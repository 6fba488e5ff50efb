"""The score sheet of Plute states which points each team had, and what became of the bid."""

from domain.pictures.shown import Shown
from domain.plute.picture.scenes import page_of
from domain.plute.view import project
from tests.support.random_games import played


def test_a_hand_is_written_down_for_the_team_that_bid():
    view = project(played("plute", 6, 0)[-1].game.state, None)
    scene = page_of(view, Shown())
    first = scene.sheet[0]
    assert first.name == "Hand 1: Team A bid 7, won 1, stopped: set"
    assert first.cells == ("set", "", "set", "", "set", "")
    assert first.steps[0] == "Team A: 1 point, Low Joker; 3 for Game"
    assert first.steps[-1] == "1 of 7 bid: the tally of sets goes up by one"
    assert scene.totals == ("0 ✓ 3 ✗", "0 ✓ 1 ✗") * 3
    assert len(scene.sheet) == len(view.hand_results)
