"""What the service signs of the log of heads, for the purpose ``root``, and witnesses for ``cosignature``.

*Statement*: ``{"at", "key_id", "root", "size"}``, the time, the key, the root (64 hex digits) of the tree, and its
number of leaves.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.game.durations import instant
from domain.serialization import Plain
from service.transparency import signatures

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
        return signatures.verify(public_keys, ROOT, self.statement(), self.signature)

    def is_cosigned(self, witness: str, signature: str) -> bool:
        return signatures.is_signed(witness, COSIGNATURE, self.statement(), signature)


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
