"""Playing a game again from its text: the rules decide and settle its actions, the text supplies its draws.

A ruleset's reader of texts drives the replay, and reports where the text and the rules differ.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NoReturn, Protocol, TypeVar

from domain.chance import Chance, Draws
from domain.table import Seat

T = TypeVar("T")
StateT = TypeVar("StateT")


class Rules(Protocol[StateT]):
    """The part of a ruleset that playing needs (``domain.ruleset.Ruleset``)."""

    def setup(self, options: object, seats: int, /) -> StateT:
        """Return the state before anything is dealt."""

    def to_act(self, state: StateT, /) -> frozenset[Seat]:
        """Return the seats that can act now."""

    @property
    def events(self) -> Mapping[str, type]:
        """Return the classes of the events, by their types."""

    @property
    def deals(self) -> frozenset[str]:
        """Return the types of the events with which a deal begins."""

    def waiting_for(self, state: StateT, /) -> frozenset[Seat]:
        """Return the seats to act that the game waits for."""

    def decide(self, state: StateT, seat: Seat, action: object, /) -> Sequence[object]:
        """Return the events that say what the player did."""

    def settle(self, state: StateT, chance: Chance, /) -> Sequence[object]:
        """Return the events that the rules force now."""

    def evolve(self, state: StateT, event: object, /) -> StateT:
        """Record an event."""


class Replay(Generic[StateT]):
    """A game as far as its text has been read: its state, and all its events.

    ``draws`` is the true source of the draws, where its secret is known, but for the first ``copied`` events, which a
    fork repeats; ``report`` receives a sentence for each part of the game that has been read.
    """

    def __init__(
        self,
        rules: Rules[StateT],
        options: object,
        seats: int,
        draws: Draws | None,
        report: Callable[[str], None],
        copied: int = 0,
    ) -> None:
        self.seats = seats
        self._draws = draws
        self._copied = copied
        self._starts = {rules.events[name] for name in rules.deals}
        self.report = report
        self.state = rules.setup(options, seats)
        self.events: list[object] = []
        self.has_draws = False
        """Whether the rules have drawn anything so far that is not copied."""
        self._rules = rules
        self.record(())

    @property
    def chance(self) -> Chance | None:
        """Return the true source of the draws of the next deal, if it is known."""
        if self._is_copied or self._draws is None:
            return None
        return self._draws.of_deal(1 + sum(type(event) in self._starts for event in self.events))

    @property
    def _is_copied(self) -> bool:
        return len(self.events) < self._copied

    @property
    def to_act(self) -> list[Seat]:
        """List the seats that can act."""
        return sorted(self._rules.to_act(self.state))

    @property
    def turn(self) -> Seat | None:
        """Return the seat in turn: the first that the game waits for, None if it waits for no seat."""
        return min(self._rules.waiting_for(self.state), default=None)

    def act(self, seat: Seat, action: object) -> Sequence[object]:
        """Carry out an action and all that it forces, up to the next draw; raise ``IllegalAction``."""
        return self.record(self._rules.decide(self.state, seat, action))

    def drawn(self, chance: Chance) -> Sequence[object]:
        """Return the events that a draw would bring now, without recording them."""
        return self._rules.settle(self.state, chance)

    def record(self, events: Sequence[object]) -> Sequence[object]:
        """Record events and all that they force, up to the next draw; return all of them."""
        before = len(self.events)
        self._record(events)
        while forced := self._forced():
            self._record(forced)
        return self.events[before:]

    def _forced(self) -> Sequence[object]:
        try:
            return self._rules.settle(self.state, _NO_DRAWS)
        except _DrawWanted:
            self.has_draws = self.has_draws or not self._is_copied
            return ()

    def _record(self, events: Sequence[object]) -> None:
        for event in events:
            self.state = self._rules.evolve(self.state, event)
            self.events.append(event)


class _DrawWanted(Exception):
    """The rules need a draw, which only the text can supply."""


@dataclass(frozen=True, slots=True)
class _NoDraws(Chance):
    def below(self, *_: object, **__: object) -> NoReturn:
        raise _DrawWanted

    def permutation(self, *_: object, **__: object) -> NoReturn:
        raise _DrawWanted


@dataclass(frozen=True, slots=True)
class _Unshuffled(Chance):
    number: int

    def below(self, *_: object, **__: object) -> int:
        return self.number

    def permutation(self, _label: str, _number: int, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items)


_NO_DRAWS = _NoDraws(b"", "", ())


def unshuffled(number: int) -> Chance:
    """Return a source of draws that shuffles nothing and draws one number, so that a deal shows its form."""
    return _Unshuffled(b"", "", (), number)
