"""The bot ``greedy-novice``: ``greedy``, but one move in four is the second or third best that it finds.

It plays soundly most of the time, as a learner does, and gives its opponents chances. A slip never changes the kind of
action, and is never a bid: a second-best bid can cost a whole game.
"""

import random
from dataclasses import replace

from workers.bots import greedy
from workers.bots.policy import Asked, Thought

_SLIPS_OF_ONE_IN = 4
_WORST_RANK = 2
"""A slip plays the action of rank 1 or 2; the best has rank 0."""


def think(asked: Asked) -> Thought:
    """Choose as ``greedy`` does, or slip, by the seed; without estimates of other actions, there is no slip."""
    thought = greedy.think(asked)
    rng = random.Random(asked.seed)  # noqa: S311 - chooses moves; the game's own draws are made elsewhere
    kind = thought.action.get("type")
    others = [each.action for each in thought.estimates[1 : 1 + _WORST_RANK] if each.action.get("type") == kind]
    if rng.randrange(_SLIPS_OF_ONE_IN) or kind == "bid" or not others:
        return thought
    return replace(thought, action=rng.choice(others))
