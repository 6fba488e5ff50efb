"""The limits: one table of what each counts, for whom, how much of it is allowed, and the setting that changes it.

Nothing here counts. ``limiter`` does, in Redis and in the process; ``players`` counts tokens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal, NoReturn

from service.errors import Limited

Kept = Literal["process", "redis"]

_HOUR = 3600

PLACE_DAYS = 30
"""A game counts against the limits on games at once for so long; then its creator may make another one instead."""
_NO_TELLING = 60
"""Seconds to wait where time alone frees nothing."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``default`` of what it ``counts``, in so many ``seconds``, or at once (None).

    ``kept`` says where it is counted: for all processes in Redis, or by each web process for itself.
    """

    counts: str
    default: int
    seconds: int | None
    kept: Kept = "redis"
    lowest: int = 0

    def period(self) -> str:
        """Say over which time it counts."""
        if self.seconds is None:
            return "at once"
        return "in an hour" if self.seconds == _HOUR else f"in {self.seconds} seconds"


LIMITS: Mapping[str, Limit] = {
    "requests": Limit(
        "requests of a player, or of an address without a valid token, to one web process", 5000, 10, "process"
    ),
    "new-players": Limit("new players from an address", 1000, _HOUR),
    "new-games": Limit("new games of a player", 600, _HOUR),
    "new-games-from-address": Limit("new games from an address", 3000, _HOUR),
    "joins": Limit("seats that a player takes in a game", 30, _HOUR),
    "joins-from-address": Limit("seats taken in a game from an address", 200, _HOUR),
    "proposals": Limit("proposals of a player in a game", 60, _HOUR),
    "open-games": Limit("open games of a player", 100, None),
    "running-games": Limit("unfinished games of a player with a clock or a bot", 200, None),
    "tokens": Limit("tokens of a player", 100, None, lowest=1),
}
"""Every limit, by the name of its bucket; 0 of something is no limit."""

PLACES = ("open-games", "running-games")
"""The limits on what a player has at once that games have a place in."""


def variable_of(bucket: str) -> str:
    """Name the setting of a limit."""
    return f"PLATEAU_LIMIT_{bucket.upper().replace('-', '_')}"


Amounts = Mapping[str, int]
"""How much each bucket allows; one that is left out has no limit."""

DEFAULTS: Amounts = {bucket: limit.default for bucket, limit in LIMITS.items()}


@dataclass(frozen=True, slots=True)
class Toll:
    """What a write counts against: buckets and whom they are counted for, and places among a player's games."""

    rates: Sequence[tuple[str, str]] = ()
    places: Sequence[str] = ()


FREE = Toll()
"""Of a write that counts against nothing but the limit on requests."""


def refuse(bucket: str, most: int, seconds: float | None = None) -> NoReturn:
    """Refuse what would exceed a limit; ``seconds`` is when there is room again, None if time alone makes none."""
    limit = LIMITS[bucket]
    wait = _NO_TELLING if seconds is None else max(1, ceil(seconds))
    raise Limited(bucket, f"at most {most} {limit.counts} {limit.period()}", most, limit.seconds, wait)


class Unlimited:
    """Counts nothing: for tests and tools."""

    def pace(self, bucket: str, whom: str) -> None:
        """Count against a limit of this process; raise ``Limited`` where it is reached."""

    def count(self, bucket: str, whom: str) -> None:
        """Count against a limit that all processes share; raise ``Limited`` where it is reached."""

    def charge(self, toll: Toll, player: str, game_id: str) -> None:
        """Count a write to a game; raise ``Limited`` where a limit is reached."""
