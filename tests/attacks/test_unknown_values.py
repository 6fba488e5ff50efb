"""Attack: send the rules values that they do not define. They reject them themselves, whoever read the request.

``domain/laws/hostile_requests.py`` holds this for every ruleset, with thousands of values.
"""

import pytest

from domain.errors import IllegalAction, InvalidOptions
from domain.plateau import RULESET as plateau
from domain.plateau.actions import Move, Onboard, Open, Placed, Stomp, Stop
from domain.registry import RULESETS
from tests.support.random_games import played
from tests.support.sampling import TABLES

UNKNOWN_SQUARES = [
    Open("z9", (Placed("A", "r"), Placed("M", "x"))),
    Onboard("z9", 0, "M", "x"),
    Move(from_="z9", lift=1, to="a1"),
    Move(from_="a1", lift=1, to="z9"),
    Move(from_="a1", lift=1, stops=(Stop("z9", 1),), to="a3"),
    Stomp(square="z9"),
]


@pytest.mark.parametrize("action", UNKNOWN_SQUARES)
def test_a_square_that_the_board_does_not_have_is_refused(action):
    for step in played("plateau", 2, 0):
        game = step.game
        for seat in game.pending:
            with pytest.raises(IllegalAction) as refusal:
                plateau.decide(game.state, seat, action)
            assert refusal.value.code == "malformed-action"
            assert "z9" in refusal.value.message


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_an_option_that_a_game_does_not_have_is_refused_by_name(ruleset_id, seats):
    with pytest.raises(InvalidOptions) as refusal:
        RULESETS[ruleset_id].options.complete({"repetitions": 3, "colour": "red"}, seats)
    assert [(problem.option, problem.code) for problem in refusal.value.problems] == [
        ("repetitions", "unknown-option"),
        ("colour", "unknown-option"),
    ]
