"""Encrypt a push message so that only the browser can read it, not the push service in between (RFC 8291).

The libraries for this bring an HTTP client, or a library for JWT and one for validation, of their own. The primitives
are those of ``cryptography``, and the RFC's example is a test.
"""

import secrets

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

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
