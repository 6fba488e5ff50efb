"""Accepted actions a second over HTTP with one, two, four and eight web processes, side by side.

    python -m bench.scaling [games at once] [--quick]

They share this machine with the server of the games and with the load, so the figures say where more processes stop to
help here, not what more machines would give.
"""

import os
import statistics
from collections import defaultdict

from bench.servers import engine
from bench.sizes import is_quick, size
from bench.throughput import measure

_COUNTS = (1, 2, 4, 8)
_ROUNDS = 2


def main() -> None:
    """Measure all in turn, several times, and print the medians of the rates and of the ratios to one process."""
    games = size(0, 64, 2)
    counts, rounds = (_COUNTS[:2], 1) if is_quick() else (_COUNTS, _ROUNDS)
    rates: defaultdict[int, list[float]] = defaultdict(list)
    slow: defaultdict[int, list[float]] = defaultdict(list)
    with engine() as url:
        for _ in range(rounds):
            for count in counts:
                rate, _, p99 = measure("plateau", url, games, count)
                rates[count].append(rate)
                slow[count].append(p99)
    print(f"{games} games at once, {os.cpu_count()} processors")
    for count in counts:
        times = statistics.median(rate / one for rate, one in zip(rates[count], rates[1], strict=True))
        name = f"{count} web process{'es' * (count > 1)}"
        print(
            f"{name:16} {statistics.median(rates[count]):7,.0f} actions/s  {times:.2f} times  "
            f"p99 {statistics.median(slow[count]):6.1f} ms"
        )


if __name__ == "__main__":
    main()
