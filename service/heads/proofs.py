"""What this service has signed of a game, as lines of its bundle."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from domain.log import merkle
from domain.serialization import Plain
from service.heads.cosignatures import Cosignature
from service.heads.head_log import HeadLog
from service.heads.statements import SignedRoot


@dataclass(frozen=True, slots=True)
class Logged:
    """The latest version of a game whose head is logged, the index of its leaf, and a root over it.

    That is the first root that a witness has co-signed, or else the first one, so it stays the same.
    """

    version: int
    index: int
    root: SignedRoot
    cosignatures: tuple[Cosignature, ...]

    def lines(self, log: HeadLog, head: str) -> Iterator[Mapping[str, Plain]]:
        """Return the lines for a game with this hash (64 hex digits) at the version."""
        yield {"root": asdict(self.root)}
        for each in self.cosignatures:
            yield {"cosignature": {"size": self.root.size, **asdict(each)}}
        proof = [part.hex() for part in merkle.inclusion_proof(self.index, self.root.size, log.read)]
        inclusion = {"version": self.version, "hash": head, "index": self.index, "size": self.root.size}
        yield {"inclusion": {**inclusion, "proof": proof}}


def logged(log: HeadLog, game_id: str, version: int) -> Logged | None:
    """Return what is logged of a game up to a version; None if nothing is."""
    found = log.logged(game_id, version)
    if found is None:
        return None
    cosigned = log.cosignatures.first_from(found[1] + 1)
    root = log.first_with(found[1]) if cosigned is None else log.root(cosigned)
    return None if root is None else Logged(*found, root, tuple(log.cosignatures.of(root.size)))
