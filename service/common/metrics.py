"""What a process counts: how often something happened, and how long it took. ``METRICS`` is for the whole process.

Counting takes about a microsecond and no trip to Redis: ``service.store.reporting`` adds the counts to the sums of all
processes every few seconds. Names and labels come from the program and never from a client, so their number is bounded;
``service.runtime.metrics`` lists and explains them.
"""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""The upper bounds of the buckets of times, in seconds; what took longer is in one more bucket."""

Counts = Mapping[tuple[str, str], int]
"""Counts by name and label. A time has one for each bucket (``name:0``), and the sum in microseconds (``name:us``)."""


class ProcessMetrics:
    """Counts by name and label, from any thread; ``gauges`` return what there is now, such as open streams."""

    def __init__(self) -> None:
        self.gauges: dict[str, Callable[[], float]] = {}
        self._counted = Counter[tuple[str, str]]()
        self._lock = threading.Lock()

    def count(self, name: str, label: str = "", times: int = 1) -> None:
        """Count one more, or several."""
        with self._lock:
            self._counted[name, label] += times

    def time(self, name: str, seconds: float, label: str = "") -> None:
        """Count a time in its bucket, and add it to the sum of times."""
        with self._lock:
            self._counted[f"{name}:{bisect_left(BOUNDS, seconds)}", label] += 1
            self._counted[f"{name}:us", label] += int(seconds * 1_000_000)

    def take(self) -> Counts:
        """Return what was counted since the last call."""
        with self._lock:
            taken, self._counted = self._counted, Counter()
        return taken

    def put_back(self, taken: Counts) -> None:
        """Count again what could not be reported."""
        with self._lock:
            self._counted.update(taken)


METRICS = ProcessMetrics()
