"""How soon a bot answers an honest player: for the benchmarks that measure it on idle workers, and beside a flood."""

import random
import time

from bench.processes import CALLER, begin, desk_and_reader
from domain.game.aggregate import Game
from service.games.commands import Act
from service.games.reading import Reader


def answers(url: str, moves: int, *, ruleset: str, seconds: float = 60) -> list[float]:
    """Play against bots, and return how many ms each answer took after the action was accepted, sorted.

    An answer still pending when the time is over is the last one.
    """
    desk, reader = desk_and_reader(url)
    rng, took, until = random.Random(1), list[float](), time.monotonic() + seconds
    while len(took) < moves and time.monotonic() < until:
        game_id = begin(desk, [False, True, True], ruleset=ruleset)
        while len(took) < moves and not (game := _my_turn(reader, game_id)).is_over and time.monotonic() < until:
            action = rng.choice(game.ruleset.legal_actions(game.state, 0))
            desk.do(game, Act(caller=CALLER, seat=0, action=action))
            accepted, known = time.perf_counter(), reader.cached(game_id)
            assert known is not None
            if known.pending and 0 not in known.pending:
                while reader.current(game_id).version == known.version:
                    time.sleep(0.0005)
                took.append((time.perf_counter() - accepted) * 1000)
    return sorted(took)


def _my_turn(reader: Reader, game_id: str) -> Game:
    while True:
        game = reader.current(game_id)
        if game.is_over or 0 in game.pending:
            return game
        time.sleep(0.0005)
