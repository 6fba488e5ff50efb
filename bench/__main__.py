"""Run every benchmark: ``make bench``. Each prints its figures beside what they are measured against."""

import runpy
import sys

NAMES = ("domain", "rulesets", "append", "memory", "reading", "throughput", "bots", "fairness")

if __name__ == "__main__":
    chosen = sys.argv[1:] or NAMES
    for name in chosen:
        if name not in NAMES:
            sys.exit(f"there is no benchmark {name}; there are: {', '.join(NAMES)}")
        print(f"\n== {name}", flush=True)
        sys.argv = [name]
        runpy.run_module(f"bench.{name}", run_name="__main__")
