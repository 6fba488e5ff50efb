"""The admin log: who was about to do what as an operator, in the order in which it was asked for.

An entry is written before the act, so no act lacks one; whether it took place, and when, the log of the game says. The
log is only ever added to, and holds opaque ids.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

import orjson
import redis

from service.store import keys

Act = Literal["abort", "replace", "token", "import"]
"""What operators do: end a game, replace a player by a bot, or, on the host, give a player a token of operators, or
import a game of another server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What was asked for: ``by`` a player with a token, both null on the host.

    ``player`` is who got a token; the others belong to the act on a game.
    """

    act: Act
    by: str | None = None
    token: str | None = None
    game_id: str | None = None
    seat: int | None = None
    bot: str | None = None
    reason: str | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """An entry as it was written: its place in the log, and the time."""

    place: str
    at: str
    entry: Entry


@dataclass(eq=False)
class AdminLog:
    _redis: redis.Redis
    _now: Callable[[], str]

    def add(self, entry: Entry) -> None:
        kept: dict[Any, Any] = {"a": orjson.dumps([self._now(), asdict(entry)])}
        self._redis.xadd(keys.ADMIN_LOG, kept)

    def read(self, before: str | None, limit: int) -> tuple[list[Written], str | None]:
        """Return entries before a place, newest first, and the place to continue before, None at the end."""
        last = f"({before}" if before else "+"
        found = cast("list[Any]", self._redis.xrevrange(keys.ADMIN_LOG, last, "-", limit + 1))
        written = [_written(place.decode(), fields[b"a"]) for place, fields in found[:limit]]
        return written, written[-1].place if len(found) > limit else None


def _written(place: str, kept: bytes) -> Written:
    at, entry = orjson.loads(kept)
    return Written(place, at, Entry(**entry))
