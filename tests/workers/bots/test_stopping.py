"""A search that ends early, wherever its time is over, ends with the same again at the number of playouts done then.

So a limit of time changes nothing when a move is made again.
"""

from dataclasses import replace
from itertools import count

import pytest

from domain.plateau.actions import Tender
from service.games.projections.representations import action_data
from tests.support.random_games import playing
from tests.workers.bots.asking import asked
from workers.bots.searcher import think


def first_searched(ruleset_id, seats, phase, playouts, *, with_tender=False):
    """Return the first question of a phase at which the bot searches; it can also try an offer of prisoners."""
    for step in (step for seed in count() for step in playing(ruleset_id, seats, seed)):
        game = step.game
        if game.pending and game.state.phase == phase:
            seat = min(game.pending)
            legal = game.ruleset.legal_actions(game.state, seat) if with_tender else ()
            tender = next((each for each in legal if isinstance(each, Tender)), None)
            also = tender and action_data(game.ruleset, tender)
            question = asked(game, seat, 3, playouts, also=also)
            if (tender or not with_tender) and think(question).playouts:
                return question
    raise AssertionError(phase)


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "phase", "playouts", "more"),
    [
        *(
            pytest.param("french-tarot", 5, phase, 96, {}, marks=pytest.mark.long)
            for phase in ("bid", "call", "discard")
        ),
        ("french-tarot", 3, "play", 96, {}),
        pytest.param("le-plateau", 4, "bid", 400, {}, marks=pytest.mark.long),
        pytest.param("le-plateau", 4, "raise", 160, {}, marks=pytest.mark.long),
        ("le-plateau", 4, "play", 160, {}),
        ("plateau", 2, "play", 300, {}),
        ("plateau", 2, "play", 300, {"with_tender": True}),
        ("plute", 6, "bid", 96, {}),
        pytest.param("plute", 6, "play", 96, {}, marks=pytest.mark.long),
    ],
)
def test_a_search_that_ends_at_any_moment_ends_at_the_same_one_again(ruleset_id, seats, phase, playouts, more):
    question, found = first_searched(ruleset_id, seats, phase, playouts, **more), []
    for calls in (1, 2, 3, 7, 20, 10_000):  # at which question whether it is enough it is ended, the last time never
        asks = count(1)
        ended = think(replace(question, is_enough=lambda _done: next(asks) >= calls))  # noqa: B023
        then = ended.playouts
        assert think(replace(question, is_enough=lambda done: done >= then)) == ended  # noqa: B023
        found.append(then)
    assert found == sorted(found)
    assert len({*found}) > 3
    assert found[-1] <= playouts
