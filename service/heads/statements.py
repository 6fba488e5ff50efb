"""What the service signs of the log of heads, for the purpose ``root``, and witnesses for ``cosignature``.

*Statement*: ``{"at", "key_id", "root", "size"}``, the time, the key, the root (64 hex digits) of the tree, and its
number of leaves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from domain.serialization import Plain
from service.signing import signatures

ROOT = "root"
COSIGNATURE = "cosignature"


@dataclass(frozen=True, slots=True)
class SignedRoot:
    """The root of the tree of a size, as the service signed it: 64 hex digits, signature 128 hex digits."""

    size: int
    root: str
    at: str
    key_id: str
    signature: str

    @classmethod
    def of(cls, shown: Mapping[str, Any]) -> Self:
        """Read a root as a service shows it, which can have more parts; raise ``KeyError`` if one is missing."""
        return cls(shown["size"], shown["root"], shown["at"], shown["key_id"], shown["signature"])

    def statement(self) -> dict[str, Plain]:
        """Return what the service signed."""
        return {"at": self.at, "key_id": self.key_id, "root": self.root, "size": self.size}

    def is_signed(self, public_keys: Mapping[str, str]) -> bool:
        """Return whether one of these keys, by their ids, signed the root."""
        return signatures.verify(public_keys, ROOT, self.statement(), self.signature)

    def is_cosigned(self, witness: str, signature: str) -> bool:
        """Return whether a witness, by its public key, signed the same statement."""
        return signatures.is_signed(witness, COSIGNATURE, self.statement(), signature)
