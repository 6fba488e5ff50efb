"""Co-signatures: what witnesses have signed of the roots that this service has shown them.

Anyone can be a witness, so what is kept of strangers is bounded: a few for each root. Those that the operator lists
always have room.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import cast

import redis

from service.store import keys
from service.store.scripts import script

MOST_OF_STRANGERS = 8
"""How many witnesses that are not listed a root keeps."""
_SEARCHED = 100
"""Among how many co-signed roots those of listed witnesses are looked for: in four days, there is one of each."""


@dataclass(frozen=True, slots=True)
class Cosignature:
    """A witness (its public key, 64 hex digits), and its signature (128 hex digits)."""

    witness: str
    signature: str


class Cosignatures:
    """The co-signatures in one Redis; ``listed`` are the public keys of the witnesses whom the operator knows."""

    def __init__(self, client: redis.Redis, listed: Sequence[str] = ()) -> None:
        self._redis = client
        self._listed = listed
        self._keep = script(client, __name__, "cosign")

    def is_listed(self, witness: str) -> bool:
        return witness in self._listed

    def keep(self, size: int, one: Cosignature) -> bool:
        """Keep a co-signature of the root of a size; return whether it is there now. The first of a witness stays."""
        names = [keys.head_cosignatures(size), keys.HEAD_COSIGNED]
        args: list[str | int] = [size, one.witness, one.signature, MOST_OF_STRANGERS, *self._listed]
        return bool(self._keep(names, args))

    def of(self, size: int) -> list[Cosignature]:
        """Return the co-signatures of the root of a size, those of listed witnesses first."""
        found = cast("Mapping[bytes, bytes]", self._redis.hgetall(keys.head_cosignatures(size)))
        kept = [Cosignature(witness.decode(), signature.decode()) for witness, signature in found.items()]
        return sorted(kept, key=lambda each: (not self.is_listed(each.witness), each.witness))

    def firsts_from(self, size: int) -> list[int]:
        """Return the sizes, from this one on, of the first root that each listed witness has co-signed, in order.

        If there are none among the first ``_SEARCHED`` co-signed roots, return that of the first one; none without any.
        """
        found = self._redis.zrangebyscore(keys.HEAD_COSIGNED, size, "+inf", 0, _SEARCHED)
        sizes = [int(each) for each in cast("list[bytes]", found)]
        pipe = self._redis.pipeline(transaction=False)
        for each in sizes if self._listed else ():
            pipe.hmget(keys.head_cosignatures(each), self._listed)
        rows = cast("list[list[bytes | None]]", pipe.execute())
        by_witness = [next(compress(sizes, column), None) for column in zip(*rows, strict=True)]
        return sorted({each for each in by_witness if each is not None}) or sizes[:1]
