"""Chaos, with figures: one thing after the other fails while people and bots play; then every history is checked.

    python -m bench.chaos [--settings single,replica,cluster] [--cycles 20] [--faults kill_web,…] [--seed 1]

In each cycle, five games begin: two whose seats one person plays, one of a person with bots, one of bots, and one in
which nobody moves and each turn times out after a second. Then something fails. Each game must go on, and its log must
have all that was acknowledged and all that was shown, once, without gaps, in a chain that holds; no turn may time out
early. After a fail-over, what it may lose is counted apart. The exit code is 1 if anything is wrong; then the run says
where the logs of its servers and processes are. A server that does not come back ends the run of its setting.
"""

import argparse
import math
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.chaos.cycles import Outcome, Stage
from bench.chaos.faults import Fault, faults_of
from bench.chaos.report import table
from bench.chaos.settings import SETTINGS
from bench.sizes import QUICK


def main() -> int:
    """Run the cycles, show each, and print a table; return the exit code."""
    arguments = _parser().parse_args()
    outcomes: list[Outcome] = []
    for name in arguments.settings.split(","):
        outcomes += _run(name, arguments)
    print("\n" + table(outcomes))
    return int(any(outcome.wrong for outcome in outcomes))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.chaos")
    parser.add_argument("--settings", default=",".join(SETTINGS), help="which settings, one after the other")
    parser.add_argument("--faults", default="", help="which faults; all, if none are given")
    parser.add_argument("--cycles", type=int, default=20, help="cycles of each setting")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no cycle of a setting later than this")
    parser.add_argument("--seed", type=int, default=1, help="what fails when, and who plays what")
    parser.add_argument(QUICK, action="store_true", help="one server, one cycle, few processes")
    return parser


def _run(name: str, arguments: argparse.Namespace) -> list[Outcome]:
    if arguments.quick and name != "single":
        return []
    setting = SETTINGS[name]
    wanted = arguments.faults.split(",") if arguments.faults else ["redis_refuses"] * arguments.quick
    faults = [fault for fault in faults_of(setting) if not wanted or fault.__name__ in wanted]
    print(f"{name}: {', '.join(fault.__name__ for fault in faults)}", flush=True)
    began, outcomes = time.monotonic(), list[Outcome]()
    with _folder(outcomes) as folder:
        stage = Stage(setting(folder / "data"), folder, arguments.seed, 1 if arguments.quick else 2)
        try:
            cycles = 1 if arguments.quick else arguments.cycles
            for number, fault in enumerate(_order(faults, cycles, arguments.seed), 1):
                if time.monotonic() - began > 60 * arguments.minutes:
                    break
                outcome = stage.cycle(fault)
                outcomes.append(outcome)
                print(f"  {number:3} {time.monotonic() - began:6.0f} s  {_line(outcome)}", flush=True)
                if not outcome.is_whole:
                    return outcomes
            outcomes.append(stage.last_look())
            print(f"  started again by the supervisor: {stage.service.came_back}", flush=True)
        finally:
            stage.close()
    return outcomes


@contextmanager
def _folder(outcomes: Sequence[Outcome]) -> Iterator[Path]:
    """Make a folder for the run; if anything was wrong in it, the logs of servers and processes stay there."""
    folder, is_clean = Path(tempfile.mkdtemp(prefix="plateau-chaos-")), False
    try:
        yield folder
        is_clean = not any(outcome.wrong for outcome in outcomes)
    finally:
        if is_clean:
            shutil.rmtree(folder)
        else:
            for path in folder.rglob("*"):
                if path.is_file() and path.suffix not in {".log", ".err"}:
                    path.unlink()
            print(f"  the logs of all processes are in {folder}", flush=True)


def _order(faults: Sequence[Fault], cycles: int, seed: int) -> list[Fault]:
    """Return every fault equally often, in turns of which each has an order of its own."""
    rng, order = random.Random(seed), list[Fault]()
    while len(order) < cycles:
        order += rng.sample(faults, len(faults))
    return order[:cycles]


def _line(outcome: Outcome) -> str:
    told = f"{outcome.fault:22} acknowledged {outcome.acknowledged:4}  outage {outcome.outage:5.1f} s"
    if outcome.failed_over:
        told += f"  failed over: lost {len(outcome.lost)}, gone {len(outcome.gone)}"
    return told + "".join(f"\n      WRONG {each}" for each in outcome.wrong)


if __name__ == "__main__":
    sys.exit(main())
