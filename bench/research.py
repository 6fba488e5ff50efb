"""Steps a second of the environments of PettingZoo, beside PettingZoo's own card games and those of RLCard.

    python -m bench.research [seconds] [--quick]

All agents choose at random among what their mask allows; each step includes the observation and all checks of the
environment. RLCard's games run through its own environment, also with observations. Times are of the processor, on one
core. PettingZoo's card games and RLCard need the extra ``bench``.
"""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

from bench.rulesets import measured, of_rlcard
from bench.sizes import is_quick, size
from workers.research.pettingzoo import env

SECONDS, ROUNDS = 2.0, 1 if is_quick() else 3
OWN = (("le-plateau", 2), ("le-plateau", 4), ("plateau", 2), ("french-tarot", 4), ("plute", 6))
PETTINGZOO = ("texas_holdem_v4", "texas_holdem_no_limit_v6", "leduc_holdem_v4")
RLCARD = ("gin-rummy", "doudizhu", "uno")


def of_environment(made: Any) -> Callable[[int], int]:
    """Return a function that plays a game with a seed in an environment, and returns the number of its steps."""
    rng = random.Random(0)

    def play(seed: int) -> int:
        steps = 0
        made.reset(seed=seed)
        for _ in made.agent_iter():
            observation, _, termination, truncation, _ = made.last()
            over = termination or truncation
            made.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            steps += not over
        return steps

    return play


def games() -> Iterator[tuple[str, Callable[[int], int]]]:
    """List what is played."""
    for ruleset_id, seats in OWN:
        yield f"{ruleset_id} {seats}", of_environment(env(ruleset_id, seats=seats, whole_game=False))
    missing = [module for module in ("rlcard", "pygame") if find_spec(module) is None]
    if missing:
        print(f"  not installed: {', '.join(missing)} (pip install '.[bench]'): the other card games are left out")
        return
    for name in PETTINGZOO:
        yield f"PettingZoo {name}", of_environment(import_module(f"pettingzoo.classic.{name}").env())
    for name in RLCARD:
        yield f"RLCard {name}", of_rlcard(name)


def main() -> None:
    """Measure everything in turns, and print the medians."""
    seconds = size(0, SECONDS, 0.001)
    played = list(games())
    rates = [[measured(play, seconds)[1] for _, play in played] for _ in range(ROUNDS)]
    for place, (name, _) in enumerate(played):
        mine = [of_round[place] for of_round in rates]
        print(f"  {name:36} {median(mine):8,.0f} steps/s ({min(mine):,.0f} to {max(mine):,.0f})", flush=True)


if __name__ == "__main__":
    main()
