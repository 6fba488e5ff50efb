"""The cheating twin: a searcher to whom every world that it draws is the true one. It lives in tests only.

How much it wins over the honest bot is what the hidden cards are worth. A bot that draws level with its twin knows more
than its seat may, or searches so badly that knowing does not help. To measure it:

    python -m tests.workers.cheating --bots tests.workers.cheating:think@1000,searcher --ruleset plute --deals 30
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from bench.league import duels
from bench.league.__main__ import main as league
from domain.cardplay.placement import layout
from domain.le_plateau.sampling import unseen_cards
from workers.bots import searcher
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


class _Table:
    """The game of the league that is being played, and whose view was made last."""

    game: Any = None


def think(asked):
    """Think as ``searcher`` does, in the true world of the game."""
    with seeing(_Table.game.ruleset, _Table.game.state):
        return searcher.think(asked)


def view_of(game, seat):
    """Return the view of a seat, as the league makes it, and let the twin look into the game."""
    _Table.game = game
    return _honest_view_of(game, seat)


_honest_view_of = duels.view_of


def main():
    """Play a league in which ``tests.workers.cheating:think@1000`` can enter, and knows all."""
    duels.view_of = view_of
    league()


if __name__ == "__main__":
    import_module("tests.workers.cheating").main()  # the module that the league asks, not the one that was started
