"""Receipts: signed statements that the log of a game has a hash at a version.

A receipt is one JSON object: what a statement says (``game``, ``version``, ``hash``, ``at``, ``key_id``), and its
``signature``. A write and a later read of the same version get the same bytes.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal

import orjson

from service.store.codec import Head, canonical
from service.transparency.key_ring import KeyRing
from service.transparency.signatures import verify

PURPOSE = "receipt"
InLog = Literal["matches", "contradicts", "unknown"]
"""What the log of a game says to a receipt."""
_KEPT = 512
"""How many receipts a process keeps, because many ask for those of the same versions."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt as a client presents it; nothing of it is true until its signature is verified."""

    game: str
    version: int
    hash: str
    at: str
    key_id: str
    signature: str

    def is_signed_by(self, public_keys: Mapping[str, str]) -> bool:
        statement = asdict(self)
        return verify(public_keys, PURPOSE, statement, statement.pop("signature"))

    def contradicts(self, other: "Receipt") -> bool:
        """Return whether both cannot be true of one log: they give one version of a game two heads.

        If both are signed, they are proof against anyone who has the keys.
        """
        is_same_place = (self.game, self.version) == (other.game, other.version)
        return is_same_place and (self.hash, self.at) != (other.hash, other.at)


class Receipts:
    def __init__(self, ring: KeyRing) -> None:
        self.ring = ring
        self._written = lru_cache(_KEPT)(self._write)

    def of(self, head: Head) -> str:
        """Return the receipt for a version of a game: ASCII, one line."""
        return self._written(head, self.ring.key_id)

    def _write(self, head: Head, _key_id: str) -> str:
        named = {"at": head.at, "game": head.game, "hash": head.hash, "version": head.version}  # asdict takes longer
        signed = self.ring.sign(PURPOSE, named)
        return canonical({**signed.statement, "signature": signed.signature}).decode()


def receipt_in(content: bytes | str) -> Receipt:
    """Read a receipt; raise ``ValueError`` unless it has all parts, each of its type, and nothing more."""
    try:
        found: Any = orjson.loads(content)
        receipt = Receipt(**found)
    except (TypeError, ValueError) as error:
        raise ValueError("not a receipt") from error
    texts = (receipt.game, receipt.hash, receipt.at, receipt.key_id, receipt.signature)
    if type(receipt.version) is not int or not all(isinstance(text, str) for text in texts):
        raise ValueError("not a receipt")
    return receipt
