"""The rulesets that this server knows: the one line to add for a new game."""

from collections.abc import Mapping

from domain.french_tarot import RULESET as french_tarot
from domain.le_plateau import RULESET as le_plateau
from domain.plateau import RULESET as plateau
from domain.plute import RULESET as plute
from domain.ruleset import AnyRuleset

RULESETS: Mapping[str, AnyRuleset] = {ruleset.id: ruleset for ruleset in (le_plateau, plateau, french_tarot, plute)}
