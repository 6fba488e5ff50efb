"""`plateau play` in a pseudo-terminal, whose screen can be read."""

import os
import re
import sys
import time
from collections.abc import Callable
from typing import Self

import pexpect
import pyte
from rich.cells import cell_len

from tests.support.server import PATIENCE, ROOT

_OVER = "/rematch starts another game"
_OWN = ("PLATEAU_", "LC_", "LANG", "NO_COLOR", "TERM")


class Terminal:
    """A terminal in which `plateau play` runs. `raw` is all that it has written, `widest` its widest line so far."""

    def __init__(self, url: str, *options: str, columns: int = 80, rows: int = 50, **environment: str) -> None:
        inherited = {name: text for name, text in os.environ.items() if not name.startswith(_OWN)}
        self.raw = ""
        self.widest = 0
        self._screen = pyte.Screen(columns, rows)
        self._screen.write_process_input = self._send
        self._stream = pyte.Stream(self._screen)
        self._process = pexpect.spawn(
            sys.executable,
            ["-m", "service.cli.main", "play", "--url", url, "--pace", "0", *options],
            cwd=str(ROOT),
            env={**inherited, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
            dimensions=(rows, columns),
            encoding="utf-8",
            timeout=PATIENCE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close(force=True)

    @property
    def lines(self) -> list[str]:
        """The lines on the screen that are not empty."""
        return [line.rstrip() for line in self._screen.display if line.strip()]

    @property
    def hint(self) -> str:
        """The last line: what can be done."""
        return self.lines[-1] if self.lines else ""

    @property
    def text(self) -> str:
        """All that stands on the screen."""
        return "\n".join(self.lines)

    def _send(self, data: str) -> None:
        self._process.send(data)

    def type(self, text: str) -> None:
        """Type text, without Enter."""
        self._send(text)

    def enter(self, text: str = "") -> None:
        """Type a line."""
        self._send(f"{text}\r")

    def resize(self, columns: int) -> None:
        """Change the width of the terminal, and clear it."""
        self._process.setwinsize(self._screen.lines, columns)
        self._screen.resize(columns=columns)
        self._screen.reset()
        self.widest = 0

    def wait(self, seen: Callable[[], object], what: str) -> None:
        """Read what comes until something is seen."""
        deadline = time.monotonic() + PATIENCE
        while not seen():
            assert time.monotonic() < deadline, f"still waiting for {what}:\n{self.text}"
            assert self.read() or seen(), f"ended while waiting for {what}:\n{self.text}"

    def see(self, text: str) -> None:
        """Wait until a text stands on the screen."""
        self.wait(lambda: text in self.text, text)

    def see_turn(self) -> None:
        """Wait until the player can choose; of a single choice, the terminal only asks for Enter."""
        self.wait(lambda: "Your turn" in self.text or "Enter: " in self.text, "the player's turn")

    def read(self) -> bool:
        """Read what has come; return whether more can come."""
        try:
            piece = self._process.read_nonblocking(65536, timeout=0.05)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += piece
        self._stream.feed(piece)
        self.widest = max([self.widest, *(cell_len(line) for line in self.lines if "PLATEAU_TOKEN=" not in line)])
        return True

    def ended(self) -> int:
        """Wait for the end, and return the exit code."""
        while self.read():
            pass
        self._process.wait()
        code: int = self._process.exitstatus
        return code


def turn(terminal: Terminal) -> bool:
    """Say whether the game waits for the player, or is over."""
    return terminal.hint.startswith(("Your turn", "Enter:", _OVER))


def played(terminal: Terminal) -> set[str]:
    """Play to the end, always with the first number of the list; return the titles of the tables that were drawn."""
    deadline = time.monotonic() + 4 * PATIENCE
    while time.monotonic() < deadline:
        terminal.wait(lambda: turn(terminal), "the player's turn")
        if terminal.hint.startswith(_OVER):
            return {*re.findall(r"─\r?\n([^\x1b\r\n]+)", re.sub(r"\x1b\[[\d;]*m", "", terminal.raw))}
        before = len(terminal.raw)
        terminal.enter("" if terminal.hint.startswith("Enter:") else "1")
        terminal.wait(lambda: len(terminal.raw) > before, "what follows")  # noqa: B023 - used at once
    raise AssertionError("the game does not end")
