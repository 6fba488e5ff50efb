"""Laws of every ruleset: a view, and a log as a viewer gets it, tell of hidden cards what the viewer knows, no more.

What is said of cards holds for whatever a game hides.
"""

import random

import pytest

from domain.log.record import visible
from tests.domain.laws.facts import facts_of
from tests.domain.play import VARIANTS, played, seeded

every_table = pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
every_game = pytest.mark.parametrize(("ruleset_id", "seats", "variant", "seed"), seeded(5))


@every_game
def test_a_view_holds_the_cards_its_viewer_knows_and_no_others(ruleset_id, seats, seed, variant):
    facts = facts_of(ruleset_id)
    for viewer in (*range(seats), None):
        known = facts.nothing_known()
        for step in played(ruleset_id, seats, seed, variant):
            for event in step.events:
                known = facts.known_after(known, event, viewer)
            if step.game.status == "active":
                view = step.game.ruleset.project(step.game.state, viewer)
                assert facts.told_by_view(view, step.game) == facts.codes(known)


@every_game
def test_a_visible_log_has_named_the_cards_its_reader_knows_and_no_others(ruleset_id, seats, seed, variant):
    facts = facts_of(ruleset_id)
    for viewer in (*range(seats), None):
        known, named = facts.nothing_known(), facts.nothing_named()
        for step in played(ruleset_id, seats, seed, variant):
            for event, record in zip(step.events, step.records, strict=True):
                known = facts.known_after(known, event, viewer)
                seen = visible(record, step.game.secret, viewer, everything=False)
                named = facts.named_after(named, record.type, seen["data"], step.game)
                assert facts.codes(named) == facts.codes(known)


@every_game
def test_every_card_lies_in_exactly_one_place_at_every_step(ruleset_id, seats, seed, variant):
    facts = facts_of(ruleset_id)
    for step in played(ruleset_id, seats, seed, variant):
        if step.game.state is not None:
            lying = list(facts.places_of_cards(step.game.state))
            assert sorted(lying) == sorted(facts.pack(step.game))


@every_game
def test_a_secret_stands_in_no_repr_and_in_no_record_that_leaves(ruleset_id, seats, seed, variant):
    steps = played(ruleset_id, seats, seed, variant)
    rng = random.Random(seed)
    for step in rng.sample(steps[:-1], 20 if len(steps) > 20 else len(steps) - 1):
        secret = step.game.secret
        told = [repr(step.game), repr(step.records), repr(step.game.chance), *map(repr, step.events)]
        told += [repr(visible(r, secret, viewer, everything=False)) for r in step.records for viewer in (0, None)]
        assert not [text for text in told if secret.hex() in text or repr(secret) in text]
