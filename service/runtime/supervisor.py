"""Supervise the processes that ``plateau serve`` starts: restart each that ends unexpectedly, after a growing pause.

A process that keeps failing never stops its healthy siblings. A group gives up only when all of its processes have
failed several times in a row, or when one of them fails before the group has ever served.
"""

import logging
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Self

from service.common.child_process import REPORTS, die_with_parent

_log = logging.getLogger("plateau.start")

_SHORT_LIFE_SECONDS = 5.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.25, 30.0
_MOST_FAILURES = 5
"""A group gives up when each of its processes has failed this often in a row, each time after a short life."""


class Group:
    """Processes with the same purpose, which run for the duration of a ``with`` block.

    ``commands`` are the arguments of ``python -m`` for each process. At the end, all get SIGTERM and then have
    ``stop_seconds`` to finish. The group calls ``give_up`` when it can no longer serve; without ``give_up``, it keeps
    restarting. Without ``restarts``, the group can no longer serve as soon as one process ends.
    """

    def __init__(
        self,
        commands: Sequence[Sequence[str]],
        environ: Mapping[str, str],
        stop_seconds: float,
        give_up: Callable[[], None] | None = None,
        *,
        restarts: bool = True,
    ) -> None:
        self._reports, self._reporting = os.pipe()
        self._children = [
            _Child(command, {**environ, REPORTS: f"{self._reporting} {number}"}, self._reporting, self._failed)
            for number, command in enumerate(commands)
        ]
        self._stop_seconds = stop_seconds
        self._give_up = give_up
        self._restarts = restarts
        self._is_up = False

    def __enter__(self) -> Self:
        try:
            for child in self._children:
                child.start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stop()

    def report_up(self) -> None:
        """Record that the group serves: from now on, a single process that fails is only restarted."""
        self._is_up = True

    def wait_until_ready(self, seconds: float) -> bool:
        """Wait until a process of each command has reported that it is ready; return whether that was in time."""
        missing, deadline = {child.command for child in self._children}, time.monotonic() + seconds
        while missing and select.select([self._reports], [], [], max(0.0, deadline - time.monotonic()))[0]:
            missing -= {self._children[number].command for number in os.read(self._reports, 256)}
        return not missing

    def _failed(self) -> bool:
        """Return whether to restart a child that has failed."""
        is_useful = self._restarts and self._is_up and not all(child.keeps_failing for child in self._children)
        if is_useful or self._give_up is None:
            return True
        self._give_up()
        return False

    def _stop(self) -> None:
        deadline = time.monotonic() + self._stop_seconds
        for child in self._children:
            child.ask_to_stop()
        for child in self._children:
            child.stop(deadline)
        for end in (self._reports, self._reporting):
            os.close(end)


class _Child:
    """One process, which can report on a pipe; after each failure, ``failed`` decides whether to restart it."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], reporting: int, failed: Callable[[], bool]
    ) -> None:
        self.command = tuple(command)
        self._failures = 0
        self._began = 0.0
        self._environ = environ
        self._reporting = reporting
        self._failed = failed
        self._stopping = threading.Event()
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def keeps_failing(self) -> bool:
        """Return whether the process has failed too often in a row and has not run for long since."""
        is_well = self._lives() and time.monotonic() - self._began >= _SHORT_LIFE_SECONDS
        return self._failures >= _MOST_FAILURES and not is_well

    def _lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process and watch it."""
        self._launch()
        threading.Thread(target=self._watch, name=f"watch {self.command}", daemon=True).start()

    def ask_to_stop(self) -> None:
        """Ask the process to finish its current work and end."""
        self._stopping.set()
        with self._turn:
            if self._process is not None:
                self._process.terminate()

    def stop(self, deadline: float) -> None:
        """Wait for the process until a point in time, then kill it."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            _log.warning("%s did not stop in time; killing it", " ".join(self.command))
            self._process.kill()
            self._process.wait()

    def _launch(self) -> None:
        """Start the process; if the machine cannot start it, ``_process`` is None."""
        self._began = time.monotonic()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", *self.command],
                stdin=subprocess.DEVNULL,
                env=self._environ,
                pass_fds=(self._reporting,),
                start_new_session=True,  # Ctrl-C in the terminal is for the service, which stops its children itself
                preexec_fn=partial(die_with_parent, os.getpid()),  # noqa: PLW1509 - no locks in there
            )
        except OSError as error:
            self._process = None
            _log.error("%s cannot be started: %s", " ".join(self.command), error)

    def _wait(self) -> str:
        """Wait until the process ends, and describe how it ended."""
        if self._process is None:
            return "was not started"
        return f"ended unexpectedly (exit code {self._process.wait()})"

    def _watch(self) -> None:
        while True:
            end = self._wait()
            had_short_life = time.monotonic() - self._began < _SHORT_LIFE_SECONDS
            self._failures = self._failures + 1 if had_short_life else 1
            if self._stopping.is_set() or not self._failed():
                return
            pause = min(_FIRST_PAUSE_SECONDS * 2 ** (self._failures - 1), _LONGEST_PAUSE_SECONDS)
            _log.error("%s %s; restarting it in %.2g s", " ".join(self.command), end, pause)
            if self._stopping.wait(pause):
                return
            with self._turn:
                if self._stopping.is_set():
                    return
                self._launch()
