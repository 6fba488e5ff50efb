"""What is kept of every step of a golden game: hashes of the event, and of the state after it as all viewers see it."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from domain.log.chain import canonical
from domain.ruleset import AnyRuleset
from domain.serialization import to_plain


def hash_lines(ruleset: AnyRuleset, options: Any, seats: int, events: Sequence[Any]) -> Iterator[str]:
    """Give a line for each event of the ruleset: its number, type, and the two hashes."""
    names = {cls: name for name, cls in ruleset.events.items()}
    state = ruleset.setup(options, seats)
    for number, event in enumerate(events, start=1):
        state = ruleset.evolve(state, event)
        views = [ruleset.project(state, viewer) for viewer in (None, *range(seats))]
        name = names[type(event)]
        yield f"{number} {name} {_digest([name, to_plain(event)])} {_digest(to_plain(views))}"


def _digest(value: Any) -> str:
    return sha256(canonical(value)).hexdigest()[:8]
