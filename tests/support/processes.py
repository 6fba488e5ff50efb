"""Processes of the tests that can be paused and killed, and end with the tests."""

import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO

from service.common.child_process import die_with_parent

PATIENCE = 60.0
"""In seconds: how long something may take before a test fails."""


def launched(
    command: Sequence[str | Path],
    out: IO[bytes],
    err: IO[bytes],
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a process that ends with the tests, and hears signals that tests in the background ignore."""
    begin = partial(_begin, os.getpid())
    return subprocess.Popen(command, cwd=cwd, env=env, stdout=out, stderr=err, preexec_fn=begin)  # noqa: PLW1509 - takes no lock


def _begin(parent: int) -> None:
    die_with_parent(parent)
    for heard in (signal.SIGHUP, signal.SIGINT):
        signal.signal(heard, signal.SIG_DFL)


class Child:
    """A process that can be started again and again; what it says is added to the file ``log``."""

    def __init__(
        self, command: Sequence[str | Path], log: Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> None:
        self.log = log
        self._command = command
        self._env = env
        self._cwd = cwd
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    def launch(self) -> None:
        """Start it, without waiting for anything."""
        with self.log.open("ab") as log:
            self._process = launched(self._command, log, log, self._env, self._cwd)

    def pause(self) -> None:
        """Let it do nothing until `resume`; its connections stay open, and the kernel takes what is sent to it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it continue after `pause`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def is_running(self) -> bool:
        """Return whether it has been started, and has not ended."""
        return self._process is not None and self._process.poll() is None

    def has_ended(self) -> bool:
        """Return whether it has ended by itself."""
        return self._process is not None and self._process.poll() is not None

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        self.end(signal.SIGKILL)

    def wait(self) -> int:
        """Wait until it ends by itself, and give its exit code."""
        assert self._process is not None
        return self._process.wait(PATIENCE)

    def end(self, by: signal.Signals) -> int:
        """End it, and give its exit code; 0 if it does not run."""
        if self._process is None:
            return 0
        self._process.send_signal(by)
        code, self._process = self._process.wait(PATIENCE), None
        return code


_MOST_HELD = 256


_held: deque[int] = deque()
"""Descriptors of the sockets that hold the latest ports: at the end, an object would warn that it is not closed."""


def free_port() -> int:
    """Return a TCP port that nothing listens on.

    On Linux, this process holds its latest ports, without listening: the kernel gives them to nobody who asks for any
    port, and a server that names one gets it, again and again. Otherwise somebody could take the port of a server that
    was killed, before it is back.
    """
    holder = socket.socket()
    if sys.platform == "linux":
        for shared in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            holder.setsockopt(socket.SOL_SOCKET, shared, 1)
    holder.bind(("127.0.0.1", 0))
    port: int = holder.getsockname()[1]
    if sys.platform != "linux":
        holder.close()
        return port
    _held.append(holder.detach())
    if len(_held) > _MOST_HELD:
        os.close(_held.popleft())
    return port
