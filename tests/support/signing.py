"""A server and a witness who sign, without any of the service's stores."""

from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.audit.bundle import Bundle
from domain.log import merkle
from domain.log.heads import head_leaf
from service.transparency.signatures import key_id, public_half, sign, signed_text

Line = dict[str, Any]


def key_of(name: str) -> Ed25519PrivateKey:
    """Return the key of somebody, the same in each run."""
    return Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b"."))


class Signer:
    """A server that signs what it shows, and keeps a log of heads."""

    def __init__(self, name: str = "server", leaves: Sequence[bytes] = ()) -> None:
        self.key = key_of(name)
        self.public = public_half(self.key)
        self.keys = {key_id(self.public): self.public}
        self.leaves = [merkle.leaf_hash(bytes([number])) for number in range(5)] if not leaves else [*leaves]

    def signed(self, purpose: str, statement: Line) -> Line:
        made = sign(self.key, key_id(self.public), purpose, statement)
        return {**made.statement, "signature": made.signature}

    def receipt(self, bundle: Bundle, version: int = 0) -> Line:
        """Sign the head of a game at a version, by default the last."""
        event = bundle.events[version - 1]
        named = {"game": event["game_id"], "version": event["version"], "hash": event["hash"], "at": event["at"]}
        return self.signed("receipt", named)

    def proved(self, bundle: Bundle) -> tuple[Line, Line]:
        """Log the head of a game; return the signed root, and the proof."""
        head = bundle.events[-1]
        leaves = [*self.leaves, head_leaf(head["game_id"], head["version"], head["hash"])]
        tree, nodes = merkle.Frontier().grown(leaves)
        root = self.signed("root", {"at": head["at"], "root": tree.root().hex(), "size": tree.size})
        parts = merkle.inclusion_proof(tree.size - 1, tree.size, lambda found: [nodes[merkle.place(n)] for n in found])
        proof = {"version": head["version"], "hash": head["hash"], "index": tree.size - 1, "size": tree.size}
        return root, {**proof, "proof": [part.hex() for part in parts]}

    def listed(self) -> Line:
        """Return the list of keys."""
        known = [{"key_id": each, "algorithm": "Ed25519", "public_key": key} for each, key in self.keys.items()]
        return {"keys": [{**key, "from": "2026-01-01T00:00:00.000Z", "until": None} for key in known]}

    def with_all(self, bundle: Bundle, *witnesses: str) -> Bundle:
        """Add to a bundle all that this server signs of it, and the co-signatures of witnesses."""
        root, inclusion = self.proved(bundle)
        signed = {
            "receipt": [self.receipt(bundle)],
            "root": [root],
            "cosignature": [cosigned(name, root) for name in witnesses],
            "inclusion": [inclusion],
            "keys": [self.listed()],
        }
        return Bundle(bundle.header, bundle.events, bundle.draws, bundle.others, signed)


def cosigned(name: str, root: Mapping[str, Any]) -> Line:
    """Sign a root as a witness."""
    statement = {part: root[part] for part in ("at", "key_id", "root", "size")}
    key = key_of(name)
    signature = key.sign(signed_text("cosignature", statement)).hex()
    return {"size": root["size"], "witness": public_half(key), "signature": signature}
