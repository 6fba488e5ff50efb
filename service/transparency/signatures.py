"""Signatures that anyone can check: Ed25519 (RFC 8032) over a statement under a label.

*Signed text*: ``plateau-<purpose>-v1``, a line feed, and the canonical form (``domain.log.chain``) of the statement.
The label keeps what is signed for one purpose from passing for another. Every statement names its key in ``key_id``:
the first 16 hex digits of the SHA-256 of the raw public key. Keys and signatures are written as hex digits.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.game.durations import instant
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


# -- what the service signs of the log of heads, for the purpose ``root``, and witnesses for ``cosignature`` ------
#
# *Statement*: ``{"at", "key_id", "root", "size"}``, the time, the key, the root (64 hex digits) of the tree, and its
# number of leaves.


ROOT = "root"
COSIGNATURE = "cosignature"
_ROOT_HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SignedRoot:
    """The root of the tree of a size, as the service signed it: 64 hex digits, signature 128 hex digits."""

    size: int
    root: str
    at: str
    key_id: str
    signature: str

    def statement(self) -> dict[str, Plain]:
        return {"at": self.at, "key_id": self.key_id, "root": self.root, "size": self.size}

    def is_signed(self, public_keys: Mapping[str, str]) -> bool:
        return verify(public_keys, ROOT, self.statement(), self.signature)

    def is_cosigned(self, witness: str, signature: str) -> bool:
        return is_signed(witness, COSIGNATURE, self.statement(), signature)


def root_in(found: Any) -> SignedRoot:
    """Read a root from plain data, without fields that later versions add; raise ``ValueError`` if it is none.

    Nothing of it is true until its signature is verified.
    """
    try:
        root = SignedRoot(found["size"], found["root"], found["at"], found["key_id"], found["signature"])
    except (LookupError, TypeError) as error:
        raise ValueError("not a root") from error
    texts = (root.root, root.at, root.key_id, root.signature)
    if type(root.size) is not int or root.size < 1 or not all(isinstance(text, str) for text in texts):
        raise ValueError("not a root")
    try:
        instant(root.at)
    except TypeError as error:
        raise ValueError("not a root") from error
    if not _ROOT_HASH.fullmatch(root.root):
        raise ValueError("not a root")
    return root
