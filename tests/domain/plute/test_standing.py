"""The law of what a scene of Plute says that a team has for certain: it has that at the end of the hand, too."""

import pytest

from domain.plute import RULESET as plute
from domain.plute.scoring import of_team
from domain.plute.state import TEAMS
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS, seeds

TABLES = [(seats, variant) for ruleset, seats, variant in VARIANTS if ruleset == plute.id]


@pytest.mark.parametrize(("seats", "variant"), TABLES)
@pytest.mark.parametrize("seed", seeds(4))
def test_a_team_has_at_the_end_of_the_hand_what_it_was_told_to_have_for_certain(seats, variant, seed):
    states = [step.game.state for step in playing(plute.id, seats, seed, variant) if step.game.state]
    counted = {
        (result.hand_number, points.team): points
        for result in plute.project(states[-1], None).hand_results
        for points in result.points
    }
    assert counted
    views = [plute.project(state, viewer) for state in states for viewer in (None, *range(seats))]
    for view in (view for view in views if view.phase == "play"):
        for team in TEAMS:
            standing, final = of_team(view.standing, team), counted.get((view.hand_number, team))
            assert final is None or {*standing.points} <= {*final.points}
            assert final is None or standing.game_value <= final.game_value
