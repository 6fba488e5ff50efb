"""The checker of the chaos finds each fault in a history that has it; and the runner runs, in every setting."""

import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
import redis

from bench.chaos.checker import Findings, Notes, check
from bench.chaos.faults import faults_of
from bench.chaos.proxy import Line, Proxy
from bench.chaos.settings import Clustered, Replicated, Single
from bench.replay import played
from domain.game.durations import SECOND, instant, moment
from domain.log.record import Record
from domain.registry import RULESETS
from tests.support.server import ROOT, RealServer, is_up, wait_until
from tests.support.small_disk import can_mount

LOG = played(RULESETS["le-plateau"], 3, 40, random.Random(1))
REQUESTS = [[*records] for _, records in groupby(LOG, key=lambda record: record.request)]


def notes() -> Notes:
    """Note what a player of the whole log was told: each answer but that to the creation, and a view after it."""
    answers = [[(each.version, each.hash) for each in request] for request in REQUESTS[1:]]
    return Notes(LOG[0].game_id, answers, {answer[-1] for answer in answers}, is_alone=True)


def twice(told: Notes, log: list[Record]) -> None:
    log += [replace(each, version=len(LOG) + place) for place, each in enumerate(REQUESTS[3], 1)]


def changed(**parts: str) -> Callable[[Notes, list[Record]], None]:
    def change(told: Notes, log: list[Record]) -> None:
        log[20] = replace(log[20], **parts)

    return change


FAULTS: dict[str, tuple[Callable[[Notes, list[Record]], object], str, str]] = {
    "none": (lambda told, log: None, "", ""),
    "a tail is missing": (lambda told, log: log.pop(), "lost gone", ""),
    "the game is missing": (lambda told, log: log.clear(), "lost gone", ""),
    "a view of what never was": (lambda told, log: told.seen.add((LOG[-1].version + 1, "0" * 64)), "gone", ""),
    "a request twice": (twice, "wrong", "in the log twice"),
    "a gap": (lambda told, log: log.pop(20), "wrong", "versions have gaps"),
    "another time": (changed(at=moment(instant(LOG[20].at) + 1)), "wrong", "hash does not match"),
    "another hash": (changed(hash="0" * 64), "wrong", "hash does not match"),
    "one answer for two requests": (lambda told, log: told.acknowledged.pop(5), "wrong", "were accepted"),
    "the same answer twice": (
        lambda told, log: told.acknowledged.append(told.acknowledged[3]),
        "wrong",
        "told the same version",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_checker_finds_a_fault_in_a_history(fault: str) -> None:
    change, kinds, said = FAULTS[fault]
    told, log = notes(), [*LOG]
    change(told, log)
    findings = check(told, log)
    assert {kind for kind in ("lost", "gone", "wrong") if getattr(findings, kind)} >= {*kinds.split()}
    assert kinds or findings == Findings()
    assert any(said in line for line in findings.wrong) or not said


def timed(milliseconds: Sequence[int], types: Sequence[str]) -> list[str]:
    """Check turns of a second, at events so many ms after each other; their broken chain does not matter here."""
    now, log = instant(LOG[0].at), list[Record]()
    for number, (after, kind) in enumerate(zip(milliseconds, types, strict=True)):
        now += after
        log.append(replace(LOG[number], type=kind, at=moment(now), request=f"r{number}"))
    wrong = check(Notes(LOG[0].game_id, move_ms=SECOND), log).wrong
    return [re.sub(r".*: ", "", line) for line in wrong if "time" in line]


@pytest.mark.parametrize(
    ("milliseconds", "types", "expected"),
    [
        ([0, 1000, 1700], ["a", "turn_timed_out", "turn_timed_out"], []),
        ([0, 999], ["a", "turn_timed_out"], ["the turn at version 2 timed out early"]),
        ([0, 1000, 5], ["a", "turn_timed_out", "turn_timed_out"], ["the turn at version 3 timed out early"]),
        ([0, 900, 200], ["a", "time_credited", "turn_timed_out"], []),
    ],
)
def test_a_turn_that_times_out_early_or_twice_is_found(
    milliseconds: list[int], types: list[str], expected: list[str]
) -> None:
    assert timed(milliseconds, types) == expected


def test_a_line_refuses_hangs_and_is_whole_again(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path, tcp=True, appendonly=False)
    line = Proxy(server.url)
    assert is_up(line.url)
    line.become(Line.REFUSING)
    assert not is_up(line.url)
    line.become(Line.HANGING)
    with pytest.raises(redis.TimeoutError):
        is_up(f"{line.url}?socket_timeout=0.2")
    line.become(Line.CUTTING)
    wait_until(lambda: not is_up(line.url), "a reply to be cut")
    line.become(Line.WHOLE)
    assert is_up(line.url)
    line.close()
    server.stop()


def run(*arguments: str, module: str = "bench.chaos") -> str:
    command = [sys.executable, "-m", module, *arguments]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.long
def test_a_short_run_prints_a_table_without_violations() -> None:
    said = run("--quick")
    assert re.search(r"\| single \| redis refuses \| 1 \| \d+ \| 0 \| 0 \| [\d.]+ s \|", said)
    assert re.search(r"games 5, .* requests refused 0, cycles with a fail-over 0, violations 0", said)


@pytest.mark.long
def test_followers_that_are_cut_off_end_with_the_whole_log() -> None:
    said = run("--quick", module="bench.chaos.followers")
    assert re.search(r"6 clients .* \d+ cuts, \d+ connections, \d+ events\ngaps 0, doubled 0, incomplete logs 0", said)


@pytest.mark.long
@pytest.mark.parametrize("setting", [Single, Replicated, Clustered])
def test_one_cycle_of_every_fault_is_survived_in_every_setting(setting: type) -> None:
    cycles = len(faults_of(setting))
    assert cycles >= {"single": 17, "replica": 20, "cluster": 21}[setting.name] + can_mount()
    said = run("--settings", setting.name, "--cycles", str(cycles), "--seed", "7")
    assert f"games {5 * cycles}, " in said
    assert "violations 0" in said
