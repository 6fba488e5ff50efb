"""A policy that tells whether it runs compiled code, and what that computes."""

from tests.workers.bots.kernel_results import played
from workers.bots import compiled
from workers.bots.le_plateau import grid
from workers.bots.policy import Thought


def tells(asked):
    """Tell, instead of an action."""
    is_compiled = compiled.fast(grid.flood) is not grid.flood
    return Thought({"compiled": is_compiled, "played": played(asked.seed)})
