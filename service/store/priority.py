"""How a game stands in the line for the workers: how urgent its work is, and on whose account it is done.

Work that players wait for goes first. The line puts it on the account of the waiting player who gives it the earliest
turn, so a player's table is not held up by the other games of a player who sits there too. Work that no player waits
for is on the account of the creator of the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.game import timeouts
from domain.game.aggregate import Game


class Rank(StrEnum):
    """How urgent the work is; the words stand in change feeds and beside deadlines, and stay as they are."""

    AWAITED = "answer"
    """A player who is there waits for it, at a table with others or with bots."""
    SPARE = "spare"
    """Only a sandbox waits for it, or players who are away."""
    ALONE = "bot"
    """Bots play among themselves."""


RANKS = tuple(Rank)
"""The most urgent first."""


@dataclass(frozen=True, slots=True)
class Priority:
    """The rank of a game's work, and the players on whose account it can be done: one a seat at most, or none."""

    rank: Rank
    owners: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.rank} {written(self.owners)}"


NO_PRIORITY = Priority(Rank.AWAITED)
"""How a game stands for which workers have nothing to do."""


def written(owners: Sequence[str]) -> str:
    """Write owners as one text; ids of players contain no space."""
    return " ".join(owners)


def read(text: str) -> Priority:
    """Read a standing as it is written; an old one has one owner or none."""
    rank, *owners = text.split()
    return Priority(Rank(rank), tuple(owners))


def priority_of(game: Game) -> Priority:
    """Say how a game stands."""
    if not any(sitter and sitter.player for sitter in game.sitters):
        return Priority(Rank.ALONE, (game.creator,))
    waiting = timeouts.waiting(game)
    if not waiting:
        return Priority(Rank.SPARE, (game.creator,))
    return Priority(Rank.AWAITED, tuple(dict.fromkeys(waiting)))
