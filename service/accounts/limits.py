"""The limits: how much each allows, in which time, and where it is counted; ``sentences`` say what it counts.

This module only declares limits. ``limiter`` counts, in Redis and in the process; ``players`` counts tokens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal, NamedTuple, NoReturn

from domain.sentences.message import Message, Number
from service.common.errors import Limited

Kept = Literal["process", "open", "redis"]

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400

PLACE_DAYS = 30
"""A game counts against the limits on games at once for this long; then its creator can create another one instead."""
_UNKNOWN_WAIT = 60
"""Seconds to wait when time alone frees nothing."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Allow at most ``default`` of what the limit counts, within ``seconds``, or at once (None).

    ``kept`` is where the count is kept: in Redis for all processes; in each process separately, where a trip to Redis
    would cost more than what is counted; or there for as long as something is open.
    """

    default: int
    seconds: int | None
    kept: Kept = "redis"
    lowest: int = 0


LIMITS: Mapping[str, Limit] = {
    "requests": Limit(5000, 10, "process"),
    "writes": Limit(10_000, _MINUTE, "process"),
    "writes-from-address": Limit(100_000, _MINUTE, "process"),
    "events-written": Limit(100_000, _HOUR, "process"),
    "events-written-from-address": Limit(300_000, _HOUR, "process"),
    "new-players": Limit(1000, _HOUR),
    "renames": Limit(5, _DAY),
    "new-games": Limit(600, _HOUR),
    "new-games-from-address": Limit(3000, _HOUR),
    "bot-games-from-address": Limit(300, _HOUR),
    "new-tournaments": Limit(10, _DAY),
    "joins": Limit(30, _HOUR),
    "joins-from-address": Limit(200, _HOUR),
    "invitations": Limit(100, _HOUR),
    "invitations-from-address": Limit(500, _HOUR),
    "proposals": Limit(60, _HOUR),
    "phrases": Limit(10, _MINUTE),
    "hints": Limit(600, _HOUR),
    "hints-from-address": Limit(3000, _HOUR),
    "analyses": Limit(30, _HOUR),
    "analyses-from-address": Limit(150, _HOUR),
    "confirmations": Limit(5, _HOUR),
    "confirmations-from-address": Limit(30, _HOUR),
    "confirmations-to-mailbox": Limit(3, _DAY),
    "events-read": Limit(150_000, _MINUTE, "process"),
    "events-read-from-address": Limit(600_000, _MINUTE, "process"),
    "files": Limit(30, _MINUTE, "process"),
    "cosignatures-from-address": Limit(60, _HOUR),
    "webhook-requests": Limit(100, _HOUR),
    "open-games": Limit(100, None),
    "running-games": Limit(200, None),
    "seats": Limit(500, None),
    "push-subscriptions": Limit(10, None, lowest=1),
    "tokens": Limit(100, None, lowest=1),
    "webhooks": Limit(10, None, lowest=1),
    "streams": Limit(100, None, "open"),
    "streams-from-address": Limit(1000, None, "open"),
    "streams-in-process": Limit(3000, None, "open"),
}
"""Every limit, by the name of its bucket; 0 means no limit."""

PLACES = ("open-games", "running-games", "seats")
"""The limits on how many games a player has at once; each such game takes a place."""


Amounts = Mapping[str, int]
"""How much each bucket allows; a bucket that is missing has no limit."""

DEFAULTS: Amounts = {bucket: limit.default for bucket, limit in LIMITS.items()}


@dataclass(frozen=True, slots=True)
class Toll:
    """What a write counts against: buckets, each with its subject, and places among a player's games.

    In each bucket it counts as ``cost`` writes, or as all that are allowed if these are fewer.
    """

    rates: Sequence[tuple[str, str]] = ()
    places: Sequence[str] = ()
    cost: int = 1


FREE = Toll()
"""The toll of a write that counts only against the limit on requests."""


class Room(NamedTuple):
    """What a rate still allows one subject: ``left`` of ``most`` in ``period`` seconds, and more ``after`` seconds."""

    bucket: str
    most: int
    period: int
    left: int
    after: int


def refuse(bucket: str, most: int, seconds: float | None = None) -> NoReturn:
    """Raise ``Limited``; ``seconds`` is when there is room again, or None if time alone frees nothing."""
    limit = LIMITS[bucket]
    wait = _UNKNOWN_WAIT if seconds is None else max(1, ceil(seconds))
    counts, period = Message(f"limit.{bucket}"), Message(f"limit.period.{limit.seconds or 'none'}")
    said = Message("limit", {"most": Number(most), "counts": counts, "period": period})
    raise Limited(bucket, said, most, limit.seconds, wait)


class Unlimited:
    """A limiter that counts nothing, for tests and tools."""

    def pace(self, bucket: str, whom: str) -> None: ...

    def check(self, bucket: str, whom: str) -> None: ...

    def note(self, bucket: str, whom: str, number: int) -> None: ...

    def count(self, bucket: str, whom: str) -> None: ...

    def charge(self, toll: Toll, player: str, game_id: str) -> None: ...

    def pay(self, toll: Toll, player: str, address: str, game_id: str, events: int) -> None: ...

    def room(self, bucket: str, whom: str) -> Room | None:  # noqa: ARG002 - there is room for all
        return None
