"""The priority of a game for the workers: how urgent its work is, and which player it counts for.

Work that players are waiting for goes first. It counts for the waiting player who has the earliest turn, so that the
other games of one player at a table do not delay the table. Work that no player is waiting for counts for the creator
of the game.
"""

from dataclasses import dataclass
from enum import StrEnum


class Rank(StrEnum):
    """How urgent the work is; the values are stored in change feeds and beside deadlines, and must not change."""

    URGENT = "answer"
    """A player who is present is waiting for it, at a table with other players or with bots."""
    SPARE = "spare"
    """Only a sandbox is waiting for it, or players who are away."""
    ALONE = "bot"
    """Only bots play."""


RANKS = tuple(Rank)
"""The most urgent first."""


@dataclass(frozen=True, slots=True)
class Priority:
    """The rank of a game's work, and the players whom it can count for: at most one for each seat."""

    rank: Rank
    owners: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.rank} {' '.join(self.owners)}"


NO_PRIORITY = Priority(Rank.URGENT)
"""The priority of a game without work for the workers."""


def read(text: str) -> Priority:
    """Read a priority as written; an old one has at most one owner."""
    rank, *owners = text.split()
    return Priority(Rank(rank), tuple(owners))
