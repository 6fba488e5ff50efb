"""The available bots: their names in the interface, what they do, and where their policies are.

A policy is named by module and function. It lives where it can import neither the store nor any other part of the
service.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: a sentence about it, and its policy."""

    summary: str
    policy: str


RANDOM = "random"
"""The bot that plays every ruleset, and makes any move that another bot fails to make."""

BOTS: Mapping[str, Bot] = {
    RANDOM: Bot("Any legal action, each as likely as the others.", "workers.bots.uniform:choose"),
}
