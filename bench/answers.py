"""How soon a bot answers an honest player: for the benchmarks that ask it on idle workers, and beside a flood."""

import random
import time

from bench.crew import CALLER, begin, use_cases
from domain.game.aggregate import Game
from service.games.commands import Order
from service.games.desk import Games


def answers(url: str, moves: int, *, ruleset: str, seconds: float = 60) -> list[float]:
    """Play against bots, and time each answer, in ms, from the moment when the action was accepted; sorted.

    When the seconds are over, what is awaited by then is the last one.
    """
    _, games = use_cases(url)
    rng, took, until = random.Random(1), list[float](), time.monotonic() + seconds
    while len(took) < moves and time.monotonic() < until:
        game_id = begin(games, [False, True, True], ruleset=ruleset)
        while len(took) < moves and not (game := _my_turn(games, game_id)).is_over and time.monotonic() < until:
            action = rng.choice(game.ruleset.legal_actions(game.state, 0))
            order = Order(lambda _, action=action: (action, None), 0, None, None)  # type: ignore[misc]
            games.act(game_id, CALLER, lambda order=order: order)  # type: ignore[misc]
            accepted, known = time.perf_counter(), games.known(game_id)
            assert known is not None
            if known.pending and 0 not in known.pending:
                while games.current(game_id).version == known.version:
                    time.sleep(0.0005)
                took.append((time.perf_counter() - accepted) * 1000)
    return sorted(took)


def _my_turn(games: Games, game_id: str) -> Game:
    while True:
        game = games.current(game_id)
        if game.is_over or 0 in game.pending:
            return game
        time.sleep(0.0005)
