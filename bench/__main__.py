"""Run every benchmark: ``make bench``. Each prints its figures beside what they are compared with.

With ``--quick``, each does just enough to show that it works, and the figures mean nothing.
"""

import runpy
import sys

from bench.sizes import QUICK, given, is_quick

NAMES = (
    "domain",
    "append",
    "memory",
    "replay",
    "verify",
    "throughput",
    "streams",
    "floods",
    "attacks",
    "ranking",
    "day",
    "walks",
    "instructions",
    "boardgame_io",
    "web_client",
)

if __name__ == "__main__":
    chosen, switches = given() or NAMES, [QUICK] * is_quick()
    for name in chosen:
        if name not in NAMES:
            sys.exit(f"there is no benchmark {name}; the benchmarks are: {', '.join(NAMES)}")
        print(f"\n== {name}", flush=True)
        sys.argv = [name, *switches]
        runpy.run_module(f"bench.{name}", run_name="__main__")
