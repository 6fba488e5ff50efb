"""The hashes that are kept of a golden game: of every event, and in a chosen few games of all views of every state."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from domain.log.chain import canonical
from domain.ruleset import AnyRuleset
from domain.serialization import to_plain


def event_lines(ruleset: AnyRuleset, events: Sequence[Any]) -> list[str]:
    """Return a line for each event: its number, type and hash."""
    names = {cls: name for name, cls in ruleset.events.items()}
    named = [(names[type(event)], event) for event in events]
    return [f"{number} {name} {_hash([name, to_plain(event)])}" for number, (name, event) in enumerate(named, start=1)]


def view_lines(ruleset: AnyRuleset, options: Any, seats: int, events: Sequence[Any]) -> Iterator[str]:
    """Yield a line for each event: its number, and the hash of the views that all viewers have after it."""
    state = ruleset.setup(options, seats)
    for number, event in enumerate(events, start=1):
        state = ruleset.evolve(state, event)
        views = [ruleset.project(state, viewer) for viewer in (None, *range(seats))]
        yield f"{number} {_hash(to_plain(views))}"


def _hash(value: Any) -> str:
    return sha256(canonical(value)).hexdigest()[:8]
