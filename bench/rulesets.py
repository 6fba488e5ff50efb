"""Random games of every ruleset in the domain alone, on one core, beside Le Plateau's and RLCard's card games.

    python -m bench.rulesets [seconds] [--quick]

All seats play at random, each game to its end with the default options (French Tarot: one deal). RLCard's games run in
the same minutes, through its own environment with random agents, if it is installed (the extra ``bench``); the service
does not need it. Compare actions: games of different kinds have different lengths.
"""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bench.domain import recorded
from bench.sizes import size
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset

SECONDS = 3.0
RLCARD = ("doudizhu", "gin-rummy", "uno", "leduc-holdem")
_SHORT: dict[str, dict[str, Any]] = {"french-tarot": {"deals": 1}}


def of_ruleset(ruleset: AnyRuleset, seats: int) -> Callable[[int], int]:
    """Return a function that plays a random game with a seed and returns its number of actions."""
    options = ruleset.options.complete(_SHORT.get(ruleset.id, {}), seats)
    return lambda seed: len(recorded(ruleset, seats, seed, options)[1])


def of_rlcard(name: str) -> Callable[[int], int]:
    """Return the same for a game of RLCard, which must be installed."""
    rlcard, agents = import_module("rlcard"), import_module("rlcard.agents")
    env = rlcard.make(name)
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play(seed: int) -> int:
        env.seed(seed)
        trajectories, _ = env.run(is_training=False)
        return sum(len(of_player) // 2 for of_player in trajectories)

    return play


def tables() -> Iterator[tuple[str, Callable[[int], int]]]:
    """List what is played; everything is compared with Le Plateau for four."""
    yield "le-plateau 4", of_ruleset(RULESETS["le-plateau"], 4)
    for ruleset in RULESETS.values():
        for seats in ruleset.seats:
            if (ruleset.id, seats) != ("le-plateau", 4):
                yield f"{ruleset.id} {seats}", of_ruleset(ruleset, seats)
    if find_spec("rlcard") is None:
        print("  RLCard is not installed (pip install '.[bench]'): its games are left out")
        return
    for name in RLCARD:
        yield f"RLCard {name}", of_rlcard(name)


def measured(play: Callable[[int], int], seconds: float) -> tuple[float, float]:
    """Play for some seconds of processor time; return games and actions per second."""
    play(0)
    games = actions = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        games += 1
        actions += play(games)
    took = time.process_time() - began
    return games / took, actions / took


def main() -> None:
    """Measure, and print the figures."""
    seconds = size(0, SECONDS, 0.001)
    usual: tuple[float, float] | None = None
    for name, play in tables():
        games, actions = measured(play, seconds)
        usual = usual or (games, actions)
        ratio = f"{games / usual[0]:6.2f} games, {actions / usual[1]:5.2f} actions of le-plateau 4"
        print(f"  {name:22} {games:8,.1f} games/s {actions:9,.0f} actions/s  {ratio}", flush=True)


if __name__ == "__main__":
    main()
