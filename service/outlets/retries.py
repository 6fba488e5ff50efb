"""When a delivery that failed is tried again: nine attempts within a day, the pauses between them growing."""

import random

from domain.game.durations import HOUR, MINUTE, SECOND

PAUSES = (5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 8 * HOUR, 9 * HOUR)
"""The pauses after the first attempts, in ms; each is stretched by up to a hundredth, so that retries spread out."""

ATTEMPTS = len(PAUSES) + 1


def pause_after(attempts: int) -> int | None:
    """Return for how many ms to wait after so many failed attempts; None if there is no further attempt."""
    if attempts >= ATTEMPTS:
        return None
    return int(PAUSES[attempts - 1] * random.uniform(1.0, 1.01))  # noqa: S311 - this only spreads the load
