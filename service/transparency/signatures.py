"""Signatures that anyone can check: Ed25519 (RFC 8032) over a statement under a label.

*Signed text*: ``plateau-<purpose>-v1``, a line feed, and the canonical form (``domain.log.chain``) of the statement.
The label keeps what is signed for one purpose from passing for another. Every statement names its key in ``key_id``:
the first 16 hex digits of the SHA-256 of the raw public key. Keys and signatures are written as hex digits.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.serialization import Plain
from service.store.codec import canonical

_KEY = re.compile("[0-9a-f]{64}")
_SIGNATURE = re.compile("[0-9a-f]{128}")


@dataclass(frozen=True, slots=True)
class Signed:
    """A statement, its ``key_id`` included, and the signature of that key: 128 hex digits."""

    statement: Mapping[str, Plain]
    signature: str


def signed_text(purpose: str, statement: Mapping[str, Plain]) -> bytes:
    """Return the bytes that are signed; raise ``ValueError`` if the statement has no canonical form."""
    return b"plateau-%b-v1\n%b" % (purpose.encode(), canonical(dict(statement)))


def key_id(public_key: str) -> str:
    return sha256(bytes.fromhex(public_key)).hexdigest()[:16]


def sign(key: Ed25519PrivateKey, named: str, purpose: str, statement: Mapping[str, Plain]) -> Signed:
    """Sign a statement, to which the id of the key is added: ``named``, because finding it out takes half as long."""
    whole = {**statement, "key_id": named}
    return Signed(whole, key.sign(signed_text(purpose, whole)).hex())


def public_half(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def verify(public_keys: Mapping[str, str], purpose: str, statement: Mapping[str, Plain], signature: str) -> bool:
    """Return whether a statement is signed for a purpose by the key that it names.

    ``public_keys`` are the keys to trust by their ids. Whatever the statement and the signature are, this only returns.
    """
    named = statement.get("key_id")
    public_key = public_keys.get(named) if isinstance(named, str) else None
    if public_key is None or not _KEY.fullmatch(public_key) or key_id(public_key) != named:
        return False
    return is_signed(public_key, purpose, statement, signature)


def is_signed(public_key: str, purpose: str, statement: Mapping[str, Plain], signature: str) -> bool:
    """Return whether a public key has signed a statement for a purpose, whichever key the statement names.

    Whatever these are, this only returns.
    """
    if not _KEY.fullmatch(public_key) or not _SIGNATURE.fullmatch(signature):
        return False
    try:
        text = signed_text(purpose, statement)
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, TypeError, ValueError):
        return False
    return True
