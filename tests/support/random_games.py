"""Random games of the built-in rulesets, by the id of the ruleset: ``domain.laws.play`` for tests of this project."""

from collections.abc import Iterator
from typing import Any

from domain.laws import play
from domain.laws.play import Step, log_of, written
from domain.registry import RULESETS
from tests.domain.laws.facts import short, table_of

__all__ = ["Step", "log_of", "played", "playing", "starting", "up_to_the_middle", "written"]


def starting(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Create a game with open seats and fill them; every other player brings a seed."""
    return play.starting(RULESETS[ruleset_id], seats, seed, short(ruleset_id) | options)


def playing(ruleset_id: str, seats: int, seed: int, variant: str = "", **more: Any) -> Iterator[Step]:
    """Play one whole random game, with the options of a variant."""
    return play.playing(table_of(ruleset_id, seats, variant), seed, **more)


def played(ruleset_id: str, seats: int, seed: int, variant: str = "") -> tuple[Step, ...]:
    """Return all the steps of a random game; each process plays it once."""
    return play.played(table_of(ruleset_id, seats, variant), seed)


def up_to_the_middle(ruleset_id, seats):
    """Return the steps of a random game up to a moment in its middle."""
    steps = played(ruleset_id, seats, 4)
    begun = [number for number, step in enumerate(steps, 1) if step.game.status == "active"]
    return steps[: begun[len(begun) // 2]]
