"""The bot ``greedy``: a quick choice by rules of thumb, which each game has in its own folder."""

from collections.abc import Mapping

from workers.bots.of_games import of_games
from workers.bots.policy import Policy, by_ruleset

POLICIES: Mapping[str, Policy] = {name: game.think for name, game in of_games("workers.bots.{}.greedy").items()}
think = by_ruleset(POLICIES)
