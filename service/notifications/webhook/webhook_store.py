"""The webhooks of players, as they are stored. Each change is one atomic step, in which the player still exists."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any, cast

import redis

from service.accounts.limits import DEFAULTS, refuse
from service.accounts.players import Key
from service.common.errors import NotFound, key_reused, no_such_player, refusal
from service.inbox.notice_log import NoticeLog
from service.notifications.delivery.destinations import Destinations
from service.notifications.webhook.webhook import Ended, Webhook, new_secret, read
from service.store import keys
from service.store.scripts import T, update


def no_such_webhook() -> NotFound:
    return NotFound("no-such-webhook", refusal("no-such-webhook"))


class Webhooks:
    def __init__(self, client: redis.Redis, now: Callable[[], int], most: int = DEFAULTS["webhooks"]) -> None:
        self._redis = client
        self._now = now
        self._most = most
        self._notices = NoticeLog(client)

    def create(self, player: str, url: str, types: tuple[str, ...] | None, key: Key | None = None) -> Webhook:
        """Create a webhook that wants what happens from now on; with a key, only once.

        Raise ``Limited`` if the player has too many, and ``Unprocessable`` if the key was used for another request.
        """
        name = secrets.token_hex(8) if key is None else sha256(f"{player} {key.name}".encode()).hexdigest()[:16]
        fingerprint = "" if key is None else key.fingerprint
        new = Webhook(f"wh_{name}", player, url, types, self._now(), new_secret(), made_by=fingerprint)
        cursor = self._notices.latest(player)

        def decide(pipe: Any) -> Webhook:
            written = pipe.hget(keys.webhooks(player), new.id)
            if written is not None:
                known = read(player, new.id, written)
                if known.made_by != fingerprint:
                    raise key_reused()
                return known
            if pipe.hlen(keys.webhooks(player)) >= self._most:
                refuse("webhooks", self._most)
            pipe.multi()
            pipe.hset(keys.webhooks(player), new.id, new.written())
            Destinations.add(pipe, new.destination, cursor)
            return new

        return self._change(player, decide)

    def of_player(self, player: str) -> list[Webhook]:
        found = cast("dict[bytes, bytes]", self._redis.hgetall(keys.webhooks(player)))
        webhooks = [read(player, name.decode(), written) for name, written in found.items()]
        return sorted(webhooks, key=lambda each: (each.created_at, each.id))

    def find(self, player: str, webhook_id: str) -> Webhook:
        return _found(self._redis, player, webhook_id)

    def change(self, player: str, webhook_id: str, change: Callable[[Webhook], Webhook]) -> Webhook:
        """Change a webhook; one that is disabled loses what was to be sent, one that is enabled wants what follows."""
        cursor = self._notices.latest(player)

        def decide(pipe: Any) -> Webhook:
            before = _found(pipe, player, webhook_id)
            after = change(before)
            pending = _pending(pipe, before) if after.disabled and not before.disabled else []
            pipe.multi()
            pipe.hset(keys.webhooks(player), webhook_id, after.written())
            if before.disabled and not after.disabled:
                Destinations.add(pipe, after.destination, cursor)
            elif after.disabled:
                Destinations.remove(pipe, after.destination)
            if pending:
                pipe.zrem(keys.webhooks_pending(player), *pending)
            return after

        return self._change(player, decide)

    def disable(self, webhook: Webhook, because: Ended) -> bool:
        """Disable a webhook, unless it was enabled again since it was read; return whether it is disabled now."""

        def disabled(before: Webhook) -> Webhook:
            if before.disabled or before.times_enabled != webhook.times_enabled:
                return before
            return replace(before, disabled=because, disabled_at=self._now())

        try:
            return self.change(webhook.player, webhook.id, disabled).disabled is not None
        except NotFound:
            return False

    def delete(self, player: str, webhook_id: str) -> None:
        def decide(pipe: Any) -> None:
            webhook = _found(pipe, player, webhook_id)
            pending = _pending(pipe, webhook)
            kept = [name for name in pipe.hkeys(keys.webhooks_deliveries(player)) if _is_of(name, webhook)]
            pipe.multi()
            pipe.hdel(keys.webhooks(player), webhook_id)
            Destinations.remove(pipe, webhook.destination)
            if pending:
                pipe.zrem(keys.webhooks_pending(player), *pending)
            if kept:
                pipe.hdel(keys.webhooks_deliveries(player), *kept)

        self._change(player, decide)

    def _change(self, player: str, decide: Callable[[Any], T]) -> T:
        """Let ``decide`` read and write in one atomic step; raise ``NotFound`` if there is no such player."""

        def change(pipe: Any) -> T:
            if not pipe.exists(keys.player(player)):
                raise no_such_player()
            return decide(pipe)

        watched = (keys.player(player), keys.webhooks(player), keys.webhooks_deliveries(player))
        return update(self._redis, watched, change)


def _found(client: Any, player: str, webhook_id: str) -> Webhook:
    written = cast("bytes | None", client.hget(keys.webhooks(player), webhook_id))
    if written is None:
        raise no_such_webhook()
    return read(player, webhook_id, written)


def _pending(pipe: Any, webhook: Webhook) -> list[bytes]:
    return [name for name in pipe.zrange(keys.webhooks_pending(webhook.player), 0, -1) if _is_of(name, webhook)]


def _is_of(name: bytes, webhook: Webhook) -> bool:
    """Return whether a delivery, its mark, or a count of deliveries is one of a webhook."""
    return name.split(b" ")[0] == webhook.id.encode()
