"""How a ruleset writes and reads its games as text, between the header and the result (docs/notation.md)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from domain.log.record import Shown
from domain.notation.lexer import Lexer
from domain.notation.replay import Replay

OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Notation(Generic[OptionsT, StateT]):
    """The two directions.

    ``write`` turns options and the ruleset's events, as the API shows them to a viewer, into lines; what is hidden is
    ``?``. ``read`` reads all words of a game and plays them again; it raises ``NotationError`` at the first fault.
    """

    write: Callable[[OptionsT, Sequence[Shown]], Iterator[str]]
    read: Callable[[Replay[StateT], Lexer], None]
