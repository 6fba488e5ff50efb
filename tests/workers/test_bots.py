"""Bots play by what their seat knows: with the same seed, they play the same after a re-deal of everything unseen."""

import random
from collections import Counter

import orjson
import pytest

from domain.serialization import changed
from service.bots import BOTS
from service.forms import action_of
from service.games import representations
from tests.domain.play import TABLES, playing, seeds
from tests.workers.conftest import House
from workers.bots import uniform


def policy_of(name):
    """Import a bot's policy."""
    module, _, function = BOTS[name].policy.partition(":")
    return getattr(__import__(module, fromlist=[function]), function)


def decisions(ruleset_id, seats, seed, every):
    """Return every so manieth decision of a random game: the game and the seat to act."""
    for number, step in enumerate(playing(ruleset_id, seats, seed)):
        if number % every == 0:
            for seat in step.game.pending:
                yield step.game, seat


def view_of(game, seat):
    """Return a view as policies receive it: as JSON, read back."""
    return orjson.loads(orjson.dumps(representations.view(game, seat)))


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_a_bot_plays_the_same_whatever_the_others_hold(name, ruleset_id, seats):
    choose = policy_of(name)
    for seed in seeds(1):
        rng = random.Random(seed)
        for game, seat in decisions(ruleset_id, seats, seed, every=9):
            view = view_of(game, seat)
            world = game.ruleset.sample(game.options, seat, game.ruleset.project(game.state, seat), rng)
            same = view_of(changed(game, state=world), seat)
            chosen = choose(view, random.Random(seed))
            assert choose(same, random.Random(seed)) == chosen
            action, _ = action_of(game.ruleset, chosen)
            assert action in list(game.ruleset.legal_actions(game.state, seat))


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_the_random_bot_plays_every_ruleset_though_not_every_action_is_listed(ruleset_id, seats, monkeypatch):
    monkeypatch.setattr(representations, "MOST_LISTED", 1)
    for game, seat in decisions(ruleset_id, seats, 1, every=9):
        view = view_of(game, seat)
        chosen = uniform.choose(view, random.Random(2))
        action, _ = action_of(game.ruleset, chosen)
        assert game.ruleset.decide(game.state, seat, action)


def test_the_random_bot_chooses_each_action_as_often_as_the_others():
    listed = {"legal_actions": {"count": 4, "actions": [{"type": "play", "card": card} for card in "abcd"]}}
    rng = random.Random(1)
    chosen = Counter(uniform.choose(listed, rng)["card"] for _ in range(4000))
    assert all(900 < times < 1100 for times in chosen.values())


class Answering:
    """A policy process in which every bot returns the same answer."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def choose(self, _policy: str, _view: object, _seed: int) -> object:
        """Return that answer."""
        return self._answer


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
