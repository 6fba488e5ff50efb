"""The rulesets that this server knows: the one line to add for a new game."""

from collections.abc import Mapping

from domain import le_plateau, plateau, plute
from domain.ruleset import Ruleset

RULESETS: Mapping[str, Ruleset] = {ruleset.ID: ruleset for ruleset in (le_plateau, plateau, plute)}
