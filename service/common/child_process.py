"""Child processes that end with the process that started them, however that one ends, and report to it."""

import ctypes
import os
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
REPORTS = "PLATEAU_REPORTS"
"""The variable that tells a process how to report: a pipe, and the number of the process."""

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(parent: int | None = None, by: signal.Signals = signal.SIGKILL) -> None:
    """Ask the kernel to end this process, with the signal `by`, as soon as its parent is dead (Linux only).

    `parent` is the expected process id of the parent: if the parent is already dead, this process ends at once.
    """
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, int(by))
        if parent is not None and os.getppid() != parent:
            os._exit(1)


def report_ready() -> None:
    """Report, to the process that started this one, that this one is ready for its work; once, and if it listens."""
    pipe, _, number = os.environ.pop(REPORTS, "").partition(" ")
    if pipe:
        with suppress(OSError):
            os.write(int(pipe), bytes([int(number)]))
            os.close(int(pipe))
