"""The modules that each game of this project has in a folder of its own, by the game's id."""

from importlib import import_module
from typing import Any

from domain.registry import BUILT_IN


def of_games(pattern: str) -> dict[str, Any]:
    """Return the modules that a pattern such as ``workers.bots.{}.greedy`` names, by ruleset."""
    return {ruleset.id: import_module(pattern.format(ruleset.id.replace("-", "_"))) for ruleset in BUILT_IN}
