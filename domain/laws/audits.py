"""A game can be verified by its log alone: every action can be found again from the events that it led to."""

import json

from domain.audit import drawn
from domain.audit.bundle import FORMAT, Bundle
from domain.audit.verifying import verify
from domain.laws.law import of_games
from domain.laws.play import Table, played
from domain.laws.texts import seen


@of_games(1)
def a_finished_game_verifies(table: Table, seed: int) -> None:
    """If an action has thousands of alternatives, its fields must be among those of its events."""
    steps = played(table, seed)
    game = steps[-1].game
    events = json.loads(json.dumps(seen(steps)))
    header = {
        "format": FORMAT,
        "ruleset": game.ruleset.id,
        "rules_version": game.rules_version,
        "game_id": game.id,
        "version": game.version,
        "head": game.head,
    }
    stated = drawn.draws(game.ruleset, game.options, table.seats, events)
    draws = [drawn.as_data(event["version"], draw) for event, draw in stated]
    report = verify(Bundle(header, events, draws))
    assert report.fault is None, report.fault
    assert report.unchecked == (), report.unchecked
