"""Scores of a hand, totals, the ranking (rules of 16 June 2023, section Score)."""

import pytest

from domain import le_plateau
from domain.le_plateau.scoring import final, hand_scores
from domain.ruleset import Outcome
from tests.domain.le_plateau import given

# players, team: what the declarer and each partner win, in values (the printed table)
TABLE = {
    (2, "solo"): (1, None),
    (3, "solo"): (2, None),
    (4, "duo"): (1, 1),
    (4, "solo"): (3, None),
    (5, "duo"): (2, 1),
    (5, "solo"): (4, None),
    (6, "trio"): (1, 1),
    (6, "duo"): (2, 2),
    (6, "solo"): (5, None),
}


@pytest.mark.parametrize(("seats", "team"), TABLE)
@pytest.mark.parametrize("objective", ["bridge", "fork", "six_sides"])
@pytest.mark.parametrize("exchange", [True, False])
def test_the_table_of_scores(seats, team, objective, exchange):
    declarer_wins, partner_wins = TABLE[seats, team]
    for declarer in range(seats):
        partners = tuple((declarer + 2 * k) % seats for k in range(1, {"solo": 1, "duo": 2, "trio": 3}[team]))
        contract = given.contract(seats, declarer, objective, team, exchange=exchange, partners=partners)
        state = given.state(seats, "play", contract=contract)
        v = contract.value
        expected = [
            v * declarer_wins if seat == declarer else v * partner_wins if seat in partners else -v
            for seat in range(seats)
        ]
        assert sum(expected) == 0
        assert list(hand_scores(state, "declarer")) == expected
        assert list(hand_scores(state, "opposing")) == [-points for points in expected]


def test_scores_follow_the_value_of_the_last_raise():
    state = given.state(3, "raise", contract=given.contract(3, 0, "bridge"))
    state = given.acts(state, le_plateau.ACTIONS["raise"]("fork"))
    assert hand_scores(state, "declarer") == (12, -6, -6)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [((3, 1, -4), (0,)), ((2, 2, -4), (0, 1)), ((0, 0, 0), (0, 1, 2)), ((-4, 8, -4), (1,)), ((-2, 1, 1), (1, 2))],
)
def test_the_highest_score_wins_and_ties_share(scores, winners):
    state = given.state(3, "over", scores=scores)
    assert final(state) == Outcome("hands_played", winners, scores)
    assert le_plateau.outcome(state) == final(state)


def test_there_is_no_outcome_before_the_end():
    for phase in ("deal", "bid", "play"):
        assert le_plateau.outcome(given.state(3, phase, scores=(3, 1, -4))) is None
