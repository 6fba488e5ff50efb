"""Outlets: the destinations of a player's notifications, such as a webhook, each with the last notice it was served.

An outlet is served at least once for every notice: its cursor moves on only when a notice was dealt with.
"""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, Protocol, cast

import redis

from service.store import keys

Kind = Literal["webhook", "mail", "push"]

TURN_SECONDS = 20
"""A channel must return from each delivery within so many seconds."""


class Outlet(NamedTuple):
    """A player's outlet; ``id`` distinguishes those of one kind, and is empty where a player has only one."""

    player: str
    kind: Kind
    id: str = ""

    @property
    def field(self) -> str:
        """Return the name of the outlet among those of its player."""
        return f"{self.kind} {self.id}"


class Channel(Protocol):
    """How outlets of one kind are served."""

    def deliver(self, outlet: Outlet) -> int | None:
        """Serve an outlet, for at most ``TURN_SECONDS``; return the time in ms at which it is due again, if it is.

        An outlet whose player has no such outlet any more is left alone. New notices make an outlet due in any case.
        """


_ADVANCE = """
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
"""


class Outlets:
    """The outlets that players have, in one Redis."""

    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self._advance = client.register_script(_ADVANCE)

    def of(self, players: Iterable[str]) -> list[Outlet]:
        """List the outlets of players, in one round trip."""
        wanted = list(players)
        if not wanted:
            return []
        pipe = self._redis.pipeline(transaction=False)
        for player in wanted:
            pipe.hkeys(keys.outlets(player))
        found = cast("list[list[bytes]]", pipe.execute())
        return [_outlet(player, field) for player, fields in zip(wanted, found, strict=True) for field in fields]

    def cursor(self, outlet: Outlet) -> str | None:
        """Return the last notice that an outlet has dealt with; None if its player has no such outlet."""
        cursor = cast("bytes | None", self._redis.hget(keys.outlets(outlet.player), outlet.field))
        return None if cursor is None else cursor.decode()

    def advance(self, outlet: Outlet, before: str, after: str) -> bool:
        """Move the cursor of an outlet from one notice to another; return False if it is not at the first one."""
        return bool(self._advance(keys=[keys.outlets(outlet.player)], args=[outlet.field, before, after]))

    @staticmethod
    def add(pipe: Any, outlet: Outlet, cursor: str) -> None:
        """Add an outlet that wants the notices after a cursor, in the transaction that records it."""
        pipe.hset(keys.outlets(outlet.player), outlet.field, cursor)

    @staticmethod
    def remove(pipe: Any, outlet: Outlet) -> None:
        """Remove an outlet, in the transaction that deletes or disables it; the outbox forgets it by itself."""
        pipe.hdel(keys.outlets(outlet.player), outlet.field)


def _outlet(player: str, field: bytes) -> Outlet:
    kind, _, outlet_id = field.decode().partition(" ")
    return Outlet(player, cast("Kind", kind), outlet_id)
