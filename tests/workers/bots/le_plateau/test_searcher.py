"""``searcher`` makes legal moves, by what its seat knows alone, and finds what a hand cannot miss."""

import random

import pytest

from domain.registry import RULESETS
from domain.serialization import changed
from tests.domain.play import VARIANTS, playing
from tests.workers.bots.le_plateau.asking import action_of, asked_of
from workers.bots.le_plateau.loader import dealt
from workers.bots.le_plateau.searcher import choices, think

TABLES = [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "le-plateau"]
EVERY = 50


@pytest.mark.parametrize(("seats", "variant"), TABLES[::2])
def test_moves_are_legal_and_the_same_whatever_the_others_hold(seats, variant):
    rng = random.Random(seats)
    kinds = set()
    for number, step in enumerate(playing("le-plateau", seats, 1, variant)):
        game = step.game
        for seat in game.pending:
            if number % EVERY and game.state.phase in kinds:
                continue
            kinds.add(game.state.phase)
            thought = think(asked_of(game, seat, playouts=48))
            world = game.ruleset.sample(game.options, seat, game.ruleset.project(game.state, seat), rng)
            assert think(asked_of(changed(game, state=world), seat, playouts=48)) == thought
            game.ruleset.decide(game.state, seat, action_of(thought))


def test_a_search_that_stops_early_can_be_played_again():
    step = next(step for step in playing("le-plateau", 3, 1) if step.game.state and step.game.state.phase == "play")
    (seat,) = step.game.pending
    asked = asked_of(step.game, seat, seed=5, playouts=200)
    stopped = think(changed_to(asked, lambda done: done >= 60))
    assert 60 <= stopped.playouts < 80
    assert think(changed_to(asked, lambda done: done >= stopped.playouts)) == stopped


def changed_to(asked, is_enough):
    """Return a question with another limit."""
    return type(asked)(asked.view, asked.seed, asked.playouts, is_enough)


def test_equivalent_cards_count_as_one():
    options = RULESETS["le-plateau"].options.complete({}, 6)
    held = ["3S", "4S", "6S", "VS", "CS", "T8", "T9", "T21", "EX"]
    world = dealt(options, 6, [held, ["5S"], [], [], [], []], 0)
    assert choices(world, ["VS", "CS", "T21", "EX"], options) == ["3S", "6S", "VS", "CS", "T8", "T21", "EX"]
    french = RULESETS["le-plateau"].options.complete({"excuse": "french"}, 6)
    world = dealt(french, 6, [["T20", "T21", "EX"], [], [], [], [], []], 0)
    assert choices(world, [], french) == ["T20", "EX"]
