"""A policy that tells whether it runs compiled code, and what that computes."""

from workers.bots import compiled
from workers.bots.le_plateau import grid
from workers.bots.policy import Thought


def tells(asked):
    """Tell, instead of an action."""
    flood = compiled.fast(grid.flood)
    return Thought({"compiled": flood is not grid.flood, "flooded": int(flood(1 << 27 + asked.seed, grid.WHOLE))})
