"""Scores of a hand, totals, the ranking (rules of 16 June 2023, section Score).

The score sheet of Le Plateau states of what a hand's value consists, and how often each seat gets it.
"""

import re

import pytest

from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau.picture.scenes import page_of
from domain.le_plateau.scoring import final, hand_scores
from domain.le_plateau.view import project
from domain.pictures.shown import Shown
from domain.table import Outcome
from tests.domain.le_plateau import builders
from tests.support.random_games import played
from tests.support.sampling import seeds

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


@pytest.mark.rule(
    "le-plateau", "8", "Let v be the value", "Each opposing player loses v", "The declarer's side gains or loses",
    "6 / v each / 2v each / 5v", "5 / declarer 2v, partner v / 4v", "4 / v each / 3v", "3 / 2v", "2 / v",
)  # fmt: skip
@pytest.mark.parametrize(("seats", "team"), TABLE)
@pytest.mark.parametrize("objective", ["bridge", "fork", "six_sides"])
@pytest.mark.parametrize("exchange", [True, False])
def test_the_table_of_scores(seats, team, objective, exchange):
    declarer_wins, partner_wins = TABLE[seats, team]
    for declarer in range(seats):
        partners = tuple((declarer + 2 * k) % seats for k in range(1, {"solo": 1, "duo": 2, "trio": 3}[team]))
        contract = builders.contract(seats, declarer, objective, team, exchange=exchange, partners=partners)
        state = builders.state(seats, "play", contract=contract)
        v = contract.value
        expected = [
            v * declarer_wins if seat == declarer else v * partner_wins if seat in partners else -v
            for seat in range(seats)
        ]
        assert sum(expected) == 0
        assert list(hand_scores(state, "declarer")) == expected
        assert list(hand_scores(state, "opposing")) == [-points for points in expected]


# players, team, abdication: what each player of the declarer's side gets if it wins (declarer, partner), and each
# opposing player if it loses, in values (the printed tables of positive-only scoring)
POSITIVE = {
    (2, "solo", None): (1, None, 1),
    (3, "solo", None): (1, None, 1),
    (4, "duo", None): (1, 1, 1),
    (4, "solo", None): (2, None, 2),
    (5, "duo", "off"): (1, 1, 1),
    (5, "solo", "off"): (2, None, 2),
    (5, "duo", "on"): (2, 1, 1),
    (5, "solo", "on"): (3, None, 3),
    (6, "trio", None): (2, 2, 2),
    (6, "duo", None): (3, 3, 3),
    (6, "solo", None): (6, None, 6),
}


@pytest.mark.rule(
    "le-plateau", "8", "only the winning side scores", "if it loses, gets:", "three / 2v", "two / v / 3v",
    "one / v / 2v / 6v", "if a duo wins, the declarer gets 2v and the partner v",
)  # fmt: skip
@pytest.mark.parametrize(("seats", "team", "abdication"), POSITIVE)
@pytest.mark.parametrize(("objective", "exchange"), [("bridge", True), ("fork", False), ("six_sides", True)])
def test_the_tables_of_positive_scoring(seats, team, abdication, objective, exchange):
    declarer_wins, partner_wins, opposing_wins = POSITIVE[seats, team, abdication]
    options = {"scoring": "positive", "abdication": abdication}
    for declarer in range(seats):
        partners = tuple((declarer + 2 * k) % seats for k in range(1, {"solo": 1, "duo": 2, "trio": 3}[team]))
        contract = builders.contract(seats, declarer, objective, team, exchange=exchange, partners=partners)
        state = builders.state(seats, "play", contract=contract, options=options)
        v, side = contract.value, {declarer: declarer_wins, **dict.fromkeys(partners, partner_wins)}
        assert list(hand_scores(state, "declarer")) == [v * side.get(seat, 0) for seat in range(seats)]
        lost = [0 if seat in side else v * opposing_wins for seat in range(seats)]
        assert list(hand_scores(state, "opposing")) == lost


@pytest.mark.rule("le-plateau", "8", "after the last raise")
def test_scores_follow_the_value_of_the_last_raise():
    state = builders.state(3, "raise", contract=builders.contract(3, 0, "bridge"))
    state = builders.acts(state, le_plateau.actions["raise"]("fork"))
    assert hand_scores(state, "declarer") == (12, -6, -6)


@pytest.mark.rule("le-plateau", "8", "After the agreed hands, the highest score wins", "tied players share the win")
@pytest.mark.parametrize(
    ("scores", "winners"),
    [((3, 1, -4), (0,)), ((2, 2, -4), (0, 1)), ((0, 0, 0), (0, 1, 2)), ((-4, 8, -4), (1,)), ((-2, 1, 1), (1, 2))],
)
def test_the_highest_score_wins_and_ties_share(scores, winners):
    state = builders.state(3, "over", scores=scores)
    assert final(state) == Outcome("hands_played", winners, scores)
    assert le_plateau.outcome(state) == final(state)


RESULT = re.compile(r"= (\S+)$|: (\d+)$")


def sheet(seats, seed, variant=""):
    view = project(played("le-plateau", seats, seed, variant)[-1].game.state, None)
    return view, page_of(view, Shown()).sheet


def results(steps):
    found = (RESULT.search(step) for step in steps)
    return [int((each[1] or each[2]).replace("−", "-")) for each in found if each]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_parts_of_the_value_add_up_and_each_seat_has_its_score(seats):
    for seed in seeds(6):
        view, lines = sheet(seats, seed)
        for line, result in zip(lines, view.hand_results, strict=True):
            numbers = results(line.steps)
            parts, scores = numbers[: len(numbers) - seats], numbers[len(numbers) - seats :]
            assert sum(parts) == result.value
            assert scores == ([*result.scores] if result.contract else [])


def test_a_hand_is_calculated_in_words():
    _, lines = sheet(4, 1)
    assert lines[0].name == "Hand 1: player 4 missed six sides, solo, exchange (14)"
    assert lines[0].steps == (
        "With exchange: 1",
        "Six sides, 4 steps above a bridge: 4 × 2 = 8",
        "Solo, 1 step below the largest team: 1 × 5 = 5",
        "The contract is worth 14",
        "The contract can no longer be made: the opposing side wins",
        "Player 1, opponent: 1 × 14 = +14",
        "Player 2, opponent: 1 × 14 = +14",
        "Player 3, opponent: 1 × 14 = +14",
        "Player 4, declarer: −3 × 14 = −42",
    )
