"""Laws of every ruleset: what is listed is accepted, and nothing else is."""

import random

import pytest

from domain.errors import IllegalAction
from domain.game import aggregate as games
from domain.game.aggregate import WrongMoment
from tests.domain.mutations import changed, same_meaning
from tests.domain.play import VARIANTS, played, seeded

MOST_TRIED = 150

every_table = pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
every_game = pytest.mark.parametrize(("ruleset_id", "seats", "variant", "seed"), seeded(7))


def some(rng, items, most=MOST_TRIED):
    return rng.sample(items, most) if len(items) > most else list(items)


def is_accepted(game, seat, action):
    try:
        games.decide(game, seat, action)
    except IllegalAction:
        return False
    return True


def games_of(ruleset_id, seats, seed, variant):
    return [step.game for step in played(ruleset_id, seats, seed, variant) if step.game.status == "active"]


@every_game
def test_the_seats_to_act_and_no_others_have_legal_actions_each_listed_once(ruleset_id, seats, seed, variant):
    rng = random.Random(seed)
    for step in played(ruleset_id, seats, seed, variant):
        game = step.game
        if game.state is None:
            continue
        assert set(game.pending) == game.ruleset.to_act(game.state)
        assert bool(game.pending) == (game.status == "active") == bool(game.waiting_for)
        assert set(game.waiting_for) == game.ruleset.waiting_for(game.state) <= set(game.pending)
        for seat in range(seats):
            actions = game.ruleset.legal_actions(game.state, seat)
            listed = [same_meaning(action) for action in actions]
            assert bool(listed) == (seat in game.pending)
            assert len(set(listed)) == len(listed) == len(actions)
            for place in some(rng, range(len(listed)), 3):
                assert same_meaning(actions[place]) == listed[place]
            assert actions == game.ruleset.legal_actions(game.state, seat)


@every_game
def test_every_listed_action_is_accepted(ruleset_id, seats, seed, variant):
    rng = random.Random(seed)
    for game in games_of(ruleset_id, seats, seed, variant):
        for seat in game.pending:
            for action in some(rng, game.ruleset.legal_actions(game.state, seat), 40):
                events = games.decide(game, seat, action)
                assert events
                assert all(event.seat == seat for event in events)


@every_game
def test_an_action_is_accepted_only_if_it_is_listed(ruleset_id, seats, seed, variant):
    """Tried: listed actions with one field changed, and actions of all other moments of the game."""
    rng = random.Random(seed)
    elsewhere = [step.action for step in played(ruleset_id, seats, seed, variant) if step.action is not None]
    refused = 0
    for game in some(rng, games_of(ruleset_id, seats, seed, variant), 40):
        for seat in game.pending:
            listed = list(game.ruleset.legal_actions(game.state, seat))
            meanings = {same_meaning(action) for action in listed}
            near = [other for action in some(rng, listed, 20) for other in changed(action)]
            for action in (*some(rng, near), *some(rng, elsewhere, 50)):
                legal = is_accepted(game, seat, action)
                assert legal == (same_meaning(action) in meanings), action
                refused += not legal
    assert refused


@every_game
def test_a_refusal_names_a_code_a_reason_and_a_rule(ruleset_id, seats, seed, variant):
    rng = random.Random(seed)
    steps = [step for step in played(ruleset_id, seats, seed, variant) if step.action is not None]
    refusals = []
    for step in some(rng, steps, 40):
        listed = some(rng, step.before.ruleset.legal_actions(step.before.state, step.seat), 5)
        for action in some(rng, [other for one in listed for other in changed(one)], 20):
            try:
                games.decide(step.before, step.seat, action)
            except IllegalAction as refusal:
                refusals.append(refusal)
    assert refusals
    for refusal in refusals:
        assert refusal.code == refusal.code.lower().replace(" ", "-").replace("_", "-")
        assert refusal.message == str(refusal) != ""
        assert refusal.rule


@every_game
def test_a_seat_that_is_not_to_act_is_refused_whatever_it_asks(ruleset_id, seats, seed, variant):
    for game in games_of(ruleset_id, seats, seed, variant):
        for seat in set(range(seats)) - set(game.pending):
            action = game.ruleset.legal_actions(game.state, next(iter(game.pending)))[0]
            with pytest.raises(WrongMoment) as refusal:
                games.act(game, seat, action)
            assert refusal.value.code == "not-your-turn"
            with pytest.raises(IllegalAction):
                game.ruleset.decide(game.state, seat, action)


@every_table
def test_nobody_acts_before_the_start_or_after_the_end(ruleset_id, seats, variant):
    steps = played(ruleset_id, seats, 0, variant)
    action = next(step.action for step in steps if step.action is not None)
    for game in (steps[0].game, steps[-1].game):
        assert game.status in ("open", "finished")
        for seat in range(seats):
            with pytest.raises(WrongMoment) as refusal:
                games.act(game, seat, action)
            assert refusal.value.code == "game-not-active"
