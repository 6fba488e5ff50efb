"""The cheating twin: a searcher to whom every world that it draws is the true one. It lives in tests only.

How much it wins over the honest bot is what the hidden cards are worth. A bot that draws level with its twin knows more
than its seat may, or searches so badly that knowing does not help.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from domain.cardplay.placement import layout
from domain.le_plateau.sampling import unseen_cards
from workers.bots.french_tarot import shuffling
from workers.bots.plute import worlds


@contextmanager
def seeing(ruleset, state) -> Iterator[None]:
    """Have everything that bots draw as a world be this state, however they import the draw, and stay so.

    A bot that draws the unseen cards itself, beside a world, finds that there are none.
    """
    true, stir, swap = ruleset.sample, shuffling.stir, worlds.swap

    def drawn(*_):
        return state

    def none_unseen(*_):
        return layout((), {}, lambda _card, _place: False)

    instead = {true: drawn, unseen_cards: none_unseen}
    found = [
        (module, name, value)
        for path, module in list(sys.modules.items())
        if path.startswith("workers.bots") and module is not None
        for name, value in list(vars(module).items())
        if callable(value) and any(value is function for function in instead)
    ]
    object.__setattr__(ruleset, "sample", drawn)
    for module, name, value in found:
        setattr(module, name, instead[value])
    shuffling.stir = worlds.swap = _left_alone
    try:
        yield
    finally:
        object.__setattr__(ruleset, "sample", true)
        for module, name, value in found:
            setattr(module, name, value)
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
