"""The score sheet of Le Plateau states of what a hand's value consists, and how often each seat gets it."""

import re

import pytest

from domain.le_plateau.picture.scenes import page_of
from domain.le_plateau.view import project
from domain.pictures.shown import Shown
from tests.support.random_games import played
from tests.support.sampling import seeds

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
    assert lines[0].name == "Hand 1: seat 4 missed six sides, solo, exchange (14)"
    assert lines[0].steps == (
        "With exchange: 1",
        "Six sides, 4 steps above a bridge: 4 × 2 = 8",
        "Solo, 1 step below the largest team: 1 × 5 = 5",
        "The contract is worth 14",
        "The contract can no longer be made: the opposing side wins",
        "Seat 1, opposing: 1 × 14 = +14",
        "Seat 2, opposing: 1 × 14 = +14",
        "Seat 3, opposing: 1 × 14 = +14",
        "Seat 4, declarer: −3 × 14 = −42",
    )
