"""Destinations of a player's notifications, such as a webhook, each with the last notice that it was served.

A destination is served at least once for every notice: its cursor moves on only when a notice was dealt with.
"""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, Protocol, cast

import redis

from service.store import keys
from service.store.scripts import script

Kind = Literal["webhook", "mail", "push"]

TURN_SECONDS = 20
"""A channel must return from each delivery within so many seconds."""


class Destination(NamedTuple):
    """A player's destination; ``id`` distinguishes those of one kind, and is empty where a player has only one."""

    player: str
    kind: Kind
    id: str = ""

    @property
    def field(self) -> str:
        return f"{self.kind} {self.id}"


class Channel(Protocol):
    def deliver(self, destination: Destination) -> int | None:
        """Serve a destination, for at most ``TURN_SECONDS``; return the time in ms at which it is due again, if it is.

        A destination that was removed is left alone. New notices make a destination due in any case.
        """


class Destinations:
    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self._advance = script(client, __name__, "advance")

    def of(self, players: Iterable[str]) -> list[Destination]:
        wanted = list(players)
        if not wanted:
            return []
        pipe = self._redis.pipeline(transaction=False)
        for player in wanted:
            pipe.hkeys(keys.destinations(player))
        found = cast("list[list[bytes]]", pipe.execute())
        return [_outlet(player, field) for player, fields in zip(wanted, found, strict=True) for field in fields]

    def cursor(self, destination: Destination) -> str | None:
        """Return the last notice that a destination has dealt with; None if its player has no such destination."""
        cursor = cast("bytes | None", self._redis.hget(keys.destinations(destination.player), destination.field))
        return None if cursor is None else cursor.decode()

    def advance(self, destination: Destination, before: str, after: str) -> bool:
        """Move the cursor of a destination from one notice to another; return False if it is not at the first one."""
        return bool(
            self._advance(keys=[keys.destinations(destination.player)], args=[destination.field, before, after])
        )

    @staticmethod
    def add(pipe: Any, destination: Destination, cursor: str) -> None:
        """Add a destination that wants the notices after a cursor, in the transaction that records it."""
        pipe.hset(keys.destinations(destination.player), destination.field, cursor)

    @staticmethod
    def remove(pipe: Any, destination: Destination) -> None:
        """Remove a destination, in the transaction that deletes or disables it; it is then no longer due."""
        pipe.hdel(keys.destinations(destination.player), destination.field)


def _outlet(player: str, field: bytes) -> Destination:
    kind, _, outlet_id = field.decode().partition(" ")
    return Destination(player, cast("Kind", kind), outlet_id)
