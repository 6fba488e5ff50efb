"""A fixed numbering of the actions of a game, for learners that choose one of a finite number of actions.

A numbering belongs to a ruleset, for all options and numbers of seats. An action with thousands of forms (an écart, a
move with stops) is entered in several steps, each of them a number; ``Choices`` has the numbers that can come next.
Each action has exactly one spelling, so every legal action can be reached in exactly one way, and nothing else can.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Protocol, TypeAlias

from domain.registry import RULESETS
from domain.sequences import Joined, Unmade
from domain.serialization import Plain
from domain.table import Seat
from service.input.forms import action_of
from workers.bots.of_games import of_games
from workers.research.tables import NoSuchTable, Position

Spell: TypeAlias = Callable[[Any, Seat, int], tuple[str, ...]]
Word: TypeAlias = tuple[int, ...]

SPELLINGS = of_games("workers.research.spelling.{}")
"""For each ruleset, ``NAMES`` and ``spell``."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The numbers of a ruleset: each is the place of its name in ``names``."""

    names: tuple[str, ...]
    places: Mapping[str, int]
    """The number of each name."""
    spell: Spell

    @property
    def size(self) -> int:
        return len(self.names)

    def word(self, action: Any, seat: Seat, seats: int) -> Word:
        return tuple([self.places[name] for name in self.spell(action, seat, seats)])

    def choices(self, position: Position) -> "Choices":
        """Return the numbers that the seat to act can enter; none once the game is over."""
        seat, seats = position.seat, position.table.seats
        legal = position.legal_actions
        if seat is None:
            return Choices((), None, {})
        parts = legal.parts if isinstance(legal, Joined) else (legal,)
        runs = (self._run(part, seat, seats) for part in parts if part)
        return _choices((), runs)

    def action(self, position: Position, word: Word) -> Any:
        """Return the legal action that a word spells in a position; raise ``ValueError`` if there is none."""
        choices = self.choices(position)
        for number in word:
            choices = choices.after(number)
        if choices.action is None:
            raise ValueError(f"{self.spelled(word)} is only the beginning of an action")
        return choices.action

    def spelled(self, word: Word) -> str:
        return ", ".join(self.names[number] for number in word)

    def _run(self, legal: Sequence[Any], seat: Seat, seats: int) -> "_Run":
        if isinstance(legal, Unmade):
            return _Stretch(legal, lambda action: self.word(action, seat, seats), 0, len(legal))
        return _Listed([(_word(self, action, seat, seats), action) for action in legal])


def listed(view: Mapping[str, Plain]) -> dict[Word, Plain]:
    """Return the legal actions of a plain view, as clients post them, by their words.

    Raise ``ValueError`` if the view lists none: it is not the seat's turn, or there are too many to list.
    """
    legal = view.get("legal_actions") or {}
    if not legal.get("actions"):
        raise ValueError("the view lists no legal actions")
    ruleset, seat = RULESETS[view["game"]["ruleset"]], view["viewer"]["seat"]
    numbers, seats = numbering(ruleset.id), len(view["game"]["seats"])
    return {numbers.word(action_of(ruleset, action)[0], seat, seats): action for action in legal["actions"]}


@cache
def numbering(ruleset_id: str) -> Numbering:
    if ruleset_id not in SPELLINGS:
        known = ", ".join(SPELLINGS)
        raise NoSuchTable(f"the actions of {ruleset_id!r} have no numbers; those of these rulesets have: {known}")
    game = SPELLINGS[ruleset_id]
    return Numbering(game.NAMES, {name: number for number, name in enumerate(game.NAMES)}, game.spell)


@dataclass(frozen=True, slots=True)
class Choices:
    """The numbers that can be entered after ``entered``; or the ``action``, once it is complete."""

    entered: Word
    action: Any
    _branches: Mapping[int, "list[_Run]"]

    @property
    def numbers(self) -> list[int]:
        return sorted(self._branches)

    def after(self, number: int) -> "Choices":
        """Enter a number; raise ``ValueError`` if it cannot come next."""
        if number not in self._branches:
            raise ValueError(f"{number} cannot be entered now, but one of {self.numbers}")
        return _choices((*self.entered, number), self._branches[number])


class _Run(Protocol):
    """Legal actions that begin with the entered numbers."""

    def split(self, depth: int) -> "Iterable[tuple[int, _Run]]":
        """Group them by the number at a place."""

    def whole(self, depth: int) -> Any:
        """Return the action that has no more numbers; None if all of them have."""


def _choices(entered: Word, runs: "Iterable[_Run]") -> Choices:
    branches: dict[int, list[_Run]] = {}
    for run in runs:
        if (action := run.whole(len(entered))) is not None:
            return Choices(entered, action, {})
        for number, part in run.split(len(entered)):
            branches.setdefault(number, []).append(part)
    return Choices(entered, None, branches)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list of actions with their words."""

    items: list[tuple[Word, Any]]

    def split(self, depth: int) -> Iterator[tuple[int, "_Run"]]:
        parts: dict[int, list[tuple[Word, Any]]] = {}
        for item in self.items:
            parts.setdefault(item[0][depth], []).append(item)
        return ((number, _Listed(part)) for number, part in parts.items())

    def whole(self, depth: int) -> Any:
        word, action = self.items[0]
        return action if len(word) == depth else None


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Consecutive actions of a lazy sequence, in which those with the same beginning are neighbours."""

    actions: Sequence[Any]
    word: Callable[[Any], Word]
    begin: int
    end: int

    def split(self, depth: int) -> Iterator[tuple[int, "_Run"]]:
        begin = self.begin
        while begin < self.end:
            number = self._number(begin, depth)
            end = self._end(begin, number, depth)
            yield number, _Stretch(self.actions, self.word, begin, end)
            begin = end

    def whole(self, depth: int) -> Any:
        action = self.actions[self.begin]
        return action if len(self.word(action)) == depth else None

    def _end(self, begin: int, number: int, depth: int) -> int:
        """Find the end of the actions with this number at this place: in growing steps, then by bisection."""
        step = 1
        while begin + step < self.end and self._number(begin + step, depth) == number:
            begin, step = begin + step, 2 * step
        after = min(begin + step, self.end)
        while after - begin > 1:
            middle = (begin + after) // 2
            if self._number(middle, depth) == number:
                begin = middle
            else:
                after = middle
        return after

    def _number(self, index: int, depth: int) -> int:
        return self.word(self.actions[index])[depth]


@lru_cache(maxsize=1 << 16)
def _word(numbers: Numbering, action: Any, seat: Seat, seats: int) -> Word:
    return numbers.word(action, seat, seats)
