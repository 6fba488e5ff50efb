"""The cheating twin: a searcher to whom every world that it draws is the true one. It lives in tests only.

How much it wins over the honest bot is what the hidden cards are worth. A bot that draws level with its twin knows more
than its seat may, or searches so badly that knowing does not help.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from workers.bots.french_tarot import shuffling
from workers.bots.plute import worlds


@contextmanager
def seeing(ruleset, state) -> Iterator[None]:
    """Have everything that bots draw as a world be this state, however they import the draw, and stay so."""
    true, stir, swap = ruleset.sample, shuffling.stir, worlds.swap

    def drawn(*_):
        return state

    found = [
        (module, name)
        for path, module in list(sys.modules.items())
        if path.startswith("workers.bots") and module is not None
        for name, value in list(vars(module).items())
        if value is true
    ]
    object.__setattr__(ruleset, "sample", drawn)
    for module, name in found:
        setattr(module, name, drawn)
    shuffling.stir = worlds.swap = _left_alone
    try:
        yield
    finally:
        object.__setattr__(ruleset, "sample", true)
        for module, name in found:
            setattr(module, name, true)
        shuffling.stir, worlds.swap = stir, swap


def _left_alone(*_):
    return 0


class Twin:
    """A policy that thinks as another does, in the true world of the game that it is shown."""

    def __init__(self, policy) -> None:
        self._policy = policy
        self.game = None

    def think(self, asked):
        """Return what the bot would do that knows all."""
        with seeing(self.game.ruleset, self.game.state):
            return self._policy(asked)
