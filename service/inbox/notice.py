"""A notice: one thing that happened in a game and that a player should hear of, without anything hidden."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from domain.serialization import Plain

Kind = Literal[
    "invited",
    "seeds_awaited",
    "game_started",
    "your_turn",
    "deadline_near",
    "proposal_made",
    "game_ended",
    "plan_dropped",
]


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice to a ``player``: what happened in a game that had reached a ``version``, and when (``at``).

    ``data`` holds public facts of that moment, and what belongs to the player. ``cursor`` is the place in the player's
    log; it is empty until the notice is there. If ``is_news`` is false, the notice is not delivered; it only schedules
    a reminder. ``entry`` is the entry of the feed that brought the notice.
    """

    kind: Kind
    player: str
    game_id: str
    version: int
    at: str
    data: Mapping[str, Plain] = field(default_factory=dict)
    cursor: str = ""
    is_news: bool = True
    entry: str = ""

    @property
    def name(self) -> str:
        """Return what distinguishes the notice from all others to the player.

        A player can be invited to a game repeatedly, and can plan repeatedly for the same decision. Each plan is
        dropped by a step of its own, which adds one entry to the feed; the entry is the same whenever it is read.
        """
        which = self.entry if self.kind == "plan_dropped" else self.data.get("invitation", "")
        return f"{self.kind} {self.game_id} {self.version} {which}".rstrip()
