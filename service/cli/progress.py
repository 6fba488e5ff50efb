"""How far a long command is, on a terminal."""

import sys
import time

_SECONDS = 0.2


class Progress:
    """Shows a number in a line that is rewritten a few times a second; nothing unless a person is watching."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._shown = time.monotonic() if sys.stderr.isatty() else float("inf")

    def show(self, number: int) -> None:
        """Show the number in the words."""
        if time.monotonic() - self._shown > _SECONDS:
            self._shown = time.monotonic()
            sys.stderr.write(f"\r{self._words.format(number)}\r")
            sys.stderr.flush()
