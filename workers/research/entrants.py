"""The players of a game without a server: bots by name, with playouts of their own if wanted, and other policies."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from service.bots import BOTS
from workers.bots.policy import Asked, Policy, Thought


class NoSuchBot(Exception):
    """A name that is not a bot's."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that plays without a server. ``label`` distinguishes it from others, and from itself if it enters twice."""

    label: str
    policy: str
    playouts: int = 0
    version: int = 1

    @property
    def name(self) -> str:
        return self.label.partition(" ")[0]

    def think(self, view: Any, seed: str) -> Thought:
        """Return the thought about a view; the same question has the same answer."""
        number = int.from_bytes(sha256(f"{seed} {self.label} {self.version}".encode()).digest()[:4], "big")
        return self.ask(Asked(view, number, self.playouts))

    def ask(self, asked: Asked) -> Thought:
        return _policy(self.policy)(asked)


def entrants(names: Sequence[str]) -> list[Entrant]:
    """Parse names: ``greedy``, ``searcher@500`` (playouts), ``package.module:think``.

    A bot can play against itself: the second of a name is ``… (2)``, and chooses by other seeds.
    """
    return [_entrant(name, names[:place].count(name)) for place, name in enumerate(names)]


def plays(entrant: Entrant, ruleset_id: str) -> bool:
    bot = BOTS.get(entrant.name.partition("@")[0])
    return bot is None or bot.plays(ruleset_id)


def _entrant(name: str, earlier: int) -> Entrant:
    label = f"{name} ({earlier + 1})" if earlier else name
    known, _, playouts = name.partition("@")
    if playouts and not playouts.isdecimal():
        raise NoSuchBot(f"{name}: after @ comes the number of playouts")
    if ":" in known:
        try:
            _policy(known)
        except Exception as error:
            raise NoSuchBot(f"no policy {known} can be imported: {type(error).__name__}: {error}") from error
        return Entrant(label, known, int(playouts or 0))
    if known not in BOTS:
        raise NoSuchBot(f"there is no bot {known}; the bots are: {', '.join(BOTS)}, and any policy as module:function")
    bot = BOTS[known]
    return Entrant(label, bot.policy, int(playouts or bot.playouts), bot.version)


def _policy(name: str) -> Policy:
    module, _, function = name.partition(":")
    policy: Policy = getattr(importlib.import_module(module), function)
    return policy
