"""Who sends a push message: a signed statement for the push service (VAPID, RFC 8292).

A browser binds its subscription to the public key of the service, so the key pair is made once and kept in the store.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import cast

import orjson
import redis
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from service.notifications.push.encryption import new_key, private_key, public_bytes
from service.store import keys

_VALID_SECONDS = 12 * 3600
"""How long a statement is valid; RFC 8292 allows a day."""


@dataclass(eq=False)
class Vapid:
    """The key pair in one Redis; ``contact`` is how the operator of a push service reaches ours, as a URL."""

    _redis: redis.Redis
    _contact: str
    _known: ec.EllipticCurvePrivateKey | None = field(default=None, init=False)

    def public_key(self) -> str:
        return to_base64url(public_bytes(self._key()))

    def authorization(self, origin: str, now: int) -> str:
        """Return the header Authorization for messages to an origin; ``now`` is the time in ms."""
        claims = {"aud": origin, "exp": now // 1000 + _VALID_SECONDS, "sub": self._contact}
        head = {"typ": "JWT", "alg": "ES256"}
        stated = b".".join(to_base64url(orjson.dumps(part)).encode() for part in (head, claims))
        r, s = decode_dss_signature(self._key().sign(stated, ec.ECDSA(SHA256())))
        signature = to_base64url(r.to_bytes(32) + s.to_bytes(32))
        return f"vapid t={stated.decode()}.{signature}, k={self.public_key()}"

    def _key(self) -> ec.EllipticCurvePrivateKey:
        """Return the private key; whichever process needs it first makes it."""
        if self._known is None:
            kept = cast("bytes | None", self._redis.get(keys.PUSH_KEY))
            if kept is None:
                self._redis.set(keys.PUSH_KEY, f"{new_key().private_numbers().private_value:064x}", nx=True)
                kept = cast("bytes", self._redis.get(keys.PUSH_KEY))
            self._known = private_key(int(kept, 16))
        return self._known


def to_base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """Read base64url with or without padding; raise ``ValueError``."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
