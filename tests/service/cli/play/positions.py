"""Positions of golden and random games, as the terminal client gets their choices."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from domain.registry import RULESETS
from domain.sequences import spanning
from domain.texts.sentences import tell_action, words
from service.api.json_schema import action_schemas
from service.cli.play.choosing import Choice
from service.cli.play.slots import Action, Slot, kinds_in, leaves_of, leaves_of_schema
from service.games.projections import legal_schema
from service.games.projections.representations import action_data
from tests.domain.longest_lists import LONGEST
from tests.golden.recorded import recorded
from tests.support.sampling import GAMES
from tests.support.server import ROOT

LONGEST_LIST = 2000
"""So many actions are listed in a view that has its scene; of more, it has the schema."""


class Named:
    """Names the parts of actions by themselves."""

    def __call__(self, _type: str | None, _slot: Slot, value: object) -> str:
        return str(value)

    def part(self, _type: str | None, slot: Slot) -> str:
        return slot.path

    def whole(self, action: Action) -> str:
        return str(action)


@dataclass(frozen=True)
class Position:
    """What a seat can do: the choice, and the actions, or a sample of them where they are too many for a list."""

    name: str
    choice: Choice
    actions: list[Mapping[str, Any]]


@cache
def kinds_of(ruleset_id: str) -> dict[str, str]:
    return kinds_in(action_schemas(RULESETS[ruleset_id]))


def position(name: str, ruleset_id: str, legal: Any) -> Position:
    ruleset = RULESETS[ruleset_id]
    if len(legal) <= LONGEST_LIST:
        actions = [action_data(ruleset, each) for each in legal]
        catalogue = words(ruleset, "en")
        says = [catalogue.sentence(tell_action(ruleset, each)) for each in actions]
        leaves = leaves_of(actions, kinds_of(ruleset_id), says)
    else:
        schema = legal_schema.necessary([action_data(ruleset, each) for each in spanning(legal)], ruleset.actions)
        leaves = leaves_of_schema(schema, kinds_of(ruleset_id))
        actions = [action_data(ruleset, legal[at]) for at in random.Random(name).sample(range(len(legal)), 20)]
    return Position(name, Choice.among(leaves, Named()), actions)


@cache
def golden(ruleset_id: str) -> list[Position]:
    """Take three positions of each golden game in which somebody can act; in a quick run, of every eighth game."""
    paths = sorted((ROOT / "tests/golden" / ruleset_id).glob("*.txt"))
    return [each for path in (paths if GAMES >= 1 else paths[::8]) for each in _of_game(ruleset_id, path)]


def _of_game(ruleset_id: str, path: Path) -> Iterator[Position]:
    games = [step.game for step in recorded(path) if step.game.status == "active" and step.game.pending]
    for number, game in enumerate(random.Random(path.stem).sample(games, min(len(games), 3))):
        seat = min(game.pending)
        yield position(f"{path.stem} {number}", ruleset_id, game.ruleset.legal_actions(game.state, seat))


@cache
def longest(ruleset_id: str) -> list[Position]:
    """Take the longest lists of a ruleset."""
    games = [(name, made()) for name, (_, made) in LONGEST.items() if name.startswith(ruleset_id)]
    return [
        position(name, ruleset_id, game.ruleset.legal_actions(game.state, min(game.pending))) for name, game in games
    ]
