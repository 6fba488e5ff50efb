"""Destinations of a player's notifications, such as a webhook, each with the last notice that it was served.

A destination is served at least once for every notice: its cursor moves on only when a notice was dealt with.
"""

import random
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, Protocol, cast

import redis

from domain.game.durations import DAY, HOUR, MINUTE, SECOND
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
        return [
            _destination_in(player, field) for player, fields in zip(wanted, found, strict=True) for field in fields
        ]

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


def _destination_in(player: str, field: bytes) -> Destination:
    kind, _, destination_id = field.decode().partition(" ")
    return Destination(player, cast("Kind", kind), destination_id)


# -- when a delivery that failed is tried again: for a day, the pauses between the attempts growing ---------------
#
# A message to a webhook has nine attempts of its own. A destination that sends all its news together tries more often,
# because everything new waits for the next attempt.


PAUSES = (5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 8 * HOUR, 9 * HOUR)
"""The pauses after the first attempts, in ms; each is stretched by up to a hundredth, so that retries spread out."""

ATTEMPTS = len(PAUSES) + 1

LONGEST_OF_DESTINATION = 15 * MINUTE
"""The longest pause of a destination, before it is stretched: the longest wait after the receiver has recovered."""


def pause_after(attempts: int) -> int | None:
    """Return for how many ms to wait after so many failed attempts; None if there is no further attempt."""
    if attempts >= ATTEMPTS:
        return None
    return _stretched(PAUSES[attempts - 1])


def pause_of_destination(attempts: int, failing_ms: int) -> int | None:
    """Return how many ms a destination waits after so many failed attempts; None once it has failed for a day."""
    if failing_ms >= DAY:
        return None
    return _stretched(min(PAUSES[min(attempts, len(PAUSES)) - 1], LONGEST_OF_DESTINATION))


def _stretched(pause: int) -> int:
    return int(pause * random.uniform(1.0, 1.01))  # noqa: S311 - this only spreads the load
