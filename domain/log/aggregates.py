"""What has a log of its own beside games, such as a deal set: recorded and folded as games are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, ClassVar, Protocol, TypeVar

from domain.log import chain
from domain.log.record import Record, Writer
from domain.log.secrets import Secrets
from domain.serialization import Plain, from_plain


class Aggregate(Protocol):
    """A frozen dataclass after ``version`` events, the last one with the hash ``head``."""

    EVENTS: ClassVar[Mapping[str, type]]
    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def head(self) -> str: ...

    @property
    def at(self) -> str: ...

    @property
    def secrets(self) -> Secrets:
        """Return what seals the hidden parts of the log."""


AggregateT = TypeVar("AggregateT", bound=Aggregate)


def record(
    before: AggregateT | None,
    step: tuple[Sequence[object], AggregateT],
    at: str,
    request: str,
    canonical: Callable[[Plain], bytes] = chain.canonical,
) -> tuple[list[Record], AggregateT]:
    """Write what was decided as records; return them, and the aggregate with its head and time moved on."""
    events, after = step
    version, head = (before.version, before.head) if before else (0, chain.GENESIS)
    names = {cls: name for name, cls in after.EVENTS.items()}
    named = [(names[type(event)], event) for event in events]
    records = Writer(after.secrets, version, head, canonical).write(named, at, request)
    return records, replace(after, head=records[-1].hash, at=at)


def fold(
    records: Iterable[Record],
    aggregate: Callable[[str, Any], AggregateT],
    events: Mapping[str, type],
    evolve: Callable[[AggregateT, object], AggregateT],
) -> AggregateT:
    """Fold a whole log; ``aggregate`` begins one from its id and its first event."""
    first, *others = records
    born = aggregate(first.game_id, from_plain(events[first.type], first.whole_data()))
    after = reduce(evolve, (from_plain(events[each.type], each.whole_data()) for each in others), born)
    last = others[-1] if others else first
    return replace(after, head=last.hash, at=last.at)
