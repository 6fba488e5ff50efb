"""What this service has signed of a game, as lines of its bundle."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from domain.log import merkle
from domain.serialization import Plain
from service.transparency.cosignatures import Cosignature
from service.transparency.statements import SignedRoot
from service.transparency.transparency_log import TransparencyLog


@dataclass(frozen=True, slots=True)
class Logged:
    """The latest version of a game whose head is logged, the index of its leaf, and roots over it, by size.

    These are the first ones that the listed witnesses have co-signed; or else the first one that any witness has, or
    else the first one. Each comes with its co-signatures. More can come later.
    """

    version: int
    index: int
    roots: tuple[tuple[SignedRoot, tuple[Cosignature, ...]], ...]

    def lines(self, log: TransparencyLog, head: str) -> Iterator[Mapping[str, Plain]]:
        """Return the lines for a game with this hash (64 hex digits) at the version."""
        for root, cosignatures in self.roots:
            yield {"root": asdict(root)}
            for each in cosignatures:
                yield {"cosignature": {"size": root.size, **asdict(each)}}
            proof = [part.hex() for part in merkle.inclusion_proof(self.index, root.size, log.read)]
            inclusion = {"version": self.version, "hash": head, "index": self.index, "size": root.size}
            yield {"inclusion": {**inclusion, "proof": proof}}


def logged(log: TransparencyLog, game_id: str, version: int) -> Logged | None:
    """Return what is logged of a game up to a version; None if nothing is."""
    found = log.logged(game_id, version)
    if found is None:
        return None
    cosigned = [log.root(size) for size in log.cosignatures.firsts_from(found[1] + 1)]
    roots = [root for root in cosigned or [log.first_with(found[1])] if root is not None]
    return Logged(*found, tuple((root, tuple(log.cosignatures.of(root.size))) for root in roots)) if roots else None
