"""How a ruleset writes its games as text and reads them, between the header and the result (docs/notation.md)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.notation.lexer import Words
from domain.notation.replay import Replay


@dataclass(frozen=True, slots=True)
class Notation:
    """The two directions.

    ``write`` turns options and the ruleset's events, as the interface shows them to a viewer, into lines; what is
    hidden is ``?``. ``read`` reads words while there are more, and has them played; it raises ``NotationError`` at the
    first fault.
    """

    write: Callable[[Any, Sequence[Mapping[str, Any]]], Iterator[str]]
    read: Callable[[Replay, Words], None]
