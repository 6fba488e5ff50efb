"""The dispatcher and the workers that ``plateau serve`` starts: processes of its own, begun again when they end."""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from service.engine import die_with_parent

_log = logging.getLogger("plateau.start")

_STOP_SECONDS = 8.0
_PAUSE_SECONDS = 1.0
_SHORT_LIFE_SECONDS = 5.0


@contextmanager
def crew(workers: int, redis_url: str) -> Iterator[None]:
    """Run a dispatcher and so many workers until the block ends; none at all for 0."""
    environ = os.environ | {"REDIS_URL": redis_url}
    hands = [_Hand(command, environ) for command in ["dispatch", *["worker"] * workers]] if workers else []
    started: list[_Hand] = []
    try:
        for hand in hands:
            hand.start()
            started.append(hand)
        yield
    finally:
        deadline = time.monotonic() + _STOP_SECONDS
        for hand in started:
            hand.ask_to_stop()
        for hand in started:
            hand.stop(deadline)


class _Hand:
    """One process, which is begun again whenever it ends by itself."""

    def __init__(self, command: str, environ: dict[str, str]) -> None:
        self._command = command
        self._environ = environ
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes]
        self._turn = threading.Lock()

    def start(self) -> None:
        """Start the process, and watch it."""
        self._launch()
        threading.Thread(target=self._watch, name=f"watch {self._command}", daemon=True).start()

    def ask_to_stop(self) -> None:
        """Ask the process to finish what it does."""
        self._stopping.set()
        with self._turn:
            self._process.terminate()

    def stop(self, deadline: float) -> None:
        """Wait for the process until a point in time, then end it; what it was at is found again."""
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            _log.warning("%s has not stopped in time, and is killed", self._command)
            self._process.kill()
            self._process.wait()

    def _launch(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "workers", self._command],
            stdin=subprocess.DEVNULL,
            env=self._environ,
            start_new_session=True,  # Ctrl-C in the terminal is for the service, which stops its crew itself
            preexec_fn=partial(die_with_parent, os.getpid()),  # noqa: PLW1509 - no locks in there
        )

    def _watch(self) -> None:
        while True:
            began = time.monotonic()
            code = self._process.wait()
            if self._stopping.wait(_PAUSE_SECONDS if time.monotonic() - began < _SHORT_LIFE_SECONDS else 0):
                return
            _log.error("%s ended by itself (exit code %d); starting it again", self._command, code)
            with self._turn:
                if self._stopping.is_set():
                    return
                self._launch()
