"""Attack a separate service for minutes, showing progress: ``make fuzz``.

    python -m tests.fuzz [spec|sockets|worlds …] [--seconds 300] [--seed 1]

``spec`` follows the document with schemathesis, ``sockets`` sends malformed HTTP, ``worlds`` looks for answers that
tell what is hidden. They share the seconds. Each finding is printed with how to see it again; the exit code is 1 if
there is any. Another seed tries other things; by default it is another one each time.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.fuzz.report import Report
from tests.fuzz.running import FUZZERS


def main() -> None:
    """Run them, and exit with 1 if one has found something."""
    parser = argparse.ArgumentParser(description="Attack a service of its own.")
    parser.add_argument("fuzzers", nargs="*", help=f"which of {', '.join(FUZZERS)}; all by default")
    parser.add_argument("--seconds", type=float, default=300, help="how long, all together (%(default)s)")
    parser.add_argument("--seed", type=int, help="what it begins with; drawn by default")
    wanted = parser.parse_args()
    unknown = {*wanted.fuzzers} - FUZZERS.keys()
    if unknown:
        parser.error(f"there is no fuzzer {', '.join(sorted(unknown))}; there are: {', '.join(FUZZERS)}")
    chosen = wanted.fuzzers or list(FUZZERS)
    seed = random.SystemRandom().randrange(1_000_000) if wanted.seed is None else wanted.seed
    print(f"seed {seed}, {wanted.seconds:g} s for {', '.join(chosen)}", flush=True)
    reports = [run(name, wanted.seconds / len(chosen), seed) for name in chosen]
    found = sum(len(report.findings) for report in reports)
    sys.exit(f"{found} findings, with seed {seed}" if found else 0)


def run(name: str, seconds: float, seed: int) -> Report:
    """Run one fuzzer."""
    report = Report(name, seconds)
    with tempfile.TemporaryDirectory(prefix="plateau-fuzz-") as folder:
        FUZZERS[name](report, seed, Path(folder))
    report.tell()
    return report


if __name__ == "__main__":
    main()
