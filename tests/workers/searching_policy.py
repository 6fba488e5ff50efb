"""A policy whose action depends on how many playouts it did, as that of a search does."""

import random

from workers.bots.policy import Asked, Thought


def search(asked: Asked) -> Thought:
    """Return the sum of as many random numbers as there is time for."""
    rng, total, done = random.Random(asked.seed), 0, 0
    while done < asked.playouts and not asked.is_enough(done):
        total, done = total + rng.randrange(1000), done + 1
    return Thought({"total": total}, done)
