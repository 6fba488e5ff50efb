"""The law of hidden information: what a viewer cannot know changes nothing that the viewer can see.

At many moments of random games, for every viewer, another world is drawn that has the same view (``sample``). The view,
the legal actions, refusals and dry decisions must be equal in it; and so must the viewer's log, when the hand is
written again with the hidden cards of that world, by playing it again.
"""

import random

import pytest

from domain.errors import IllegalAction
from domain.game import aggregate as games
from domain.game.aggregate import WrongMoment
from domain.game.events import EVENTS
from domain.log.record import Writer, visible
from domain.log.redaction import merged, seen_by, split
from tests.domain.laws.facts import facts_of
from tests.domain.mutations import changed
from tests.domain.play import VARIANTS, played, seeded

MOMENTS = 8

every_table = pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
every_game = pytest.mark.parametrize(("ruleset_id", "seats", "variant", "seed"), seeded(7))


def other_worlds(ruleset_id, seats, seed, variant):
    """Draw worlds: (the steps up to a moment, viewer, the state of another world) at some moments, for all viewers."""
    rng = random.Random(f"worlds {ruleset_id} {seats} {seed}")
    steps = played(ruleset_id, seats, seed, variant)
    moments = [index for index, step in enumerate(steps) if step.game.status == "active"]
    for index in sorted(rng.sample(moments, min(MOMENTS, len(moments)))):
        game = steps[index].game
        for viewer in (*range(seats), None):
            view = game.ruleset.project(game.state, viewer)
            yield steps[: index + 1], viewer, game.ruleset.sample(game.options, viewer, view, rng)


@every_game
def test_a_sampled_world_has_the_same_view_and_is_mostly_another_one(ruleset_id, seats, seed, variant):
    worlds = others = 0
    lying = facts_of(ruleset_id).places_of_cards
    for steps, viewer, state in other_worlds(ruleset_id, seats, seed, variant):
        game = steps[-1].game
        assert game.ruleset.project(state, viewer) == game.ruleset.project(game.state, viewer)
        assert sorted(lying(state)) == sorted(lying(game.state))
        worlds += facts_of(ruleset_id).has_many_worlds(game.state, viewer)
        others += state != game.state
    assert others >= worlds * 0.7


@every_table
def test_a_finished_game_has_no_other_world_with_another_view(ruleset_id, seats, variant):
    game = played(ruleset_id, seats, 0, variant)[-1].game
    for viewer in (*range(seats), None):
        view = game.ruleset.project(game.state, viewer)
        state = game.ruleset.sample(game.options, viewer, view, random.Random(0))
        assert game.ruleset.project(state, viewer) == view
        assert game.ruleset.outcome(state) == game.outcome


@every_game
def test_a_viewer_may_do_the_same_in_every_world_that_looks_the_same(ruleset_id, seats, seed, variant):
    rng = random.Random(seed)
    elsewhere = [step.action for step in played(ruleset_id, seats, seed, variant) if step.action is not None]
    compared = 0
    for steps, viewer, state in other_worlds(ruleset_id, seats, seed, variant):
        game = steps[-1].game
        if viewer is None:
            continue
        listed = list(game.ruleset.legal_actions(game.state, viewer))
        assert list(game.ruleset.legal_actions(state, viewer)) == listed
        near = [other for action in rng.sample(listed, min(3, len(listed))) for other in changed(action)]
        tried = (*rng.sample(near, min(20, len(near))), *rng.sample(listed, min(10, len(listed))), *elsewhere[::7])
        for action in tried:
            assert answer(game.ruleset, state, viewer, action) == answer(game.ruleset, game.state, viewer, action)
            compared += 1
    assert compared


def answer(ruleset, state, seat, action):
    """Give what a seat learns from a dry run: the refusal, or the events in so far as it may see them."""
    try:
        decided = ruleset.decide(state, seat, action)
    except (IllegalAction, WrongMoment) as refusal:
        return type(refusal), refusal.code, refusal.message, refusal.rule
    return [(type(event), merged(data, seen_by(hidden, seat, everything=False))) for event in decided
            for data, hidden in [split(event)]]  # fmt: skip


@every_game
def test_the_log_of_another_world_looks_the_same_and_its_past_was_legal(ruleset_id, seats, seed, variant):
    worlds = others = 0
    for steps, viewer, state in other_worlds(ruleset_id, seats, seed, variant):
        start = last_deal(ruleset_id, steps)
        told = facts_of(ruleset_id).redealt([event for step in steps[start:] for event in step.events], state)
        game = play_again(ruleset_id, steps[start:], told)
        assert game.state == state
        worlds += facts_of(ruleset_id).has_many_worlds(state, viewer)
        others += same_but_for_seals(steps[start:], told, viewer)
    assert others >= worlds * 0.7


def last_deal(ruleset_id, steps):
    """Find the request that dealt the current hand."""
    return max(i for i, step in enumerate(steps) if any(facts_of(ruleset_id).is_deal(event) for event in step.events))


def play_again(ruleset_id, steps, told):
    """Play what was told: the deal is recorded, every later action is decided and settled anew."""
    game, taken = steps[0].before, 0
    for index, step in enumerate(steps):
        of_step = told[taken : taken + len(step.events)]
        taken += len(of_step)
        if index == 0:
            records = Writer(game.id, game.secret, game.version, game.head).write(
                named(game, of_step), step.game.at, "rq"
            )
            game = games.fold(records, game)
        else:
            events, game = games.act(game, step.seat, facts_of(ruleset_id).asked_again(step.action, of_step))
            assert events == of_step
    assert game.pending == steps[-1].game.pending
    return game


def named(game, events):
    names = {cls: name for name, cls in {**EVENTS, **game.ruleset.events}.items()}
    return [(names[type(event)], event) for event in events]


def same_but_for_seals(steps, told, viewer):
    """Compare the log that a viewer gets in both worlds; say whether the worlds differ at all."""
    before, truth = steps[0].before, [record for step in steps for record in step.records]
    writer = Writer(before.id, before.secret, before.version, before.head)
    rewritten = []
    for step in steps:
        of_step = told[len(rewritten) : len(rewritten) + len(step.events)]
        records = writer.write(named(before, of_step), step.game.at, step.records[0].request)
        rewritten += records
        writer = Writer(before.id, before.secret, records[-1].version, records[-1].hash)
    for true, other in zip(truth, rewritten, strict=True):
        one = visible(true, before.secret, viewer, everything=False)
        two = visible(other, before.secret, viewer, everything=False)
        assert masked(one) == masked(two)
    return truth[-1].hash != rewritten[-1].hash


def masked(event):
    """Blank what differs between worlds in value, but never in key or length: hashes, seals and salts."""
    return event | {
        "hash": len(event["hash"]),
        "sealed": {pointer: len(seal) for pointer, seal in event["sealed"].items()},
        "salts": {pointer: len(salt) for pointer, salt in event["salts"].items()},
    }
