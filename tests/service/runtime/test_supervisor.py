"""The supervisor: a process that ends is started again, and one that keeps failing takes no healthy one down."""

import logging
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.runtime import supervisor
from service.runtime.supervisor import Group
from tests.support.server import PATIENCE, ROOT, wait_until

ENVIRON = {**os.environ, "PYTHONPATH": str(ROOT)}
A_LIFE = 1000.0
FIRST_PAUSE, LONGEST_PAUSE = 0.01, 0.05
MANY = supervisor._MOST_FAILURES + 3


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses are short; a life is short unless the test says otherwise, however slow the machine."""
    monkeypatch.setattr(supervisor, "_FIRST_PAUSE_SECONDS", FIRST_PAUSE)
    monkeypatch.setattr(supervisor, "_LONGEST_PAUSE_SECONDS", LONGEST_PAUSE)
    monkeypatch.setattr(supervisor, "_SHORT_LIFE_SECONDS", A_LIFE)


@pytest.fixture(autouse=True)
def _no_watcher_stays() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("watch "):
            thread.join(PATIENCE)
            assert not thread.is_alive()


class Child:
    """A command, and the processes that have run it."""

    def __init__(self, notes: Path, way: str) -> None:
        self._notes = notes
        self.command = ("tests.service.runtime.supervised_child", str(notes), way)

    @property
    def pids(self) -> list[int]:
        return [int(pid) for pid in self._notes.read_text().splitlines()] if self._notes.exists() else []

    def wait_for_starts(self, number: int) -> None:
        wait_until(lambda: len(self.pids) >= number, f"start {number} of {self.command}")

    def kill(self) -> None:
        """Kill the process that runs, and wait for the next."""
        number = len(self.pids)
        os.kill(self.pids[-1], signal.SIGKILL)
        self.wait_for_starts(number + 1)

    def runs(self) -> bool:
        try:
            os.kill(self.pids[-1], 0)
        except ProcessLookupError:
            return False
        return True


@pytest.fixture
def failing(tmp_path: Path) -> Child:
    return Child(tmp_path / "failing", "ends")


@pytest.fixture
def healthy(tmp_path: Path) -> Child:
    return Child(tmp_path / "healthy", "sleeps")


@pytest.fixture
def given_up() -> threading.Event:
    return threading.Event()


def group(
    given_up: threading.Event | None, *children: Child, restarts: bool = True, stop_seconds: float = PATIENCE
) -> Group:
    commands = [child.command for child in children]
    return Group(commands, ENVIRON, stop_seconds, given_up and given_up.set, restarts=restarts)


def grow_old(running: Group, place: int) -> None:
    """Let a process have lived for long."""
    running._children[place]._began -= A_LIFE


def pauses(caplog: pytest.LogCaptureFixture) -> list[float]:
    return [record.args[-1] for record in caplog.records if "restarting it" in record.message]


def test_a_process_that_keeps_failing_takes_no_healthy_one_down(failing, healthy, given_up):
    running = group(given_up, healthy, failing)
    running.report_up()  # before the first failure, which would be final otherwise
    with running:
        healthy.wait_for_starts(1)
        failing.wait_for_starts(MANY)
        assert not given_up.is_set()
        assert healthy.runs()
    assert len(healthy.pids) == 1


def test_the_group_gives_up_when_all_keep_failing_and_no_sooner(tmp_path, given_up):
    first, second = (Child(tmp_path / name, "sleeps") for name in ("first", "second"))
    with group(given_up, first, second) as running:
        running.report_up()
        for child in (first, second):
            child.wait_for_starts(1)
            for _ in range(supervisor._MOST_FAILURES - 1):
                child.kill()
        first.kill()
        assert not given_up.is_set()
        os.kill(second.pids[-1], signal.SIGKILL)
        assert given_up.wait(PATIENCE)


def test_a_process_that_has_recovered_keeps_the_group_going(tmp_path, given_up):
    first, second = (Child(tmp_path / name, "sleeps") for name in ("first", "second"))
    with group(given_up, first, second) as running:
        running.report_up()
        for child in (first, second):
            child.wait_for_starts(1)
        for _ in range(supervisor._MOST_FAILURES):
            first.kill()
        grow_old(running, 0)
        for _ in range(MANY):
            second.kill()
        assert not given_up.is_set()


def test_a_group_is_ready_once_a_process_of_each_command_has_reported(tmp_path):
    reporting, other = (Child(tmp_path / name, "reports") for name in ("reporting", "other"))
    with group(None, reporting, reporting, other) as running:
        assert running.wait_until_ready(PATIENCE)
        assert reporting.pids
        assert other.pids


def test_a_process_that_was_restarted_reports_too(tmp_path):
    child = Child(tmp_path / "child", "reports")
    with group(None, child) as running:
        assert running.wait_until_ready(PATIENCE)
        child.kill()
        assert running.wait_until_ready(PATIENCE)
        assert len(child.pids) == 2


def test_nobody_waits_longer_than_asked_for_a_process_that_does_not_report(tmp_path):
    with group(None, Child(tmp_path / "reporting", "reports"), Child(tmp_path / "silent", "sleeps")) as running:
        assert not running.wait_until_ready(0.5)


def test_a_group_without_processes_is_ready():
    with group(None) as running:
        assert running.wait_until_ready(0)


def open_files() -> set[str]:
    return {entry.name for entry in Path("/proc/self/fd").iterdir()}


def test_the_pipes_of_a_group_are_closed_with_it(healthy):
    before = open_files()
    with group(None, healthy):
        healthy.wait_for_starts(1)
    assert open_files() <= before


def test_pauses_grow_up_to_a_limit_and_begin_anew_after_a_long_life(healthy, caplog):
    with group(None, healthy) as running, caplog.at_level(logging.ERROR):
        healthy.wait_for_starts(1)
        for _ in range(4):
            healthy.kill()
        assert pauses(caplog) == [0.01, 0.02, 0.04, 0.05]
        grow_old(running, 0)
        healthy.kill()
        healthy.kill()
        assert pauses(caplog)[4:] == [0.01, 0.02]


def test_one_that_fails_before_the_group_is_up_ends_it(failing, healthy, given_up):
    with group(given_up, healthy, failing):
        assert given_up.wait(PATIENCE)
    assert len(failing.pids) == 1


def test_without_restarts_any_end_is_final(healthy, given_up):
    with group(given_up, healthy, restarts=False) as running:
        running.report_up()
        healthy.wait_for_starts(1)
        os.kill(healthy.pids[0], signal.SIGKILL)
        assert given_up.wait(PATIENCE)
    assert len(healthy.pids) == 1


def test_a_group_that_never_gives_up_continues_whatever_fails(failing):
    with group(None, failing):
        failing.wait_for_starts(MANY)


def test_a_stop_ends_all_processes_and_starts_none_again(healthy, failing, tmp_path):
    stubborn = Child(tmp_path / "stubborn", "ignores-sigterm")
    with group(None, healthy, failing, stubborn, stop_seconds=0.2):
        for child in (healthy, failing, stubborn):
            child.wait_for_starts(1)
    assert not healthy.runs()
    assert not stubborn.runs()
    assert len(healthy.pids) == len(stubborn.pids) == 1


def test_a_stop_during_a_pause_starts_nothing_again(failing, monkeypatch, caplog):
    monkeypatch.setattr(supervisor, "_FIRST_PAUSE_SECONDS", A_LIFE)
    monkeypatch.setattr(supervisor, "_LONGEST_PAUSE_SECONDS", A_LIFE)
    with group(None, failing), caplog.at_level(logging.ERROR):
        wait_until(lambda: pauses(caplog), "the pause")
    assert pauses(caplog) == [A_LIFE]
    assert len(failing.pids) == 1


def full_machine(monkeypatch: pytest.MonkeyPatch, *refused: int) -> None:
    """Let the machine have no room for the launches with these numbers, from 1."""
    launch, launches = subprocess.Popen, []

    def launched(*arguments, **options):
        launches.append(arguments)
        if len(launches) in refused:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return launch(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", launched)


def test_a_launch_that_fails_is_tried_again(healthy, monkeypatch, caplog):
    full_machine(monkeypatch, 2, 3)
    with group(None, healthy), caplog.at_level(logging.ERROR):
        healthy.wait_for_starts(1)
        healthy.kill()
        assert healthy.runs()
    assert pauses(caplog) == [0.01, 0.02, 0.04]
    assert "Resource temporarily unavailable" in caplog.text


def test_a_first_launch_that_fails_is_a_failure_like_any_other(healthy, given_up, monkeypatch):
    full_machine(monkeypatch, 1)
    with group(None, healthy):
        healthy.wait_for_starts(1)
    full_machine(monkeypatch, 1)
    with group(given_up, healthy):
        assert given_up.wait(PATIENCE)
    assert len(healthy.pids) == 1
