"""The bot searcher for Le Plateau: what it says of bids, and which cards it tries."""

from dataclasses import replace

import pytest

from domain.registry import RULESETS
from tests.support.random_games import playing
from tests.workers.bots.asking import asked
from workers.bots.le_plateau import bidding
from workers.bots.le_plateau.loader import dealt
from workers.bots.le_plateau.prospects import ONE
from workers.bots.le_plateau.searcher import choices, think


def question_in(phase, holds=lambda _question: True, seats=4):
    """Return the first question of a game in a phase, with what is asked for."""
    steps = playing("le-plateau", seats, 1)
    games = (step.game for step in steps if step.game.state and step.game.state.phase == phase)
    questions = (asked(game, min(game.pending)) for game in games if game.pending)
    return next(question for question in questions if holds(question))


def test_a_pass_is_told_as_it_is_and_not_with_what_a_bid_must_promise_beyond_it():
    spoken = [think(replace(question_in("bid"), playouts=100, seed=seed)) for seed in range(8)]
    scores = [{each.action["type"]: each.score for each in reversed(thought.estimates)} for thought in spoken]
    assert {found["pass"] for found in scores} == {0}
    for thought, found in zip(spoken, scores, strict=True):
        best = thought.estimates[0]
        assert thought.action["type"] == ("bid" if found["bid"] > bidding.SAFETY / ONE else "pass")
        assert all(each.behind == pytest.approx(best.score - each.score) for each in thought.estimates)


def test_where_one_way_to_exchange_is_left_bids_by_it_have_all_the_playouts():
    def is_left(question):
        return len({bid["exchange"] for bid in legal_in(question) if bid["type"] == "bid"}) == 1

    assert think(replace(question_in("bid", is_left, seats=2), playouts=100)).playouts == 100


def test_a_card_that_is_asked_for_is_tried_where_all_cards_are_equivalent():
    question = question_in("play", lambda each: len(legal_in(each)) > 1 and not think(each).estimates)
    also = next(action for action in legal_in(question) if action != think(question).action)
    thought = think(replace(question, playouts=40, also=also))
    assert also in [each.action for each in thought.estimates]
    assert thought.playouts > 0


def legal_in(question):
    """Return the legal actions that a question lists."""
    return question.view["legal_actions"]["actions"]


def test_equivalent_cards_count_as_one():
    options = RULESETS["le-plateau"].options.complete({}, 6)
    held = ["3S", "4S", "6S", "VS", "CS", "T8", "T9", "T21", "EX"]
    world = dealt(options, 6, [held, ["5S"], [], [], [], []], 0)
    assert choices(world, ["VS", "CS", "T21", "EX"], options) == ["3S", "6S", "VS", "CS", "T8", "T21", "EX"]
    french = RULESETS["le-plateau"].options.complete({"excuse": "french"}, 6)
    world = dealt(french, 6, [["T20", "T21", "EX"], [], [], [], [], []], 0)
    assert choices(world, [], french) == ["T20", "EX"]
