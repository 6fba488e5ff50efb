"""The bot ``greedy``: a quick choice by rules of thumb, which each game has in its own folder."""

from collections.abc import Mapping

from workers.bots.french_tarot import greedy as french_tarot
from workers.bots.le_plateau import greedy as le_plateau
from workers.bots.plateau import greedy as plateau
from workers.bots.plute import greedy as plute
from workers.bots.policy import Policy, by_ruleset

POLICIES: Mapping[str, Policy] = {
    "french-tarot": french_tarot.think,
    "le-plateau": le_plateau.think,
    "plateau": plateau.think,
    "plute": plute.think,
}
"""The policy for each ruleset; ``service/bots.py`` lists the same rulesets."""

think = by_ruleset(POLICIES)
