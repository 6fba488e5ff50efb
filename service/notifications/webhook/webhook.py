"""A webhook as it is stored, its secrets, and the headers that prove who sent a message (Standard Webhooks)."""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal, Self

import orjson

from domain.game.durations import DAY
from service.notifications.delivery.destinations import Destination

Ended = Literal["gone", "failing", "not-allowed", "player"]
"""Why a webhook is disabled: the receiver responded with 410; every attempt of a day failed; the operator's settings no
longer allow the address; its player disabled it."""

SECRET = "whsec_"  # noqa: S105 - how every secret begins
OLD_SECRET_MS = DAY
"""For how long messages are also signed with the secret before the last one."""

_SECRET_BYTES = 32


def new_secret() -> str:
    return SECRET + b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook of a player, which wants notices of some ``types``, or of all (None). Times are in ms since 1970."""

    id: str
    player: str
    url: str
    types: tuple[str, ...] | None
    created_at: int
    secret: str = field(repr=False)
    old_secret: str | None = field(default=None, repr=False)
    old_until: int = 0
    disabled: Ended | None = None
    disabled_at: int = 0
    times_enabled: int = 0
    """How often the webhook was enabled again, so that what was sent before cannot disable it."""
    made_by: str = ""
    """The fingerprint of the request that made the webhook, '' if it had no key."""
    rotated_by: str = ""
    """The name of the key that the latest change of the secret came with, '' if it had none."""

    @property
    def destination(self) -> Destination:
        return Destination(self.player, "webhook", self.id)

    def wants(self, kind: str) -> bool:
        return self.types is None or kind in self.types

    def active_secrets(self, now: int) -> Sequence[str]:
        return [self.secret] if self.old_secret is None or now >= self.old_until else [self.secret, self.old_secret]

    def rotated(self, now: int, key: str = "") -> Self:
        """Return the webhook with a new secret, beside which the present one stays valid for a day.

        The same ``key`` as the last time changes nothing: its response was lost, and the receiver must keep up.
        """
        if key and key == self.rotated_by:
            return self
        until = now + OLD_SECRET_MS
        return replace(self, secret=new_secret(), old_secret=self.secret, old_until=until, rotated_by=key)

    def enabled(self) -> Self:
        if not self.disabled:
            return self
        return replace(self, disabled=None, disabled_at=0, times_enabled=self.times_enabled + 1)

    def written(self) -> bytes:
        names = [name for name in self.__slots__ if name not in ("id", "player")]
        return orjson.dumps({name: getattr(self, name) for name in names})


def read(player: str, webhook_id: str, written: bytes) -> Webhook:
    kept: dict[str, Any] = orjson.loads(written)
    types = kept.pop("types")
    return Webhook(id=webhook_id, player=player, types=None if types is None else tuple(types), **kept)


def headers_of(webhook: Webhook, message_id: str, body: bytes, now: int) -> Mapping[str, str]:
    """Return the headers that Standard Webhooks prescribes, with a signature by each active secret."""
    seconds = str(now // 1000)
    signed = b".".join((message_id.encode(), seconds.encode(), body))
    signatures = [
        b64encode(hmac.digest(b64decode(secret.removeprefix(SECRET)), signed, sha256)).decode()
        for secret in webhook.active_secrets(now)
    ]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(f"v1,{each}" for each in signatures),
    }
