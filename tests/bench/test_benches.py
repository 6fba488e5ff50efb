"""Every benchmark runs and prints its figures: what is published can be measured again."""

import re
import subprocess
import sys
from shutil import which

import pytest

from bench.__main__ import NAMES
from bench.attacks import ATTACKS
from tests.servers import ROOT

NUMBER = r"[\d,]+(\.\d+)?"
FIGURES = {
    "append": [rf"append +{NUMBER} µs +bare XADD +{NUMBER} µs +ratio {NUMBER}"],
    "attacks": [
        rf"{attack.__name__.replace('_', ' ')} .*{NUMBER} times the rate, {NUMBER} times the p99" for attack in ATTACKS
    ],
    "boardgame_io": [
        rf"2 matches  plateau +{NUMBER} moves/s  p50 +{NUMBER} ms  p99 +{NUMBER} ms  processor +{NUMBER} µs"
    ],
    "domain": [rf"{what}.* {NUMBER} actions/s" for what in ("choices given", "random choice", "chained and sealed")],
    "growth": [
        rf"{cost} +{NUMBER} +{NUMBER} +{NUMBER}"
        for cost in ("an action, ms", "a view, cold", "a view, warm", "the lobby", "a sweep, nothing due", "ms a game")
    ],
    "floods": [
        rf"{flood} +p95 +{NUMBER} ms, without +{NUMBER} ms .*: {NUMBER} times"
        for flood in ("one player", "one shard", "one address")
    ],
    "memory": [
        rf"{table}, {kind}( +{NUMBER}){{9}}"
        for table in ("le-plateau 4", "le-plateau 6")
        for kind in ("json", "compact", "compact, with keys")
    ],
    "replay": [
        rf"cold replay +{NUMBER} ms, folding +{NUMBER} ms +plain JSON +{NUMBER} ms",
        rf"all \d+ views +one pass +{NUMBER} ms +a fold each +{NUMBER} ms",
    ],
    "verify": [
        rf"{game} +{NUMBER} events/s +chain alone +{NUMBER} events/s .* bundle {NUMBER} kB, packed {NUMBER} kB"
        for game in ("le-plateau 4", "plateau 2", "french-tarot 4", "plute 6")
    ],
    "soak": [r"cycles 2 .*lost 0, doubled 0, timeouts \d+, early 0"],
    "walks": [rf"{walk} +\d+ files +\d+ moves" for walk in ("accepted card", "view", "bot's move")],
    "streams": [
        rf"20 streams +{NUMBER} MB.* p99 +{NUMBER} ms +frames \d+ of \d+, streams lost 0 +healthz",
        rf"20 streams +actions/s {NUMBER} beside none; beside idle ones {NUMBER} of it; with every seat listening",
    ],
    "web_client": [
        rf"plute +first load {NUMBER} KB, scripts {NUMBER} KB +playable {NUMBER} s +on a slow phone {NUMBER} s",
        rf"french-tarot +processor ÷ 4 +own move p50 {NUMBER} ms p95 {NUMBER} ms +interactions p98 {NUMBER} ms",
        rf"another's move on screen +p50 {NUMBER} ms +p95 {NUMBER} ms",
    ],
    "throughput": [rf"2 games  ratio to the ceiling: median {NUMBER}"],
}
"""What each benchmark prints, as patterns."""
LONG = (
    "attacks",
    "boardgame_io",
    "floods",
    "growth",
    "memory",
    "soak",
    "streams",
    "throughput",
    "verify",
    "walks",
    "web_client",
)
"""Those that take many seconds even when they are quick."""


def run(*arguments):
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_every_benchmark_is_tried():
    programs = {path.stem for path in (ROOT / "bench").glob("*.py") if 'if __name__ == "__main__"' in path.read_text()}
    assert programs - {"__main__"} == FIGURES.keys()


def test_make_bench_runs_every_benchmark():
    assert sorted(NAMES) == sorted(FIGURES)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in LONG else name for name in FIGURES]
)
def test_a_short_run_prints_its_figures(name):
    ran = run(f"bench.{name}", "--quick")
    assert ran.returncode == 0, ran.stderr
    for figure in FIGURES[name]:
        assert re.search(figure, ran.stdout), (figure, ran.stdout)


@pytest.mark.long
def test_without_npm_boardgame_io_is_left_out_with_a_note():
    ran = run("bench.boardgame_io", "--quick")
    assert ran.returncode == 0, ran.stderr
    assert ("npm is not installed" in ran.stdout) == (which("npm") is None)
    assert len(re.findall(rf"boardgame.io +{NUMBER} moves/s", ran.stdout)) == (1 if which("npm") else 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bench", "nothing"), "no benchmark nothing"),
        (("bench.append", "many"), "'many'"),
    ],
)
def test_an_argument_that_is_not_valid_is_refused_in_one_line(arguments, message):
    ran = run(*arguments)
    assert ran.returncode == 1
    assert message in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
