"""The available bots: their names in the interface, what they do and play, and where their policies are.

A policy is named by module and function. It lives where it can import neither the store nor any other part of the
service.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: a sentence about it, its policy, and the ids of the rulesets that it plays, None for all of them."""

    summary: str
    policy: str
    rulesets: frozenset[str] | None = None

    def plays(self, ruleset_id: str) -> bool:
        """Return whether the bot plays a ruleset."""
        return self.rulesets is None or ruleset_id in self.rulesets


RANDOM = "random"
"""The bot that plays every ruleset, and makes any move that another bot fails to make."""

BOTS: Mapping[str, Bot] = {
    RANDOM: Bot("Any legal action, each as likely as the others.", "workers.bots.uniform:choose"),
}
