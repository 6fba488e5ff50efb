"""The hashes that are kept of a golden game: of every event, and in a chosen few games of all views of every state.

python -m tests.golden.hashes    # write them again, after an intended change of events or views
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from domain.log.chain import canonical
from domain.ruleset import AnyRuleset
from domain.serialization import to_plain
from domain.texts.document import Reading, read
from tests.golden.logs import GAMES


def files_of(game: Path, reading: Reading) -> dict[Path, list[str]]:
    """Return the lines of the files of hashes that are kept of a game."""
    header, views = reading.header, game.with_suffix(".views")
    kept = {game.with_suffix(".hashes"): event_lines(header.ruleset, reading.events)}
    if views.exists():
        kept[views] = [*view_lines(header.ruleset, header.options, header.seats, reading.events)]
    return kept


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


if __name__ == "__main__":
    for text in GAMES:
        for file, lines in files_of(text, read(text.read_text())).items():
            file.write_text("".join(f"{line}\n" for line in lines))
