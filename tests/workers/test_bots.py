"""Bots play by what their seat knows: with the same seed, they play the same after a re-deal of everything unseen."""

import importlib
import random
from collections import Counter
from dataclasses import asdict

import pytest

from bench.league.duels import Duel, deal, lead
from bench.league.tables import Table
from domain.sentences.catalogue import languages
from domain.serialization import changed
from service.bots import BOTS
from service.games.advice.resources import reason_resource
from service.games.projections import representations
from tests.support.random_games import playing
from tests.support.sampling import LARGEST, SMALLEST, TABLES, VARIANTS
from tests.workers.bots.asking import asked, typed
from tests.workers.conftest import House
from workers.bots import greedy, novice, searcher, uniform
from workers.bots.policy import Asked, Estimate, Thought
from workers.bots.reasons import reason_of
from workers.research.entrants import entrants

MOST_PLAYOUTS = 60
"""Enough for a search to weigh every action; its strength is measured elsewhere."""


def policy_of(name):
    module, _, function = BOTS[name].policy.partition(":")
    return getattr(importlib.import_module(module), function)


def in_every_phase(ruleset_id, seats, variant, rng):
    """Return two decisions of each phase of a random game: the game and the seat to act."""
    by_phase = {}
    for step in playing(ruleset_id, seats, 0, variant):
        for seat in step.game.pending:
            by_phase.setdefault(step.game.state.phase, []).append((step.game, seat))
    return [decision for found in by_phase.values() for decision in rng.sample(found, min(2, len(found)))]


def bots_at_tables():
    """List every bot at every table; the usual run has some of them, in turn, at the outermost tables."""
    for number, (ruleset_id, seats, variant) in enumerate(VARIANTS):
        able = [name for name, bot in BOTS.items() if bot.plays(ruleset_id)]
        for place, name in enumerate(able):
            is_usual = (ruleset_id, seats) in SMALLEST + LARGEST and (number - place) % len(able) == 0
            yield pytest.param(name, ruleset_id, seats, variant, marks=() if is_usual else pytest.mark.long)


@pytest.mark.parametrize(("name", "ruleset_id", "seats", "variant"), [*bots_at_tables()])
def test_a_bot_plays_legally_and_the_same_whatever_the_others_hold(name, ruleset_id, seats, variant):
    think, playouts, rng = policy_of(name), min(BOTS[name].playouts, MOST_PLAYOUTS), random.Random(0)
    for game, seat in in_every_phase(ruleset_id, seats, variant, rng):
        question = asked(game, seat, 0, playouts)
        thought = think(question)
        world = game.ruleset.sample(game.options, seat, game.ruleset.project(game.state, seat), rng)
        assert think(asked(changed(game, state=world), seat, 0, playouts)) == thought
        assert game.ruleset.decide(game.state, seat, typed(game.ruleset, thought))
        for estimate in thought.estimates[:3]:
            assert game.ruleset.decide(game.state, seat, typed(game.ruleset, estimate))
        assert thought.action in [each.action for each in (thought, *thought.estimates)][:2]
        for language in languages():
            text = reason_resource(asdict(reason_of(question, thought)), language)["text"]
            assert text
            assert "{" not in text


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_the_random_bot_plays_every_ruleset_though_not_every_action_is_listed(ruleset_id, seats, monkeypatch):
    monkeypatch.setattr(representations, "MOST_LISTED", 1)
    for game, seat in in_every_phase(ruleset_id, seats, "", random.Random(1)):
        assert game.ruleset.decide(game.state, seat, typed(game.ruleset, uniform.think(asked(game, seat, 2))))


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "better", "worse", "deals"),
    [
        ("plute", 6, "greedy", "random", 1),
        ("plute", 6, "greedy-novice", "random", 2),
        ("plute", 6, "greedy", "greedy-novice", 4),
        pytest.param("plute", 6, "searcher-club", "greedy", 5, marks=pytest.mark.long),
        ("french-tarot", 3, "greedy", "random", 1),
        ("le-plateau", 2, "greedy", "random", 2),
        ("plateau", 2, "greedy", "random", 1),
    ],
)
def test_each_level_is_ahead_of_those_below_it(ruleset_id, seats, better, worse, deals):
    """In so many deals of a seed, which always come to the same; how certain it is, the league says."""
    options = ("win_at=1", "lose_at=1") if ruleset_id == "plute" else ()
    duel = Duel(Table(ruleset_id, seats, options), *entrants([better, worse]), 1)
    games = [game for number in range(deals) for game in deal(duel, number)["games"]]
    assert sum(map(lead, games)) > 0


def test_the_random_bot_chooses_each_action_as_often_as_the_others():
    listed = {"legal_actions": {"count": 4, "actions": [{"type": "play", "card": card} for card in "abcd"]}}
    chosen = Counter(uniform.think(Asked(listed, seed)).action["card"] for seed in range(4000))
    assert all(900 < times < 1100 for times in chosen.values())


def test_the_service_lists_for_which_rulesets_there_are_policies():
    assert (set(greedy.POLICIES), set(searcher.POLICIES)) == (BOTS["greedy"].rulesets, BOTS["searcher"].rulesets)
    assert BOTS["searcher-club"].rulesets == BOTS["searcher"].rulesets - {"plateau"}, "one level of the searcher"


@pytest.mark.parametrize("bot", [greedy, searcher])
def test_a_bot_asks_the_policy_of_the_ruleset(bot, monkeypatch):
    question = Asked({"game": {"ruleset": "plute"}}, 1)
    monkeypatch.setitem(bot.POLICIES, "plute", Thought)
    assert bot.think(question).action is question


@pytest.mark.parametrize("weighed", ["", "a", "ab", "abcd"])
def test_a_novice_plays_one_move_in_four_as_the_second_or_third_best(monkeypatch, weighed):
    estimates = tuple(Estimate({"card": card}, -rank, 0) for rank, card in enumerate(weighed))
    monkeypatch.setitem(greedy.POLICIES, "plute", lambda _asked: Thought({"card": "a"}, 0, estimates))
    view = {"game": {"ruleset": "plute"}}
    played = Counter(novice.think(Asked(view, seed)).action["card"] for seed in range(4000))
    assert set(played) == {"a", *weighed[:3]}
    if weighed == "abcd":
        assert 2900 < played["a"] < 3100
        assert abs(played["b"] - played["c"]) < 100


@pytest.mark.parametrize(
    ("best", "others"), [("bid", ["bid", "bid"]), ("pass", ["bid", "bid"]), ("no_slam", ["announce_slam"])]
)
def test_a_novice_never_slips_in_what_it_bids_or_announces(monkeypatch, best, others):
    estimates = tuple(Estimate({"type": kind, "rank": rank}, -rank, 0) for rank, kind in enumerate([best, *others]))
    monkeypatch.setitem(greedy.POLICIES, "plute", lambda _asked: Thought(estimates[0].action, 0, estimates))
    view = {"game": {"ruleset": "plute"}}
    assert all(novice.think(Asked(view, seed)).action["rank"] == 0 for seed in range(100))


class Answering:
    """A policy process in which every bot returns the same answer."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def think(self, *_asked: object) -> Thought:
        return Thought(self._answer)


BID = {"type": "bid", "exchange": True, "objective": "bridge", "team": "solo"}


@pytest.mark.parametrize(
    "answer",
    [
        *(None, 7, "pass", [], {}, {"type": "fly"}, {"type": "play", "card": "RH"}, {"type": []}, {"type": "bid"}),
        *({**BID, "exchange": 1}, {**BID, "more": 1}),
    ],
    ids=str,
)
def test_an_answer_that_is_not_a_legal_action_is_replaced(client, answer):
    house = House(client, Answering(answer))
    game_id = house.begin("random", "me", "me")
    house.handle(game_id)
    assert (house.counted("bot_failures"), house.counted("bot_moves")) == (1, 1)
    assert set(house.game(game_id).pending) == {1}


@pytest.mark.parametrize("decision", [{}, {"decision_id": "d1_0"}])
def test_an_answer_is_read_as_a_request_is_whatever_decision_it_names(client, decision):
    house = House(client, Answering({**BID, **decision}))
    game_id = house.begin("random", "me", "me")
    house.handle(game_id)
    assert house.counted("bot_failures") == 0
    assert house.types(game_id)[-1] == "bid_made"
