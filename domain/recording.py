"""What an ``evolve`` is made of: a table of what each kind of event changes in the state. Nothing here judges.

A ruleset whose state has parts (the story of a hand, the cards on the table) lists the events that change one of them,
each with a function from the part and the event to the fields that change.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from domain.serialization import changed

T = TypeVar("T")
EventT = TypeVar("EventT")
PartT = TypeVar("PartT")
StateT = TypeVar("StateT")

Recorder: TypeAlias = Callable[[StateT, Any], StateT]
"""Returns the state with an event recorded, of the kind that it is listed under."""


def recorded_by(table: Mapping[type, Recorder[StateT]]) -> Recorder[StateT]:
    """Return the function that records every event as the table says for its kind."""

    def evolve(state: StateT, event: object) -> StateT:
        return table[type(event)](state, event)

    return evolve


@dataclass(frozen=True, slots=True)
class Part(Generic[StateT, PartT]):
    """A part of the state, by the name of the field that holds it."""

    name: str

    def changed(self, state: StateT, **changes: object) -> StateT:
        """Return the state with some fields of this part changed."""
        return changed(state, **{self.name: changed(getattr(state, self.name), **changes)})

    def on(
        self, kind: type[EventT], changes: Callable[[PartT, EventT], Mapping[str, object]]
    ) -> dict[type, Recorder[StateT]]:
        """Return an entry of a table of recorders: what an event of a kind changes in this part."""
        name = self.name

        def record(state: StateT, event: EventT) -> StateT:
            part = getattr(state, name)
            return changed(state, **{name: changed(part, **changes(part, event))})

        return {kind: record}


def unchanged(state: StateT, _event: object) -> StateT:
    """Record an event that changes nothing in the state."""
    return state


def hidden() -> Any:
    """Declare a field that is empty at first, and that no repr shows."""
    return field(default=(), repr=False)


def replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Return a tuple with another item at an index."""
    return (*items[:index], item, *items[index + 1 :])
