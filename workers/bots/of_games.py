"""The modules that every game of this project has in a folder of its own, found by its id."""

from importlib import import_module
from typing import Any

from domain.registry import BUILT_IN


def of_games(pattern: str) -> dict[str, Any]:
    """Return by ruleset the module that a pattern such as ``workers.bots.{}.greedy`` names."""
    return {ruleset.id: import_module(pattern.format(ruleset.id.replace("-", "_"))) for ruleset in BUILT_IN}
