"""When a delivery that failed is tried again: for a day, the pauses between the attempts growing.

A message to a webhook has nine attempts of its own. A destination that sends all its news together tries more often,
because everything new waits for the next attempt.
"""

import random

from domain.game.durations import DAY, HOUR, MINUTE, SECOND

PAUSES = (5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 8 * HOUR, 9 * HOUR)
"""The pauses after the first attempts, in ms; each is stretched by up to a hundredth, so that retries spread out."""

ATTEMPTS = len(PAUSES) + 1

LONGEST_OF_OUTLET = 15 * MINUTE
"""The longest pause of a destination, before it is stretched: the longest wait after the receiver has recovered."""


def pause_after(attempts: int) -> int | None:
    """Return for how many ms to wait after so many failed attempts; None if there is no further attempt."""
    if attempts >= ATTEMPTS:
        return None
    return _stretched(PAUSES[attempts - 1])


def pause_of_outlet(attempts: int, failing_ms: int) -> int | None:
    """Return how many ms a destination waits after so many failed attempts; None once it has failed for a day."""
    if failing_ms >= DAY:
        return None
    return _stretched(min(PAUSES[min(attempts, len(PAUSES)) - 1], LONGEST_OF_OUTLET))


def _stretched(pause: int) -> int:
    return int(pause * random.uniform(1.0, 1.01))  # noqa: S311 - this only spreads the load
