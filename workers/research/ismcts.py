"""OpenSpiel's information set Monte Carlo tree search, in Python, as a bot: ``workers.research.ismcts:think@200``.

It plays the games of ``openspiel``, with worlds from the rules and random playouts: an external opponent for the
league. Each number of an action is a search of its own, with all playouts.
"""

from random import Random
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from domain.serialization import from_plain
from service.games.projections.representations import action_data
from workers.bots.policy import Asked, Thought
from workers.research.actions import numbering
from workers.research.openspiel import PlateauGame, PlateauState, load
from workers.research.tables import Position, Table

_FEWEST = 2
"""The least playouts with which the search has an answer."""


class TreeSearch(ISMCTSBot):
    """The search with the worlds of the rules, by a seed. It can be restarted, as evaluations of OpenSpiel require."""

    def __init__(self, game: PlateauGame, playouts: int, seed: int) -> None:
        deals, rng = game.table.deals, Random(seed)  # noqa: S311 - for searches
        choices = np.random.RandomState(rng.getrandbits(32))
        evaluator = RandomRolloutEvaluator(1, choices, deals.longest_playout)
        super().__init__(game, evaluator, deals.spread, max(playouts, _FEWEST), random_state=choices)
        self.set_resampler(lambda state, player: state.resampled(player, rng))

    def restart_at(self, _state: PlateauState) -> None:
        """Drop the results of the search so far."""
        self.reset()


def think(asked: Asked) -> Thought:
    """Choose an action by tree search, with at least two playouts for each number of it."""
    view: Any = asked.view
    game = _game(view)
    position = _position(game.table, view, Random(asked.seed))  # noqa: S311 - for searches
    state, choices, searches = game.state_at(position), numbering(game.table.ruleset.id).choices(position), 0
    bot = TreeSearch(game, asked.playouts, asked.seed)
    while choices.action is None:
        searches += len(choices.numbers) > 1
        number = int(bot.step(state))
        choices = choices.after(number)
        state.apply_action(number)
    return Thought(action_data(game.table.ruleset, choices.action), searches * max(asked.playouts, _FEWEST))


def _game(view: Any) -> PlateauGame:
    """Return the game of a view. A first hand is searched to its end, a later one to the end of the game."""
    about, is_late = view["game"], bool(view["state"].get("hand_results"))
    options = {name: value for name, value in about["options"].items() if value is not None}
    return load(about["ruleset"], len(about["seats"]), options, whole_game=is_late)


def _position(table: Table, view: Any, rng: Random) -> Position:
    """Sample a position that is consistent with the view."""
    seen = from_plain(table.ruleset.view, view["state"])
    world = table.ruleset.sample(table.options, view["viewer"]["seat"], seen, rng)
    return Position(table, world, table.chance(0))
