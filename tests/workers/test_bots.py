"""Bots play by what their seat knows: with the same seed, they play the same after a re-deal of everything unseen."""

import importlib
import random
from collections import Counter

import orjson
import pytest

from domain.serialization import changed
from service.bots import BOTS, RANDOM
from service.games.projections import representations
from service.input.forms import action_of
from tests.support.random_games import playing
from tests.support.sampling import TABLES, VARIANTS, seeds
from tests.workers.conftest import House
from workers.bots import greedy, novice, searcher, uniform
from workers.bots.policy import Asked, Estimate, Thought

MOST_PLAYOUTS = 60
"""Enough for a search to weigh every action; its strength is measured elsewhere."""


def policy_of(name):
    """Import a bot's policy."""
    module, _, function = BOTS[name].policy.partition(":")
    return getattr(importlib.import_module(module), function)


def decisions(ruleset_id, seats, seed, every):
    """Return every so manieth decision of a random game: the game and the seat to act."""
    for number, step in enumerate(playing(ruleset_id, seats, seed)):
        if number % every == 0:
            for seat in step.game.pending:
                yield step.game, seat


def view_of(game, seat):
    """Return a view as policies receive it: as JSON, read back."""
    return orjson.loads(orjson.dumps(representations.view(game, seat)))


def in_every_phase(ruleset_id, seats, seed, variant, rng):
    """Return two decisions of each phase of a random game: the game and the seat to act."""
    by_phase = {}
    for step in playing(ruleset_id, seats, seed, variant):
        for seat in step.game.pending:
            by_phase.setdefault(step.game.state.phase, []).append((step.game, seat))
    return [decision for found in by_phase.values() for decision in rng.sample(found, min(2, len(found)))]


def played_by_bots():
    """List every bot at every table that it plays, and every variant with one of the bots, in turn."""
    for number, (ruleset_id, seats, variant) in enumerate(VARIANTS):
        able = [name for name, bot in BOTS.items() if bot.plays(ruleset_id) and name != RANDOM]
        for name in [RANDOM, *able] if not variant else [able[number % len(able)]]:
            yield name, ruleset_id, seats, variant


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "ruleset_id", "seats", "variant"), [*played_by_bots()])
def test_a_bot_plays_the_same_whatever_the_others_hold(name, ruleset_id, seats, variant):
    think, playouts = policy_of(name), min(BOTS[name].playouts, MOST_PLAYOUTS)
    for seed in seeds(1):
        rng = random.Random(seed)
        for game, seat in in_every_phase(ruleset_id, seats, seed, variant, rng):
            view = view_of(game, seat)
            world = game.ruleset.sample(game.options, seat, game.ruleset.project(game.state, seat), rng)
            same = view_of(changed(game, state=world), seat)
            thought = think(Asked(view, seed, playouts))
            assert think(Asked(same, seed, playouts)) == thought
            action, _ = action_of(game.ruleset, thought.action)
            assert game.ruleset.decide(game.state, seat, action), "it is legal"


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_the_random_bot_plays_every_ruleset_though_not_every_action_is_listed(ruleset_id, seats, monkeypatch):
    monkeypatch.setattr(representations, "MOST_LISTED", 1)
    for game, seat in decisions(ruleset_id, seats, 1, every=9):
        view = view_of(game, seat)
        action, _ = action_of(game.ruleset, uniform.think(Asked(view, 2)).action)
        assert game.ruleset.decide(game.state, seat, action)


def test_the_random_bot_chooses_each_action_as_often_as_the_others():
    listed = {"legal_actions": {"count": 4, "actions": [{"type": "play", "card": card} for card in "abcd"]}}
    chosen = Counter(uniform.think(Asked(listed, seed)).action["card"] for seed in range(4000))
    assert all(900 < times < 1100 for times in chosen.values())


def test_the_service_lists_for_which_rulesets_there_are_policies():
    assert (set(greedy.POLICIES), set(searcher.POLICIES)) == (BOTS["greedy"].rulesets, BOTS["searcher"].rulesets)


def test_plateau_has_one_level_of_the_searcher_and_the_card_games_have_two():
    assert BOTS["searcher-club"].rulesets == BOTS["searcher"].rulesets - {"plateau"}


@pytest.mark.parametrize("bot", [greedy, searcher])
def test_a_bot_asks_the_policy_of_the_ruleset(bot, monkeypatch):
    asked = Asked({"game": {"ruleset": "plute"}}, 1)
    monkeypatch.setitem(bot.POLICIES, "plute", Thought)
    assert bot.think(asked).action is asked


WEIGHED = tuple(Estimate({"card": card}, -rank, 0) for rank, card in enumerate("abcd"))


def slips(monkeypatch, estimates):
    """Count which cards a novice plays with many seeds, where greedy weighs the cards so."""
    monkeypatch.setitem(greedy.POLICIES, "plute", lambda _asked: Thought({"card": "a"}, 0, estimates))
    view = {"game": {"ruleset": "plute"}}
    return Counter(novice.think(Asked(view, seed)).action["card"] for seed in range(4000))


def test_a_novice_plays_one_move_in_four_as_the_second_or_third_best(monkeypatch):
    played = slips(monkeypatch, WEIGHED)
    assert set(played) == {"a", "b", "c"}
    assert 2900 < played["a"] < 3100
    assert abs(played["b"] - played["c"]) < 100


def test_a_novice_slips_only_among_what_was_weighed(monkeypatch):
    assert slips(monkeypatch, WEIGHED[:1]) == {"a": 4000}
    assert slips(monkeypatch, ()) == {"a": 4000}
    assert set(slips(monkeypatch, WEIGHED[:2])) == {"a", "b"}


class Answering:
    """A policy process in which every bot returns the same answer."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def think(self, *_asked: object) -> Thought:
        """Return that answer."""
        return Thought(self._answer)


@pytest.fixture
def house_of(client):
    """Create a house in which every bot returns the same answer."""
    return lambda answer: House(client, Answering(answer))


@pytest.mark.parametrize(
    "answer",
    [
        None,
        7,
        "pass",
        [],
        {},
        {"type": "fly"},
        {"type": "play", "card": "RH"},
        {"type": []},
        {"type": "bid"},
        {"type": "bid", "exchange": 1, "objective": "bridge", "team": "solo"},
        {"type": "bid", "exchange": True, "objective": "bridge", "team": "solo", "more": 1},
    ],
)
def test_an_answer_that_is_not_a_legal_action_is_replaced(house_of, answer):
    house = house_of(answer)
    game_id = house.begin("random", "me", "me")
    house.handle(game_id)
    assert (house.counted("bot_failures"), house.counted("bot_moves")) == (1, 1)
    assert set(house.game(game_id).pending) == {1}


@pytest.mark.parametrize("decision", [{}, {"decision_id": "d1_0"}])
def test_an_answer_is_read_as_a_players_request_is_whatever_decision_it_names(house_of, decision):
    house = house_of({"type": "bid", "exchange": True, "objective": "bridge", "team": "solo", **decision})
    game_id = house.begin("random", "me", "me")
    house.handle(game_id)
    assert house.counted("bot_failures") == 0
    assert house.types(game_id)[-1] == "bid_made"
