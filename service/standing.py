"""How a game stands in the line for the workers: how urgent its work is, and on whose account it is done.

Work that players wait for goes first, on the account of one who waits: so nobody waits longer because of what somebody
else at the table has running elsewhere. What nobody waits for is on the account of whoever created the game.
"""

from dataclasses import dataclass
from enum import StrEnum

from domain import timing
from domain.game import Game


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
class Standing:
    """The rank of a game's work, and the player on whose account it is done; '' where that is not known."""

    rank: Rank
    owner: str = ""

    def __str__(self) -> str:
        return f"{self.rank} {self.owner}"


NOWHERE = Standing(Rank.AWAITED)
"""How a game stands that no worker has to see to."""


def read(text: str) -> Standing:
    """Read a standing as it is written; work that was queued before there were owners has none."""
    rank, _, owner = text.partition(" ")
    return Standing(Rank(rank), owner)


def standing(game: Game, asker: str = "") -> Standing:
    """Say how a game stands after a request of ``asker``, '' for the service itself."""
    if not any(sitter and sitter.player for sitter in game.sitters):
        return Standing(Rank.ALONE, game.creator)
    waiting = timing.waiting(game)
    if not waiting:
        return Standing(Rank.SPARE, game.creator)
    return Standing(Rank.AWAITED, asker if asker in waiting else waiting[0])
