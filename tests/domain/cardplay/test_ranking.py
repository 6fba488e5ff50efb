"""The ranking by points."""

import pytest

from domain.cardplay.ranking import best_seats


@pytest.mark.parametrize(
    ("scores", "best", "positive"),
    [
        ((3, 5, 1), (1,), (0, 1, 2)),
        ((5, -8, 5, -2), (0, 2), (0, 2)),
        ((4, 1, -5), (0,), (0, 1)),
        ((0, 0), (0, 1), (0, 1)),
        ((-2, 0, -1), (1,), (1,)),
    ],
)
def test_the_highest_score_wins_and_ties_share(scores, best, positive):
    assert best_seats(scores) == best
    assert best_seats(scores, every_positive=True) == positive
