"""The bot ``searcher``: a search over worlds that its seat cannot tell apart, which each game has in its own folder."""

from collections.abc import Mapping

from workers.bots.french_tarot import searcher as french_tarot
from workers.bots.le_plateau import searcher as le_plateau
from workers.bots.plateau import searcher as plateau
from workers.bots.plute import searcher as plute
from workers.bots.policy import Policy, by_ruleset

POLICIES: Mapping[str, Policy] = {
    "french-tarot": french_tarot.think,
    "le-plateau": le_plateau.think,
    "plateau": plateau.think,
    "plute": plute.think,
}
"""The policy for each ruleset; ``service/bots.py`` lists the same rulesets."""

think = by_ruleset(POLICIES)
