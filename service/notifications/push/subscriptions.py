"""The push subscriptions of players, as they are stored: where a browser gets messages, and with which keys.

A subscription is recognized by its address, so a browser that subscribes again has one. Nothing is written for a player
who does not exist, so that no data of a deleted player comes back.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, cast

import orjson
import redis

from service.accounts.limits import refuse
from service.notifications.content.choices import Choices, choices_of
from service.notifications.delivery.destinations import Destination, Destinations
from service.store import keys
from service.store.scripts import update


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that gets messages at an ``endpoint``; ``p256dh`` and ``auth`` are its keys as it wrote them."""

    id: str
    endpoint: str
    p256dh: str
    auth: str
    choices: Choices
    created_at: str
    attempts: int = 0
    """How often the message that is being sent has failed."""
    failing_since: int = 0
    """When it failed first, in ms; 0 if it has not."""
    not_before: int = 0
    """When to try again, in ms."""
    sent: tuple[str, ...] = ()
    """The marks of the messages that were accepted before one failed."""


def id_of(endpoint: str) -> str:
    return f"ps_{sha256(endpoint.encode()).hexdigest()[:16]}"


def destination_of(player: str, subscription_id: str) -> Destination:
    return Destination(player, "push", subscription_id)


@dataclass(eq=False)
class Subscriptions:
    """The push subscriptions of all players in one Redis; each player has at most ``most``."""

    _redis: redis.Redis
    _most: int

    def of(self, player: str) -> list[Subscription]:
        found = cast("dict[bytes, bytes]", self._redis.hgetall(keys.push_subscriptions(player)))
        return sorted(map(_read, found.values()), key=lambda each: (each.created_at, each.id))

    def find(self, player: str, subscription_id: str) -> Subscription | None:
        kept = cast("bytes | None", self._redis.hget(keys.push_subscriptions(player), subscription_id))
        return None if kept is None else _read(kept)

    def add(self, player: str, made: Subscription, cursor: str) -> bool:
        """Add a subscription that wants the notices after a cursor, or replace it; return whether the player exists.

        Raise ``Limited`` if the player has the maximum number.
        """

        def decide(pipe: Any) -> None:
            key = keys.push_subscriptions(player)
            is_known = pipe.hexists(key, made.id)
            if not is_known and pipe.hlen(key) >= self._most:
                refuse("push-subscriptions", self._most)
            pipe.multi()
            pipe.hset(key, made.id, orjson.dumps(made))
            if not is_known:
                Destinations.add(pipe, destination_of(player, made.id), cursor)

        return self._change(player, decide)

    def tried(self, player: str, tried: Subscription) -> None:
        """Record the result of sending messages to a subscription, if it still exists."""

        def decide(pipe: Any) -> None:
            kept = pipe.hget(keys.push_subscriptions(player), tried.id)
            if kept is None:
                return
            before, since = _read(kept), tried.failing_since
            after = replace(
                before, attempts=tried.attempts, failing_since=since, not_before=tried.not_before, sent=tried.sent
            )
            pipe.multi()
            pipe.hset(keys.push_subscriptions(player), tried.id, orjson.dumps(after))

        self._change(player, decide)

    def remove(self, player: str, subscription_id: str) -> bool:
        pipe = self._redis.pipeline(transaction=True)
        pipe.hdel(keys.push_subscriptions(player), subscription_id)
        Destinations.remove(pipe, destination_of(player, subscription_id))
        removed, _ = pipe.execute()
        return bool(removed)

    def _change(self, player: str, decide: Callable[[Any], None]) -> bool:
        """Let ``decide`` read and write in one atomic step, if the player exists; return whether that is so."""

        def change(pipe: Any) -> bool:
            exists = bool(pipe.exists(keys.player(player)))
            if exists:
                decide(pipe)
            return exists

        return update(self._redis, (keys.push_subscriptions(player), keys.player(player)), change)


def _read(kept: bytes) -> Subscription:
    fields = orjson.loads(kept)
    read = {"choices": choices_of(fields["choices"]), "sent": tuple(fields.get("sent", ()))}
    return Subscription(**{**fields, **read})
