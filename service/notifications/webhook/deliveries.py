"""The deliveries of webhooks: numbered messages with all attempts, and which of them are still to be sent.

Only the courier that holds the destination's lease writes messages. Others can make one pending again, and mark it
(``_AGAIN``), so that the courier begins a new series of attempts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

import orjson
import redis

from service.notifications.delivery.destinations import Destination
from service.notifications.webhook.webhook import Webhook, read
from service.store import keys
from service.store.scripts import script

MOST_KEPT = 100
"""The most deliveries that are kept of a webhook; the newest displace the oldest, even one that is still pending."""

Status = Literal["pending", "delivered", "failed"]

_AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to deliver a message: when it began, how long it took, in ms, and its result."""

    at: int
    took: int
    status: int | None
    problem: str | None
    said: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and the latest attempts to deliver it; ``failed`` counts those of the present series since ``since``.

    A series ends (``has_ended``) when the receiver accepts the message, or when no attempt is left. ``again`` is how
    many times it had been asked for again when the latest attempt began: each time begins a series.
    """

    id: str
    type: str
    at: str
    body: str
    attempts: tuple[Attempt, ...] = ()
    failed: int = 0
    since: int = 0
    has_ended: bool = False
    accepted: bool = False
    again: int = 0


class Delivery(NamedTuple):
    """A numbered delivery of a webhook; ``next`` is the time in ms of the next attempt."""

    number: int
    message: Message
    next: int | None

    @property
    def status(self) -> Status:
        if self.next is not None:
            return "pending"
        return "delivered" if self.message.accepted else "failed"


class Standing(NamedTuple):
    """An enabled webhook, its cursor in the notice log, and the times in ms of its pending deliveries by number."""

    webhook: Webhook
    cursor: str
    pending: Mapping[int, int]


class Deliveries:
    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self._take_in, self._record, self._make_pending = (
            script(client, __name__, name) for name in ("take_in", "record", "make_pending")
        )

    def standing(self, destination: Destination) -> Standing | None:
        """Read the webhook of a destination, and what is pending; None unless it exists and is enabled."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.hget(keys.webhooks(destination.player), destination.id)
        pipe.hget(keys.destinations(destination.player), destination.field)
        pipe.zrange(keys.webhooks_pending(destination.player), 0, -1, withscores=True)
        written, cursor, pending = cast("tuple[bytes | None, bytes | None, Any]", pipe.execute())
        if written is None or cursor is None:
            return None
        return Standing(
            read(destination.player, destination.id, written), cursor.decode(), _of(destination.id, pending)
        )

    def take_in(self, webhook: Webhook, messages: Sequence[Message], now: int, moved: tuple[str, str]) -> int | None:
        """Add messages, due at once, and move the cursor; return the last number.

        Return None, and change nothing, if the webhook is not enabled, or its cursor is elsewhere. Two empty cursors
        leave it where it is.
        """
        written = [orjson.dumps(each) for each in messages]
        args: list[str | int | bytes] = [webhook.id, webhook.destination.field, *moved, now, MOST_KEPT, *written]
        number = self._take_in(keys=_keys(webhook.player), args=args)
        return None if number == -1 else cast("int", number)

    def messages(self, webhook: Webhook, numbers: Iterable[int]) -> dict[int, Message]:
        """Read messages by their numbers; those that are not kept are left out.

        No attempt has failed yet of a message that is to be sent again.
        """
        wanted = list(numbers)
        if not wanted:
            return {}
        names = [f"{webhook.id} {number}" for number in wanted]
        names += [f"{name} {_AGAIN}" for name in names]
        found = cast("list[bytes | None]", self._redis.hmget(keys.webhooks_deliveries(webhook.player), names))
        messages, asked = found[: len(wanted)], found[len(wanted) :]
        return {
            number: _asked_again(_message(written), int(times or 0))
            for number, written, times in zip(wanted, messages, asked, strict=True)
            if written is not None
        }

    def record(self, webhook: Webhook, number: int, message: Message, after: int | None) -> int | None:
        """Record the last attempt of a message, and when the next one follows it, if any.

        If it was asked for again during the attempt, it stays due.

        Return when the receiver last accepted a message, None if it never did.
        """
        player, accepted_at = webhook.player, message.attempts[-1].at if message.accepted else ""
        places = [keys.webhooks(player), keys.webhooks_deliveries(player), keys.webhooks_pending(player)]
        next_at = "" if after is None else after
        args: list[str | int | bytes] = [webhook.id, number, orjson.dumps(message), next_at, accepted_at, message.again]
        found = cast("bytes", self._record(keys=places, args=args))
        return int(found) if found else None

    def make_pending(self, webhook: Webhook, number: int, now: int) -> Literal["pending", "disabled", "unknown"]:
        """Let a delivery be sent again at once; return whether that was possible."""
        args: list[str | int | bytes] = [webhook.id, webhook.destination.field, number, now]
        done = self._make_pending(keys=_keys(webhook.player), args=args)
        return {1: "pending", 0: "disabled"}.get(cast("int", done), "unknown")  # type: ignore[return-value]

    def page(self, webhook: Webhook, before: int | None, limit: int) -> list[Delivery]:
        pipe = self._redis.pipeline(transaction=False)
        pipe.hget(keys.webhooks_deliveries(webhook.player), f"{webhook.id} last")
        pipe.zrange(keys.webhooks_pending(webhook.player), 0, -1, withscores=True)
        last, pending = cast("tuple[bytes | None, Any]", pipe.execute())
        newest = int(last or 0)
        highest = newest if before is None else min(newest, before - 1)
        lowest = max(1, newest - MOST_KEPT + 1, highest - limit + 1)
        found, waiting = self.messages(webhook, range(highest, lowest - 1, -1)), _of(webhook.id, pending)
        return [Delivery(number, message, waiting.get(number)) for number, message in found.items()]

    def find(self, webhook: Webhook, number: int) -> Delivery | None:
        return next((each for each in self.page(webhook, number + 1, 1) if each.number == number), None)


def _keys(player: str) -> list[str]:
    places = (keys.webhooks, keys.destinations, keys.webhooks_deliveries, keys.webhooks_pending)
    return [key(player) for key in places]


def _of(webhook_id: str, pending: Iterable[tuple[bytes, float]]) -> dict[int, int]:
    """Pick the pending deliveries of a webhook out of those of its player."""
    split = ((name.decode().split(" "), at) for name, at in pending)
    return {int(number): int(at) for (owner, number), at in split if owner == webhook_id}


def _message(written: bytes) -> Message:
    kept = orjson.loads(written)
    return Message(**{**kept, "attempts": tuple(Attempt(**each) for each in kept["attempts"])})


def _asked_again(message: Message, times: int) -> Message:
    """Return a message as it stands before its next attempt."""
    return message if times == message.again else replace(message, failed=0, again=times)
