"""A search that ends early, wherever its time is over, ends with the same again at the number of playouts done then.

So a limit of time changes nothing when a move is made again. For Plateau and Le Plateau, tests of their own say so.
"""

from dataclasses import replace
from itertools import count

import pytest

from tests.support.random_games import playing
from tests.workers.bots.laws import asked
from workers.bots.searcher import think

PLAYOUTS = 96
CALLS = (1, 2, 3, 7, 10_000)
"""At which question whether it is enough a search is ended, the last time never."""


def first_searched(ruleset_id, seats, phase):
    """Return the first question of a phase at which the bot searches."""
    for seed in count():
        for step in playing(ruleset_id, seats, seed):
            if step.game.state and step.game.state.phase == phase and step.game.pending:
                question = asked(step.game, min(step.game.pending), seed=3, playouts=PLAYOUTS)
                if think(question).playouts:
                    return question
    raise AssertionError(phase)


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "phase"),
    [
        *(pytest.param("french-tarot", 5, phase, marks=pytest.mark.long) for phase in ("bid", "call", "discard")),
        ("french-tarot", 3, "play"),
        ("plute", 6, "bid"),
        pytest.param("plute", 6, "play", marks=pytest.mark.long),
    ],
)
def test_a_search_that_ends_at_any_moment_ends_at_the_same_one_again(ruleset_id, seats, phase):
    question, found = first_searched(ruleset_id, seats, phase), []
    for calls in CALLS:
        asks = count(1)
        ended = think(replace(question, is_enough=lambda _done: next(asks) >= calls))  # noqa: B023
        then = ended.playouts
        assert think(replace(question, is_enough=lambda done: done >= then)) == ended  # noqa: B023
        found.append(then)
    assert 0 <= found[0] < found[1] < found[2] < found[3] <= found[4] <= PLAYOUTS
