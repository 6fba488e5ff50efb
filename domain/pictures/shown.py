"""What a picture can show beside the view: names, whose eyes look, what they can do now."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from domain.sentences.catalogue import ORIGINAL
from domain.serialization import Plain, to_plain
from domain.table import Seat

Names: TypeAlias = Mapping[Seat, str]
"""The names of players, short enough for a line: about 14 letters."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown beside the view, and in which language. ``legal``: actions that have every legal card."""

    names: Names = field(default_factory=dict)
    viewer: Seat | None = None
    legal: Sequence[object] = ()
    language: str = ORIGINAL

    @property
    def playable(self) -> frozenset[str]:
        """Return every text in the legal actions: the codes of the cards that can be chosen are among them."""
        return frozenset(text for action in self.legal for text in _texts(to_plain(action)))


def _texts(plain: Plain) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict | list):
        for inner in plain.values() if isinstance(plain, dict) else plain:
            yield from _texts(inner)


ALONE = Shown()
"""For a view that is shown alone."""
