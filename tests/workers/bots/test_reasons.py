"""Reasons: made of the view and the action alone, true of them, and in words of every language."""

import json
from collections import Counter
from itertools import islice

import pytest

from domain.sentences.catalogue import catalogue, languages
from service.games.advice.resources import move_in_words
from service.games.projections.naming import nameplates
from tests.support.random_games import playing
from tests.support.server import ROOT
from tests.workers.bots.asking import asked
from workers.bots import searcher
from workers.bots.policy import Estimate, Reason, Thought
from workers.bots.ranking import posted
from workers.bots.reasons import reason_of

SEARCHED = {
    ("french-tarot", 5): {"bid", "call", "discard", "slam", "play"},
    ("le-plateau", 4): {"bid", "exchange", "raise", "announce", "play"},
    ("plateau", 2): {"play"},
    ("plute", 6): {"bid", "play"},
}
"""In which phases a searcher searches; gifts, with six players of Le Plateau, go the way of the exchange."""


def decisions(ruleset_id, seats, seed):
    """Return the decisions of a random game."""
    return [(step.game, seat) for step in playing(ruleset_id, seats, seed) for seat in step.game.pending]


@pytest.mark.parametrize("table", SEARCHED, ids=str)
def test_an_action_that_is_asked_for_is_valued_beside_the_best(table):
    searched = Counter()
    for game, seat in decisions(*table, 4):
        phase = game.state.phase
        also = asked_for(game, seat) if phase in SEARCHED[table] and searched[phase] < 3 else None
        if also is None or also["type"] == "claim":  # what can be claimed is, without a search
            continue
        thought = searcher.think(asked(game, seat, 7, 60, also=also))
        searched[phase] += 1
        assert thought.measure != "worth", phase
        assert also in [each.action for each in thought.estimates], phase
        assert thought.estimates[0].action == thought.action
        assert thought.estimates[0].behind == 0.0
    assert searched.keys() == SEARCHED[table]


def asked_for(game, seat):
    """Return the last thing that a seat can do other than pass, as a client posts it; None without a choice."""
    legal = list(islice(game.ruleset.legal_actions(game.state, seat), 2000))
    if len(legal) < 2:
        return None
    return next(each for each in (posted(game.ruleset, action) for action in reversed(legal)) if each["type"] != "pass")


def test_every_reason_has_words_and_every_word_is_a_reason():
    sources = "".join(path.read_text() for path in (ROOT / "workers").rglob("*.py"))
    words = {
        each for each in json.loads((ROOT / "service/sentences.en.json").read_text()) if each.startswith("reason.")
    }
    assert words == {each for each in words if f'"{each}"' in sources}
    assert words <= set(catalogue("service", "en").patterns)


def test_a_cost_without_a_known_error_is_told_as_an_estimate():
    game, seat = decisions("plute", 6, 1)[0]
    move = {"version": 9, "seat": seat, "cost": 500, "played": {"type": "pass"}, "best": {"type": "pass"}}
    move |= {"reason": {"id": "reason.best", "parameters": {}}}
    told = {
        (language, measure, error): move_in_words(
            move | {"measure": measure, "error": error}, game, nameplates(game, lambda _: {}), language
        )[0]
        for language in languages()
        for measure in ("points", "bid", "win")
        for error in (0, 100)
    }
    assert {"±" in text for (_, _, error), text in told.items() if error} == {True}
    assert {"±" in text or "{" in text for (_, _, error), text in told.items() if not error} == {False}
    assert told["en", "points", 0] == f"Event 9, player {seat + 1}: cost about 0.5 points"


def test_what_is_ahead_is_told_by_its_measure():
    game, seat = decisions("plute", 6, 1)[0]
    question = asked(game, seat)

    def of(measure, behind, error):
        best, other = {"type": "pass"}, {"type": "bid", "points": 4}
        estimates = (Estimate(best, 1.0, 0.1), Estimate(other, 1.0 - behind, 0.1, behind, error))
        return reason_of(question, Thought(best, 100, estimates, measure))

    assert of("worth", 0.5, 0.0) == Reason("reason.judgement")
    assert of("bid", 0.1, 0.1) == Reason("reason.close")
    assert of("points", 3.25, 0.0) == Reason("reason.best"), "how sure that is, nobody knows"
    assert of("points", 3.25, 1.0) == Reason("reason.ahead.points", {"points": "3.2"})
    assert of("bid", 0.2, 0.01) == of("win", 0.2, 0.01) == Reason("reason.ahead", {"percent": 10})
