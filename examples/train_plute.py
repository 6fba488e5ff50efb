"""Train a linear agent for Plute by self-play in about a minute, and let it play in the league (docs/research.md).

    python examples/train_plute.py [hands] [seed]
    python -m bench.league --bots examples.train_plute:think,random --ruleset plute --deals 50

It learns what each number is worth by what it sees: it has a weight for every number and every place of the tensor.
After a hand, the choices of the team that won are corrected towards 1, and those of the other one towards -1.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.plute.view import View
from domain.serialization import from_plain
from workers.bots.policy import Asked, Thought
from workers.research.actions import listed, numbering
from workers.research.observations import observer
from workers.research.pettingzoo import Environment
from workers.research.tables import table

WEIGHTS = Path("plute.npy")
HAND = table("plute", whole_game=False)
NUMBERS, OBSERVER = numbering("plute"), observer(HAND)
BLOCKS = ("hand", "trick", "leader", "bids", "bidder", "contract", "trump", "jokers", "points")
Vector = NDArray[np.float32]


@cache
def places() -> NDArray[np.intp]:
    """Return the places of the blocks that the agent looks at."""
    marked = np.zeros(OBSERVER.size, np.float32)
    for name in BLOCKS:
        OBSERVER.part(marked, name)[...] = 1
    return np.flatnonzero(marked)


def features(tensor: Vector) -> Vector:
    """Return what the agent looks at, and a constant."""
    return np.append(tensor[places()], np.float32(1))


def play(made: Any, weights: Vector, rng: np.random.Generator, curious: float) -> list[tuple[str, int, Vector]]:
    """Play a hand, now and then at random; return who chose what, and what they saw."""
    chosen = []
    for agent in made.agent_iter():
        observation, _, over, cut, _ = made.last()
        number = None
        if not (over or cut):
            seen, legal = features(observation["observation"]), np.flatnonzero(observation["action_mask"])
            number = int(rng.choice(legal) if rng.random() < curious else legal[np.argmax(weights[legal] @ seen)])
            chosen.append((agent, number, seen))
        made.step(number)
    return chosen


def train(hands: int, seed: int) -> Vector:
    """Play against itself, and correct the weights after every hand."""
    made, rng = Environment(HAND), np.random.default_rng(seed)
    weights = np.zeros((NUMBERS.size, len(places()) + 1), np.float32)
    for hand in range(hands):
        made.reset(seed=seed * 1_000_000 + hand)
        chosen = play(made, weights, rng, curious=max(0.05, 0.5 * (1 - 2 * hand / hands)))
        scores = dict(zip(made.possible_agents, made.position.scores, strict=True))
        for agent, number, seen in chosen:
            error = scores[agent] - weights[number] @ seen
            weights[number] += 0.1 * error * seen / (seen @ seen)
        if (hand + 1) % max(1, hands // 10) == 0:
            print(f"{hand + 1} hands", flush=True)
    return weights


def think(asked: Asked) -> Thought:
    """Choose as a policy of a bot, with the weights of the file."""
    view, seat = from_plain(View, asked.view["state"]), asked.view["viewer"]["seat"]
    seen, actions = features(OBSERVER.seen(view, seat, seat)), listed(asked.view)
    return Thought(actions[max(actions, key=lambda word: float(trained()[word[0]] @ seen))])


@cache
def trained() -> Vector:
    """Read the weights."""
    weights: Vector = np.load(WEIGHTS)
    return weights


if __name__ == "__main__":
    hands, seed = [*map(int, sys.argv[1:]), 4000, 1][:2]
    np.save(WEIGHTS, train(hands, seed))
    print(f"the weights are in {WEIGHTS}")
