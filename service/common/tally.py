"""What this process has counted since it last reported, and what it can say of itself: the figures that it adds.

Counting takes about a microsecond and no trip to Redis. ``service.store.reporting`` adds what was counted to the sums
of all processes, every few seconds; what a killed process had not reported is lost. So count here what happens often,
and with ``service.store.counters`` what must not be lost.

Names and labels come from the program and never from a client, so there are only so many of them.
"""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""The upper bounds of the buckets of times, in seconds; what took longer is in one more bucket."""

_MICROSECONDS = 1_000_000


class Tally:
    """Counts by name and label, from any thread; ``gauges`` return what there is now, such as open streams."""

    def __init__(self) -> None:
        self.gauges: dict[str, Callable[[], float]] = {}
        self._counted: Counter[str] = Counter()
        self._lock = threading.Lock()

    def count(self, name: str, label: str = "", times: int = 1) -> None:
        """Count one more, or several."""
        with self._lock:
            self._counted[field(name, label)] += times

    def time(self, name: str, seconds: float, label: str = "") -> None:
        """Count a time in its bucket, and add it to the sum of times."""
        with self._lock:
            self._counted[field(bucket(name, bisect_left(BOUNDS, seconds)), label)] += 1
            self._counted[field(total(name), label)] += int(seconds * _MICROSECONDS)

    def take(self) -> Mapping[str, int]:
        """Return what was counted since the last call, by name and label as ``field`` writes them."""
        with self._lock:
            taken, self._counted = self._counted, Counter()
        return taken

    def put_back(self, taken: Mapping[str, int]) -> None:
        """Count again what could not be reported."""
        with self._lock:
            self._counted.update(taken)


def field(name: str, label: str) -> str:
    """Return how a name and a label are written as one."""
    return f"{name} {label}" if label else name


def bucket(name: str, number: int) -> str:
    """Return the name of the counter of a bucket."""
    return f"{name}:{number}"


def total(name: str) -> str:
    """Return the name of the counter of the sum of times, in microseconds."""
    return f"{name}:us"


TALLY = Tally()
"""What this process counts."""
