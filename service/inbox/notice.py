"""A notice: one thing that happened in a game and that a player should hear of, without anything hidden.

Until they are in the logs of players, the notices of one atomic step are an entry of a feed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from domain.serialization import Plain
from service.store import keys
from service.store.change_feed import Change

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

_MOST_WAITING = 100_000
"""About how many entries a feed keeps if nobody reads it, as in ``append.lua``."""


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


def written(notices: Sequence[Notice]) -> bytes:
    """Write the notices of one step, for an entry that names the game and its version; nothing if there are none."""
    if not notices:
        return b""
    return orjson.dumps([notices[0].at, [[each.kind, each.player, each.data, each.is_news] for each in notices]])


def enter(pipe: Any, shard: keys.Shard, notices: Sequence[Notice]) -> None:
    """Add the notices of one step in a game to the feed of its shard, in the transaction of a pipeline."""
    if notices:
        first = notices[0]
        entry = {"g": first.game_id, "v": first.version, "n": written(notices)}
        pipe.xadd(shard.notices, entry, maxlen=_MOST_WAITING, approximate=True)


def read(entry: Change) -> list[Notice]:
    at, notices = orjson.loads(entry.notices)
    name = entry.entry.decode()
    return [
        Notice(kind, player, entry.game_id, entry.version, at, data, is_news=is_news, entry=name)
        for kind, player, data, is_news in notices
    ]
