"""The bot ``searcher``: a search over worlds that are consistent with its view; each game has a module for it."""

from collections.abc import Mapping

from workers.bots.of_games import of_games
from workers.bots.policy import Policy, by_ruleset

POLICIES: Mapping[str, Policy] = {name: game.think for name, game in of_games("workers.bots.{}.searcher").items()}
think = by_ruleset(POLICIES)
