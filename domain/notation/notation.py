"""How a ruleset writes and reads its games as text, between the header and the result (docs/notation.md)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.notation.lexer import Lexer
from domain.notation.replay import Replay


@dataclass(frozen=True, slots=True)
class Notation:
    """The two directions.

    ``write`` turns options and the ruleset's events, as the API shows them to a viewer, into lines; what is hidden is
    ``?``. ``read`` reads all words of a game and plays them again; it raises ``NotationError`` at the first fault.
    """

    write: Callable[[Any, Sequence[Mapping[str, Any]]], Iterator[str]]
    read: Callable[[Replay, Lexer], None]
