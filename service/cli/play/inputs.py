"""What the terminal is asked for: a line, or news that ends the wait for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Something has happened while the player was typing; ``typed`` is the text in the line."""

    typed: str


class Leave(Exception):
    """The player has closed the terminal, or ended the input."""


Meaning = Callable[[str], str]
"""Says what typed text would do."""


class Input(Protocol):
    """Where the player's lines come from."""

    def line(self, mark: str, typed: str, meaning: Meaning, words: Sequence[str], keys: bool) -> str | Interrupted:
        """Wait for a line, or for ``interrupt``. Ctrl-C raises KeyboardInterrupt, the end of the input Leave."""

    def interrupt(self) -> None:
        """End the wait for a line from another thread, now or when it begins."""
