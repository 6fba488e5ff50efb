"""Encrypt a push message so that only the browser can read it, not the push service in between (RFC 8291).

The libraries for this bring an HTTP client, or a library for JWT and one for validation, of their own. The primitives
are those of ``cryptography``, and the RFC's example is a test.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import cast

import orjson
import redis
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.store import keys

MOST_BYTES = 3993
"""The longest message: a push service need not accept a body over 4096 bytes, and encryption adds 103."""

_SALT_BYTES, _RECORD_BYTES = 16, 4096
_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_LAST_RECORD = b"\x02"


def encrypted(
    message: bytes,
    browser_key: bytes,
    auth: bytes,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt a message to the key of a browser and the secret that it shares; by default with a fresh key and salt."""
    if len(message) > MOST_BYTES:
        raise ValueError(f"a push message has at most {MOST_BYTES} bytes")
    key, salt = key or new_key(), salt or secrets.token_bytes(_SALT_BYTES)
    own = public_bytes(key)
    shared = key.exchange(ec.ECDH(), _public_key(browser_key))
    secret = _derived(shared, auth, b"WebPush: info\0" + browser_key + own, 32)
    content_key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, message + _LAST_RECORD, None)
    return salt + _RECORD_BYTES.to_bytes(4) + len(own).to_bytes(1) + own + sealed


def new_key() -> ec.EllipticCurvePrivateKey:
    """Draw a private key; 16 bytes more than it has make every key equally likely."""
    return private_key(int.from_bytes(secrets.token_bytes(48)) % (_ORDER - 1) + 1)


def private_key(number: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(number, _CURVE)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_browser_key(point: bytes) -> None:
    """Reject with ``ValueError`` what is not an uncompressed point of the curve."""
    if len(point) != 65:
        raise ValueError("not an uncompressed point")
    _public_key(point)


def _public_key(point: bytes) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)


def _derived(secret: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, purpose).derive(secret)


# -- who sends a push message: a signed statement for the push service (VAPID, RFC 8292) --------------------------
#
# A browser binds its subscription to the public key of the service, so the key pair is made once and kept in the
# store.


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
