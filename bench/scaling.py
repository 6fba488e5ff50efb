"""Accepted actions a second over HTTP with one, two, four and eight web processes, and with a cluster, side by side.

    python -m bench.scaling [games at once] [--quick]

The cluster has three masters, and two web processes play on it. All share this machine with the load, so the figures
say where more processes stop to help here, not what more machines would give.
"""

import os
import statistics
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.servers import engine
from bench.sizes import is_quick, size
from bench.throughput import measure
from tests.clusters import RealCluster
from tests.servers import PROGRAMS

_COUNTS = (1, 2, 4, 8)
_ROUNDS = 2


def main() -> None:
    """Measure all in turn, several times, and print the medians of the rates and of the ratios to one process."""
    games = size(0, 64, 2)
    counts, rounds = (_COUNTS[:2], 1) if is_quick() else (_COUNTS, _ROUNDS)
    rates: defaultdict[str, list[float]] = defaultdict(list)
    slow: defaultdict[str, list[float]] = defaultdict(list)
    kind = "redis" if "redis" in PROGRAMS else "valkey"
    with engine() as url, TemporaryDirectory() as folder:
        cluster = RealCluster(kind, Path(folder))
        setups = [(_called(count), url, count) for count in counts] + [("three masters, 2", cluster.url, 2)]
        try:
            for _ in range(rounds):
                for name, server, count in setups:
                    rate, _, p99 = measure("plateau", server, games, count, queue=url)
                    rates[name].append(rate)
                    slow[name].append(p99)
        finally:
            cluster.stop()
    print(f"{games} games at once, {os.cpu_count()} processors")
    for name, _, _ in setups:
        times = statistics.median(rate / one for rate, one in zip(rates[name], rates[_called(1)], strict=True))
        print(
            f"{name:16} {statistics.median(rates[name]):7,.0f} actions/s  {times:.2f} times  "
            f"p99 {statistics.median(slow[name]):6.1f} ms"
        )


def _called(count: int) -> str:
    return f"{count} web process{'es' * (count > 1)}"


if __name__ == "__main__":
    main()
