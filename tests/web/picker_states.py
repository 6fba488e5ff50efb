"""States in which the picker of the web client has something to choose, and the laws that it keeps."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from jsonschema_rs import validator_for

from domain.registry import RULESETS
from domain.sequences import spanning
from service.api.json_schema import action_schemas
from service.games.projections import legal_schema
from service.games.projections.representations import action_data
from tests.domain.longest_lists import LONGEST
from tests.support.random_games import playing
from tests.support.sampling import GAMES, VARIANTS, seeds
from tests.support.server import ROOT

LAWS = ROOT / "tests/web/picker_laws.mjs"


STATES = (1000 if GAMES >= 1 else 400) * GAMES
"""About how many states of each ruleset are looked at."""


LONG = 2000
"""From how many actions on the client reads the schema."""


def all_of(ruleset_id: str) -> list[dict[str, Any]]:
    """List the actions of a ruleset, and states in which there is a choice."""
    head = {"ruleset": ruleset_id, "schemas": action_schemas(RULESETS[ruleset_id])}
    return [head, *states_of(ruleset_id), *longest_of(ruleset_id)]


def keeps_the_laws(results: list[dict[str, Any]], states: Sequence[dict[str, Any]]) -> None:
    """Nothing is wrong; and what was chosen by a schema fits it."""
    schemas = {each["name"]: each["schema"] for each in states if "schema" in each}
    taken = [result for result in results if "taken" in result]
    assert [result for result in results if "taken" not in result] == []
    assert len(states) > 40
    assert {result["name"] for result in taken} == set(schemas)
    for result in taken:
        validator_for(schemas[result["name"]]).validate(result["taken"])


def states_of(ruleset_id: str) -> Iterator[dict[str, Any]]:
    """Take states out of random games of the variants: those in which the fields differ, and a sample of the others."""
    every = [(seats, variant) for each, seats, variant in VARIANTS if each == ruleset_id]
    tables = every[:: max(1, int(1 / GAMES) // 2)]
    for seats, variant in tables:
        steps = [
            step.game
            for seed in seeds(1)
            for step in playing(ruleset_id, seats, seed, variant)
            if step.game.status == "active" and step.game.pending
        ]
        rng = random.Random(f"{ruleset_id} {seats} {variant}")
        for number, game in enumerate(rng.sample(steps, min(len(steps), max(3, STATES // len(tables))))):
            seat = min(game.pending)
            name = f"{ruleset_id} of {seats}, {variant}: {number}"
            yield state(name, ruleset_id, game.ruleset.legal_actions(game.state, seat))


def longest_of(ruleset_id: str) -> Iterator[dict[str, Any]]:
    for name, (_, position) in LONGEST.items():
        if name.startswith(ruleset_id):
            game = position()
            yield state(name, ruleset_id, game.ruleset.legal_actions(game.state, min(game.pending)))


def state(name: str, ruleset_id: str, actions: Sequence[Any]) -> dict[str, Any]:
    """Describe a choice as the client gets it: a list of actions, or a schema and a sample of them."""
    ruleset = RULESETS[ruleset_id]
    few = len(actions) <= LONG
    at = range(len(actions)) if few else random.Random(name).sample(range(len(actions)), 40)
    listed = [action_data(ruleset, actions[place]) for place in at]
    if few:
        return {"ruleset": ruleset_id, "name": name, "actions": listed}
    covering = [action_data(ruleset, action) for action in spanning(actions)]
    return {
        "ruleset": ruleset_id,
        "name": name,
        "actions": listed,
        "schema": legal_schema.necessary(covering, ruleset.actions),
    }
