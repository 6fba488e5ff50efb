"""What players add to their accounts, when they were last here, and what of it they show to others.

All of it is kept with the name, and deleted with it. By default nothing is shown, and nobody records who was here when.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

import redis

from service.store import keys
from service.store.event_store import StoreUnavailable
from service.store.scripts import script

Part = Literal["language", "time_zone", "seen", "games"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What a player can show: three fields of the profile, and which public games they are in."""

Portrait = Literal["otter", "heron", "lynx", "magpie", "hare", "beaver", "robin", "marten"]
PORTRAITS: tuple[Portrait, ...] = get_args(Portrait)
"""The heads that a player can choose from."""

CHANGED = ("language", "time_zone", "operator")
"""The fields that a player writes."""

_FIELDS = ("language", "time_zone", "seen", *(f"shows_{part}" for part in PARTS))
_DAY_SECONDS = 86_400
_MOST_REMEMBERED = 100_000


@dataclass(frozen=True, slots=True)
class Profile:
    """What a player has added; ``seen`` is the day of their last request, in UTC, None unless they show it."""

    language: str | None = None
    time_zone: str | None = None
    seen: str | None = None
    shows: frozenset[Part] = frozenset()


class Profiles:
    def __init__(self, client: redis.Redis, now: Callable[[], str]) -> None:
        self._redis = client
        self._now = now
        self._change = script(client, __name__, "change_player")
        self._saw = script(client, __name__, "mark_seen")
        self._day, self._here_today = 0, set[str]()

    def find(self, player_id: str) -> Profile:
        kept = cast("list[bytes | None]", self._redis.hmget(keys.player(player_id), _FIELDS))
        language, time_zone, seen, *shows = (value.decode() if value else None for value in kept)
        return Profile(
            language, time_zone, seen, frozenset(part for part, is_shown in zip(PARTS, shows, strict=True) if is_shown)
        )

    def change(self, player_id: str, fields: Mapping[str, str | None], shows: Mapping[Part, bool]) -> None:
        """Change some fields, None to empty them, and whether parts are shown.

        The day of the last request is kept only while the player shows it.
        """
        written = {name: value or "" for name, value in fields.items()}
        written |= {f"shows_{part}": "1" if is_shown else "" for part, is_shown in shows.items()}
        if "seen" in shows:
            written["seen"] = self._today() if shows["seen"] else ""
        if written:
            self._change(keys=[keys.player(player_id)], args=[part for each in written.items() for part in each])

    def saw(self, player_id: str) -> None:
        """Note that a player is here today; only the first request of a day, and in this process, asks Redis."""
        day = int(time.time()) // _DAY_SECONDS
        if day != self._day or len(self._here_today) >= _MOST_REMEMBERED:
            self._day, self._here_today = day, set()
        if player_id in self._here_today:
            return
        self._here_today.add(player_id)
        try:
            self._saw(keys=[keys.player(player_id)], args=[self._today()])
        except StoreUnavailable:  # the request itself shows whether it can be served
            self._here_today.discard(player_id)

    def _today(self) -> str:
        return self._now()[:10]
