"""A golden game as a log: its text read, and what was done in it done again."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from domain.game import aggregate, seating
from domain.laws.play import Step, written
from domain.notation.replay import Replay
from domain.texts import document
from domain.texts.header import Header


def recorded(path: Path, known_as: str = "", players: Sequence[str] = ()) -> Iterator[Step]:
    """Play a golden game again, with its own secret and seeds; by its own players and id, if no others are given.

    Draws follow from the id: under another one, the cards stay those of the game, but the log is no proof of them.
    """
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
    for step in _full_table(header, known_as, players or [f"pl_{seat}" for seat in range(header.seats)]):
        yield step
    has_dealt = set(decisions[0]) <= set(step.events)
    for events in decisions[has_dealt:]:
        with _draws_of(header):
            step = written(step.game, None, None, aggregate.settled(step.game, events))
        yield step


def _draws_of(header: Header) -> AbstractContextManager[object]:
    """Draw as the golden game did, whatever the id of the game that is played."""
    assert header.draws is not None
    return patch.object(aggregate.Game, "draws", header.draws)


def _full_table(header: Header, known_as: str, players: Sequence[str]) -> Iterator[Step]:
    """Create the game and fill its seats."""
    assert header.secret is not None
    secret, seeds = bytes.fromhex(header.secret), header.seeds or (None,) * header.seats
    new = seating.NewGame(
        id=known_as or header.game or "",
        ruleset=header.ruleset,
        options=header.options,
        visibility="public",
        sandbox=False,
        by_deal=header.anchor is not None,
        creator=players[0],
        sitters=(None,) * header.seats,
    )
    step = written(None, None, None, seating.create(new, secret))
    yield step
    for seat, seed in enumerate(seeds):
        with _draws_of(header):
            step = written(step.game, None, None, seating.join(step.game, players[seat], seat, seed))
        yield step
