"""OpenSpiel's information set Monte Carlo tree search, in Python, as a bot: ``workers.research.ismcts:think@200``.

It plays on the games of ``openspiel``, with worlds from the rules and random playouts: an opponent from outside for the
league. Each number of an action is a search of its own, with all playouts.
"""

from random import Random
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from domain.serialization import from_plain
from service.games.representations import action_data
from workers.bots.policy import Asked, Thought
from workers.research.actions import numbering
from workers.research.openspiel import PlateauGame, PlateauState, load
from workers.research.tables import Position, Table

_SPREAD = {"le-plateau": 10.0, "french-tarot": 100.0, "plute": 1.0, "plateau": 1.0}
"""Half of how far the scores of a deal usually lie apart: the search explores by so much."""
_FEWEST = 2
"""Playouts without which the search has no answer."""
_LONGEST = {"plateau": 60}
"""After how many numbers a playout is broken off and counts as a draw; games of Plateau can be very long."""


def think(asked: Asked) -> Thought:
    """Choose an action by tree search, with at least two playouts for each number of it."""
    view: Any = asked.view
    game, rng = _game(view), Random(asked.seed)  # noqa: S311 - for searches
    position = _position(game.table, view, rng)
    state, choices, spent = game.state_at(position), numbering(game.table.ruleset.id).choices(position), 0
    while choices.action is None:
        number, playouts = _chosen(game, state, max(asked.playouts, _FEWEST), rng)
        choices, spent = choices.after(number), spent + playouts
        state.apply_action(number)
    return Thought(action_data(game.table.ruleset, choices.action), spent)


def _chosen(game: PlateauGame, state: PlateauState, playouts: int, rng: Random) -> tuple[int, int]:
    """Return a number to enter, and how many playouts it took."""
    numbers = state.legal_actions()
    if len(numbers) == 1:
        return numbers[0], 0
    ruleset_id, numpy_rng = game.table.ruleset.id, np.random.RandomState(rng.getrandbits(32))
    evaluator = RandomRolloutEvaluator(1, numpy_rng, _LONGEST.get(ruleset_id))
    bot = ISMCTSBot(game, evaluator, _SPREAD[ruleset_id], playouts, random_state=numpy_rng)
    bot.set_resampler(lambda root, player: root.resampled(player, rng))
    return int(bot.step(state)), playouts


def _game(view: Any) -> PlateauGame:
    """Return the game of a view. A first hand of Le Plateau is searched to its end, a later one to that of the game."""
    about, is_late = view["game"], bool(view["state"].get("hand_results"))
    options = {name: value for name, value in about["options"].items() if value is not None}
    return load(about["ruleset"], len(about["seats"]), options, whole_game=is_late)


def _position(table: Table, view: Any, rng: Random) -> Position:
    """Return a position that the seat of a view cannot tell from the true one."""
    seen = from_plain(table.ruleset.view, view["state"])
    world = table.ruleset.sample(table.options, view["viewer"]["seat"], seen, rng)
    return Position(table, world, table.chance(0))
