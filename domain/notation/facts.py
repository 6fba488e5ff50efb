"""Comparing the facts that a text states with those by the rules (docs/notation.md).

A text need not state such facts. Those that it states must be right, and must follow what they result from.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from domain.notation.lexer import Lexer, Word
from domain.phases import InPhase
from domain.table import Seat

EventT = TypeVar("EventT")
StateT = TypeVar("StateT")


class Consequences:
    """The ``events`` since the last action, and those ``left`` that the text has not stated."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self.events: tuple[object, ...] = ()
        self.left: list[object] = []

    def happened(self, events: Iterable[object]) -> None:
        """Record the consequences of an action, or of a deal."""
        self.events = tuple(events)
        self.left = list(self.events)

    def pick(self, word: Word, kind: type[EventT], rule: str) -> EventT:
        """Return the first event of a kind; each can be stated once."""
        event = next((each for each in self.left if isinstance(each, kind)), None)
        if event is None:
            raise word.wrong(f"{word} does not fit: nothing of that kind has just happened", rule)
        self.left.remove(event)
        return event

    def compare(self, true: Iterable[str], rule: str) -> None:
        """Compare the next words with what they must be, in any order."""
        left = list(true)
        for _ in range(len(left)):
            word = self.lexer.take()
            fitting = next((each for each in left if each.lower() == word.text.lower()), None)
            if fitting is None:
                raise word.wrong(f"{word} does not belong here; by the rules: {' '.join(left)}", rule)
            left.remove(fitting)

    def compare_in_order(self, true: Iterable[object], rule: str) -> None:
        """Compare the next words with what they must be, one by one; a number can have a plus sign."""
        for each in true:
            word = self.lexer.take()
            if word.text.lower().removeprefix("+") != str(each):
                raise word.wrong(f"by the rules it is {each}, not {word}", rule)

    def compare_result(self, written: Word, result_of: Callable[[object], object | None], rule: str) -> None:
        """Compare what stands after ``=`` with the first event that has such a result."""
        true = next((result for result in map(result_of, self.left) if result is not None), None)
        if true is None:
            raise written.wrong("nothing follows from this yet: leave out the = and what stands after it", rule)
        if written.text != str(true):
            raise written.wrong(f"by the rules it is ={true}", rule)


Fact: TypeAlias = Callable[[Consequences, Word, StateT], Seat | None]
"""Compares the fact that begins with a word, in a state; returns the seat that it belongs to, None if to no seat."""


def _nothing(_event: object) -> tuple[str, ...]:
    return ()


def _no_seat(_event: object) -> None:
    return None


def happened(
    kind: type[EventT],
    rule: str,
    *,
    in_order: Callable[[EventT], Iterable[object]] = _nothing,
    in_any_order: Callable[[EventT], Iterable[str]] = _nothing,
    of: Callable[[EventT], Seat | None] = _no_seat,
) -> Fact[object]:
    """Return the fact that an event of a kind has just happened, with the words that describe it and its seat."""

    def check(since: Consequences, word: Word, _state: object) -> Seat | None:
        event = since.pick(word, kind, rule)
        since.compare_in_order(in_order(event), rule)
        since.compare(in_any_order(event), rule)
        return of(event)

    return check


class Tricks(Protocol):
    """A table at which tricks are played."""

    @property
    def trick(self) -> Sequence[object]:
        """Return the cards of the trick that lies there."""

    @property
    def tricks(self) -> Sequence[object]:
        """Return the tricks of the hand that are full."""


class OfTricks(InPhase, Protocol):
    """A state of a game of tricks."""

    @property
    def table(self) -> Tricks:
        """Return what lies on the table."""


def trick_number(rule: str) -> Fact[OfTricks]:
    """Return the fact that a trick begins, such as ``#3``."""

    def check(_since: Consequences, word: Word, state: OfTricks) -> None:
        table = state.table
        if state.phase != "play" or table.trick:
            raise word.wrong(f"no trick begins here: {word} does not fit", rule)
        if word.text != f"#{len(table.tricks) + 1}":
            raise word.wrong(f"trick #{len(table.tricks) + 1} begins here, not {word}", rule)

    return check
