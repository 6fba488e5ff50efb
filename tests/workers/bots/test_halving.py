"""Sequential halving finds the best action, in a fixed order, with the playouts that it has.

What kernels draw by: each number as often as the others, and bits of a set by their order.
"""

import random

from workers.bots.drawing import drawn, highest, nth
from workers.bots.halving import halved


def noisy(means, seed, played=None):
    """Return a trial in which each action has its mean reward and noise that all share, and a bit of their own."""
    rng = random.Random(seed)

    def trial(alive):
        shared = rng.randrange(100)
        if played is not None:
            played.append(tuple(alive))
        return [means[action] + shared + rng.randrange(20) for action in alive]

    return trial


def never(_done):
    return False


def test_the_best_action_comes_first_and_the_budget_is_kept():
    for seed in range(20):
        means = [10, 12, 11, 30, 9, 28, 0]
        played = []
        ranking = halved(7, 400, noisy(means, seed, played), never)
        assert ranking.order[0] in (3, 5)
        assert sorted(ranking.order) == [*range(7)]
        assert ranking.playouts == sum(map(len, played)) <= 400
        assert {len(alive) for alive in played} <= {7, 4, 2}


def test_equals_keep_their_order():
    ranking = halved(5, 100, lambda alive: [1] * len(alive), never)
    assert ranking.order == [0, 1, 2, 3, 4]
    assert ranking.error(0) == 0


def test_a_clear_action_ends_the_search_early():
    ranking = halved(2, 1000, lambda alive: [5 if action else 0 for action in alive], never)
    assert ranking.order == [1, 0]
    assert ranking.playouts < 200
    assert (ranking.mean(1), ranking.error(1)) == (5.0, 0.0)


def test_a_search_that_has_had_enough_ends_and_the_same_number_ends_it_again():
    first = halved(6, 1000, noisy([1, 2, 3, 4, 5, 6], 1), lambda done: done >= 50)
    assert 50 <= first.playouts < 56
    again = halved(6, 1000, noisy([1, 2, 3, 4, 5, 6], 1), lambda done: done >= first.playouts)
    assert (again.order, again.playouts, again.rewards) == (first.order, first.playouts, first.rewards)


def test_every_action_is_played_once_even_without_a_budget():
    ranking = halved(3, 0, noisy([0, 500, 0], 2), never)
    assert ranking.order[0] == 1
    assert all(ranking.rewards)


def test_the_error_is_that_of_the_mean():
    rewards = iter([[1, 9], [3, 9], [1, 9], [3, 9]])
    ranking = halved(2, 8, lambda _alive: next(rewards), never)
    assert ranking.mean(0) == 2.0
    assert abs(ranking.error(0) - (4 / 3 / 4) ** 0.5) < 1e-9


def test_chance_is_fair():
    game = [7]
    counted = [0] * 6
    for _ in range(6000):
        counted[drawn(game, 6)] += 1
    assert all(880 < times < 1120 for times in counted)


def test_bits_are_found_by_their_order():
    assert [nth(0b101100, number) for number in range(3)] == [2, 3, 5]
    assert [highest(cards) for cards in (0, 1, 0b101100, 1 << 55)] == [-1, 0, 5, 55]
