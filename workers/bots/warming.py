"""Kernels are compiled beside the work: another process compiles them into a folder, and this one loads them.

The other process has a low priority and ends with this one; ``plateau warm`` can do its work in advance. Until the code
is loaded, and if anything fails, the plain source makes the same moves.
"""

import importlib
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from workers.bots import compiled

POLICIES = ("workers.bots.greedy", "workers.bots.searcher")
"""The modules that import all kernels."""

_log = logging.getLogger("plateau.bots")


class Warming:
    """The change of a process from plain to compiled kernels, which begins when this object is created."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: compiled.Twins | None = None
        threading.Thread(target=self._load, daemon=True).start()

    def adopt(self) -> None:
        """Run the compiled kernels from now on, if they are ready; call it between two moves."""
        if self._loaded is not None:
            compiled.adopt(self._loaded)
            self._loaded = None

    def _load(self) -> None:
        try:
            place = place_of(self._folder)
            if place is not None and (compiled.is_complete(place) or _compiled_by_another(self._folder)):
                self._loaded = compiled.prepared(self._folder)
        except Exception:  # noqa: BLE001 - bots play on, as they did
            _log.warning("compiled bots cannot be used; they play on without", exc_info=True)


def place_of(folder: Path) -> Path | None:
    """Return where in a folder all compiled kernels are cached; None if nothing can be compiled or cached."""
    for module in POLICIES if compiled.is_installed() else ():
        importlib.import_module(module)
    return compiled.place_in(folder)


def _compiled_by_another(folder: Path) -> bool:
    """Let another process compile all kernels; return whether it has."""
    command = [sys.executable, "-m", "workers.bots.warming", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:  # noqa: S603 - this program itself
        status = process.wait()
    if status:
        _log.warning("bots cannot be compiled (status %s); they play on without", status)
    return status == 0


def main() -> None:
    """Compile all kernels into a folder; end early if the process that started this one ends."""
    os.nice(10)
    threading.Thread(target=_end_with_input, daemon=True).start()
    folder = Path(sys.argv[1])
    if place_of(folder) is None:
        sys.exit(1)
    compiled.prepared(folder)


def _end_with_input() -> None:
    # Nothing is ever written there; a buffered read would hold a lock when the process ends.
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    main()
