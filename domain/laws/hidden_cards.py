"""A view, and a log as a viewer gets it, show the hidden cards that the viewer knows, and no others."""

import random

from domain.laws.law import of_games
from domain.laws.moments import of_every_kind
from domain.laws.play import Table, played
from domain.log.record import visible


@of_games(5)
def a_view_holds_the_cards_its_viewer_knows_and_no_others(table: Table, seed: int) -> None:
    """At every step, for every seat and for a spectator."""
    facts = table.facts
    for viewer in (*range(table.seats), None):
        known = facts.nothing_known()
        for step in played(table, seed):
            for event in step.events:
                known = facts.known_after(known, event, viewer)
            if step.game.status == "active":
                view = step.game.ruleset.project(step.game.state, viewer)
                assert facts.shown_by_view(view, step.game) == facts.codes(known)


@of_games(5)
def a_visible_log_has_named_the_cards_its_reader_knows_and_no_others(table: Table, seed: int) -> None:
    """At every event, for every seat and for a spectator."""
    facts = table.facts
    for viewer in (*range(table.seats), None):
        known, named = facts.nothing_known(), facts.nothing_named()
        for step in played(table, seed):
            for event, record in zip(step.events, step.records, strict=True):
                known = facts.known_after(known, event, viewer)
                seen = visible(record, step.game.secrets, viewer, everything=False)
                named = facts.named_after(named, seen, viewer, step.game)
                assert facts.codes(named) == facts.codes(known)


@of_games(5)
def every_card_lies_in_exactly_one_place_at_every_step(table: Table, seed: int) -> None:
    """No card is lost, and none occurs twice."""
    for step in played(table, seed):
        if step.game.state is not None:
            lying = list(table.facts.places_of_cards(step.game.state))
            assert sorted(lying) == sorted(table.facts.pack(step.game))


@of_games(5)
def a_secret_stands_in_no_repr_and_in_no_record_that_leaves(table: Table, seed: int) -> None:
    """The secret of a game determines all its draws."""
    steps = played(table, seed)
    rng = random.Random(seed)
    for step in [steps[place] for place in of_every_kind(rng, steps, range(len(steps) - 1), fewest=12)]:
        secret = step.game.secret
        shown = [repr(step.game), repr(step.records), repr(step.game.draws), *map(repr, step.events)]
        shown += [
            repr(visible(r, step.game.secrets, viewer, everything=False)) for r in step.records for viewer in (0, None)
        ]
        assert not [text for text in shown if secret.hex() in text or repr(secret) in text]
