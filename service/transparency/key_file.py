"""Keys that an operator brings: a file of private keys in PEM, of which the first signs."""

import re
from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

_BLOCK = re.compile(b"-----BEGIN [^-]+-----.*?-----END [^-]+-----", re.DOTALL)


def keys_in(path: Path | None) -> Sequence[Ed25519PrivateKey]:
    """Read the private keys in a file, in their order; there are none without a file.

    Raise ``ValueError`` with a reason unless the file has at least one key, and only Ed25519 keys without a password.
    """
    if path is None:
        return ()
    try:
        blocks = _BLOCK.findall(path.read_bytes())
    except OSError as error:
        raise ValueError(f"the file cannot be read: {error.strerror}") from error
    if not blocks:
        raise ValueError("the file has no private key in PEM")
    return [_key(number, block) for number, block in enumerate(blocks, 1)]


def _key(number: int, block: bytes) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(block, password=None)
    except (TypeError, ValueError, UnsupportedAlgorithm) as error:
        raise ValueError(f"key {number} in the file is not a private key without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"key {number} in the file is not an Ed25519 key")
    return key
