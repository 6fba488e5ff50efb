"""A golden game as a log: its text read, and what was done in it done again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from domain.game import aggregate, seating
from domain.laws.play import Step, written
from domain.notation.replay import Replay
from domain.texts import document
from domain.texts.header import Header


def recorded(path: Path) -> Iterator[Step]:
    """Play a golden game again, with its own id, secret and seeds."""
    decisions: list[Sequence[object]] = []

    class Noting(Replay[Any]):
        """Note what is decided, too."""

        def record(self, events: Sequence[object]) -> Sequence[object]:
            all_of_them = super().record(events)
            if events:
                decisions.append(events)
            return all_of_them

    with patch.object(document, "Replay", Noting):
        header = document.read(path.read_text()).header
    for step in _full_table(header):
        yield step
    for events in decisions:
        step = written(step.game, None, None, aggregate.settled(step.game, events))
        yield step


def _full_table(header: Header) -> Iterator[Step]:
    """Create the game and fill its seats."""
    assert header.secret is not None
    new = seating.NewGame(
        id=header.game or "",
        ruleset=header.ruleset,
        options=header.options,
        visibility="public",
        sandbox=False,
        creator="pl_0",
        sitters=(None,) * header.seats,
    )
    step = written(None, None, None, seating.create(new, bytes.fromhex(header.secret)))
    yield step
    for seat, seed in enumerate(header.seeds or (None,) * header.seats):
        step = written(step.game, None, None, seating.join(step.game, f"pl_{seat}", seat, seed))
        yield step
