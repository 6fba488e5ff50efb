"""Every benchmark runs and prints its figures: what is published can be measured again."""

import re
import subprocess
import sys
from shutil import which

import pytest

from bench.__main__ import NAMES
from bench.attacks import ATTACKS
from bench.instructions import TABLES, off
from tests.support.server import ROOT

N = r"[\d,]+(\.\d+)?"
FIGURES = {
    "append": [f"append +{N} µs +bare XADD +{N} µs +ratio {N}"],
    "attacks": [f"{each.__name__.replace('_', ' ')} .*{N} times the rate, {N} times the p99" for each in ATTACKS],
    "boardgame_io": [f"2 matches  plateau +{N} moves/s  p50 +{N} ms  p99 +{N} ms  processor +{N} µs"],
    "day": [rf"closed -?{N} s after the end of the day", "plute: 1 kills, 0 violations"],
    "domain": [f"{what}.* {N} actions/s" for what in ("choices given", "random choice", "chained and sealed")],
    "floods": [f"one {whose} +p95 +{N} ms, without +{N} ms .*: {N} times" for whose in ("player", "shard", "address")],
    "instructions": [f"an action, {ruleset} +{N} instructions +{N} times" for ruleset in TABLES],
    "memory": [f"{at}, {kind}( +{N}){{9}}" for at in ("le-plateau 4", "le-plateau 6") for kind in ("json", "compact")],
    "ranking": [
        f"{game}, {whose}: 4 deals -?{N}" for game in ("plute", "french-tarot") for whose in ("common", "free")
    ],
    "replay": [f"cold replay +{N} ms, folding +{N} ms +plain JSON +{N} ms", f"one pass +{N} ms +a fold each +{N} ms"],
    "streams": [
        f"20 streams +{N} MB.* p99 +{N} ms .* streams lost 0 +healthz",
        f"20 streams +actions/s {N} beside none",
    ],
    "throughput": [f"2 games  ratio to the ceiling: median {N}"],
    "verify": [f"{game} +{N} events/s +chain alone +{N} events/s" for game in ("le-plateau 4", "plateau 2", "plute 6")],
    "walks": [rf"{walk} +\d+ files +\d+ moves" for walk in ("accepted card", "view", "bot's move")],
    "web_client": [
        f"plute +first load {N} KB, scripts {N} KB",
        f"own move p50 {N} ms p95 {N} ms",
        f"on screen +p50 {N}",
    ],
}
"""What each benchmark prints, as patterns."""
USUAL = "append"
"""One that takes no more than a few seconds when it is quick."""


def run(*arguments):
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_every_benchmark_is_tried_and_is_one_of_make_bench():
    programs = {path.stem for path in (ROOT / "bench").glob("*.py") if 'if __name__ == "__main__"' in path.read_text()}
    assert sorted(programs - {"__main__"}) == sorted(NAMES) == sorted(FIGURES)


@pytest.mark.parametrize(
    "name", [name if name == USUAL else pytest.param(name, marks=pytest.mark.long) for name in FIGURES]
)
def test_a_short_run_prints_its_figures(name):
    ran = run(f"bench.{name}", "--quick")
    assert ran.returncode == 0, ran.stderr
    for figure in FIGURES[name]:
        assert re.search(figure, ran.stdout), (figure, ran.stdout)


@pytest.mark.long
def test_no_request_takes_more_instructions_than_is_kept():
    ran = run("bench.instructions")
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}\nsay in the commit why, and run bench.instructions accept"


def test_a_row_counts_as_changed_beyond_three_percent():
    kept = {"a view": 2.0, "an action": 4.0}
    assert off({"a view": 2.05, "an action": 4.11}, kept) == []
    assert off({"a view": 2.07, "an action": 3.8, "new": 1.0}, kept) == ["a view", "an action", "new"]


@pytest.mark.long
def test_without_npm_boardgame_io_is_left_out_with_a_note():
    ran = run("bench.boardgame_io", "--quick")
    assert ran.returncode == 0, ran.stderr
    assert ("npm is not installed" in ran.stdout) == (which("npm") is None)
    assert len(re.findall(rf"boardgame.io +{N} moves/s", ran.stdout)) == (1 if which("npm") else 0)


@pytest.mark.parametrize(
    ("arguments", "message"), [(("bench", "nothing"), "no benchmark nothing"), (("bench.append", "many"), "'many'")]
)
def test_an_argument_that_is_not_valid_is_refused_in_one_line(arguments, message):
    ran = run(*arguments)
    assert (ran.returncode, message in ran.stderr, len(ran.stderr.splitlines())) == (1, True, 1)
