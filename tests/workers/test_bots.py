"""Bots play what their seat may know: re-deal what it does not see, and with the same seed they play the same."""

import random
from collections import Counter

import orjson
import pytest

from domain.game.aggregate import Game
from domain.le_plateau import RULESET as le_plateau
from domain.serialization import changed
from service.bots import BOTS
from service.games import representations
from tests.domain.play import TABLES, playing, seeds
from workers.bots import uniform
from workers.turn_worker import IllegalAnswer, legal


def policy_of(name):
    """Import a bot's policy."""
    module, _, function = BOTS[name].policy.partition(":")
    return getattr(__import__(module, fromlist=[function]), function)


def decisions(ruleset_id, seats, seed, every):
    """Give every so manieth decision of a random game: the game and the seat to act."""
    for number, step in enumerate(playing(ruleset_id, seats, seed)):
        if number % every == 0:
            for seat in step.game.pending:
                yield step.game, seat


def sent(game, seat):
    """Return a view as a policy receives it."""
    return orjson.loads(orjson.dumps(representations.view(game, seat)))


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_a_bot_plays_the_same_whatever_the_others_hold(name, ruleset_id, seats):
    choose = policy_of(name)
    for seed in seeds(1):
        rng = random.Random(seed)
        for game, seat in decisions(ruleset_id, seats, seed, every=9):
            view = sent(game, seat)
            world = game.ruleset.sample(game.options, seat, game.ruleset.project(game.state, seat), rng)
            same = sent(changed(game, state=world), seat)
            chosen = choose(view, random.Random(seed))
            assert choose(same, random.Random(seed)) == chosen
            assert legal(game, seat, chosen) in list(game.ruleset.legal_actions(game.state, seat))


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_the_random_bot_plays_every_ruleset_though_not_every_action_is_listed(ruleset_id, seats, monkeypatch):
    monkeypatch.setattr(representations, "MOST_LISTED", 1)
    for game, seat in decisions(ruleset_id, seats, 1, every=9):
        view = sent(game, seat)
        chosen = uniform.choose(view, random.Random(2))
        assert legal(game, seat, chosen)


def test_the_random_bot_chooses_each_action_as_often_as_the_others():
    listed = {"legal_actions": {"count": 4, "actions": [{"type": "play", "card": card} for card in "abcd"]}}
    rng = random.Random(1)
    chosen = Counter(uniform.choose(listed, rng)["card"] for _ in range(4000))
    assert all(900 < times < 1100 for times in chosen.values())


@pytest.fixture
def bidding() -> Game:
    """A game whose first seat may bid."""
    step = next(step for step in playing(le_plateau.id, 3, 1) if step.game.pending)
    return step.game


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
def test_an_answer_that_is_no_legal_action_is_refused(bidding, answer):
    (seat,) = bidding.pending
    with pytest.raises(IllegalAnswer):
        legal(bidding, seat, answer)


def test_an_answer_is_read_as_a_players_request_is(bidding):
    (seat,) = bidding.pending
    answer = {"type": "bid", "exchange": True, "objective": "bridge", "team": "solo"}
    assert legal(bidding, seat, answer).exchange is True
    assert legal(bidding, seat, answer | {"decision_id": "d1_0"}).exchange is True


def test_a_set_may_be_answered_in_any_order():
    for game, seat in decisions("french-tarot", 3, 1, every=1):
        listed = next(iter(game.ruleset.legal_actions(game.state, seat)))
        if type(listed).__name__ == "Discard":
            answer = representations.action_data(game.ruleset, listed)
            turned = legal(game, seat, answer | {"cards": answer["cards"][::-1]})
            assert sorted(turned.cards) == sorted(listed.cards)
            assert turned != listed
            return
    pytest.fail("nobody discarded")
