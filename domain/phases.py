"""Games in phases: the current phase answers every question about a state."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from domain.errors import Refusals
from domain.sentences.catalogue import SHARED
from domain.sentences.message import AtSeat
from domain.table import Seat
from domain.wellformed import check_action


class InPhase(Protocol):
    """A state that names its phase."""

    @property
    def phase(self) -> str:
        """Return the name of the phase."""


StateT = TypeVar("StateT", bound=InPhase)
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True)
class Phase(Generic[StateT, ActionT, EventT]):
    """The questions that a phase answers, and the section of its rules."""

    rule: str
    actors: Callable[[StateT], frozenset[Seat]]
    legal_actions: Callable[[StateT, Seat], Sequence[ActionT]]
    decide: Callable[[StateT, Seat, ActionT], list[EventT]]
    settle: Callable[[StateT], list[EventT]]


@dataclass(frozen=True, slots=True)
class Phases(Generic[StateT, ActionT, EventT]):
    """The phases in which seats act, by name, and the ``actions`` of the game.

    Refusals outside of these phases cite ``rule``.
    """

    actions: Mapping[str, type]
    table: Mapping[str, Phase[StateT, ActionT, EventT]]
    rule: str

    def to_act(self, state: StateT) -> frozenset[Seat]:
        """Return the seats that can act now: none while the rules force something, or once the game is over."""
        phase = self.table.get(state.phase)
        return phase.actors(state) if phase else frozenset()

    def legal_actions(self, state: StateT, seat: Seat) -> Sequence[ActionT]:
        """List every legal action of a seat."""
        return self.table[state.phase].legal_actions(state, seat) if seat in self.to_act(state) else ()

    def decide(self, state: StateT, seat: Seat, action: ActionT) -> list[EventT]:
        """Return the events that say what the player did; raise ``IllegalAction``."""
        phase = self.table.get(state.phase)
        rule = phase.rule if phase else self.rule
        check_action(self.actions, seat, action, rule)
        if phase is None or seat not in self.to_act(state):
            raise Refusals(SHARED)("not-your-turn", rule, seat=AtSeat(seat))
        return phase.decide(state, seat, action)

    def settle(self, state: StateT) -> list[EventT]:
        """Return the events that the phase forces now; none outside of these phases."""
        phase = self.table.get(state.phase)
        return phase.settle(state) if phase else []
