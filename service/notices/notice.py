"""A notice: one thing that happened in a game and that a player should hear of, without anything hidden."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from domain.serialization import Plain

Kind = Literal[
    "invited", "game_started", "your_turn", "deadline_near", "proposal_made", "game_ended", "plan_dropped"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice to a ``player``: what happened in a game that had reached a ``version``, and when (``at``).

    ``data`` holds public facts of that moment, and what belongs to the player. ``cursor`` is the place in the player's
    log; it is empty until the notice is there. One that is no news (``is_news``) only has its player reminded in time.
    """

    kind: Kind
    player: str
    game_id: str
    version: int
    at: str
    data: Mapping[str, Plain] = field(default_factory=dict)
    cursor: str = ""
    is_news: bool = True

    @property
    def name(self) -> str:
        """Return what distinguishes the notice from all others to the player; a game can be invited to repeatedly."""
        return f"{self.kind} {self.game_id} {self.version} {self.data.get('invitation', '')}".rstrip()
