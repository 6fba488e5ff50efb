"""The Merkle tree of RFC 9162, section 2.1: one hash, the root, stands for a list of leaves that only grows.

The root of no leaves is the SHA-256 of nothing; a leaf's hash is SHA-256(0x00 || data), that of an inner node
SHA-256(0x01 || left || right), and the left part of a tree has the greatest power of two of leaves below its size.

A *node* is a complete subtree, named by its level and its number there: the node (k, i) is over the leaves
i * 2**k … (i + 1) * 2**k - 1. Nodes never change once they exist, so they are kept in the order in which appending
completes them, each at its ``place``; every root and every proof is put together from a few of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import TypeAlias

HASH_BYTES = 32
"""The length of every hash of the tree."""

Node: TypeAlias = tuple[int, int]
"""A level, counted from 0 for the leaves, and a number there, counted from 0."""

Read: TypeAlias = Callable[[Sequence[Node]], Sequence[bytes]]
"""Returns the hashes of nodes, in their order."""

_Leaves: TypeAlias = tuple[int, int]
"""The leaves from the first to before the second, whose tree is part of a proof."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def place(node: Node) -> int:
    """Return how many nodes were complete before this one, when leaves are appended one by one."""
    level, number = node
    last = ((number + 1) << level) - 1
    return 2 * last - last.bit_count() + level


@dataclass(frozen=True, slots=True)
class Frontier:
    """What appending needs of a tree: its size, and the hashes of the complete subtrees that it consists of.

    There is one subtree for each 1 in the size's binary form, the largest first.
    """

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def root(self) -> bytes:
        """Return the root of the tree."""
        return _joined(self.hashes) if self.hashes else sha256().digest()

    def grown(self, leaves: Sequence[bytes]) -> tuple["Frontier", list[bytes]]:
        """Append leaves, given as their hashes; return the new frontier, and the new nodes in the order of places."""
        size, parts, made = self.size, list(self.hashes), []
        for leaf in leaves:
            parts.append(leaf)
            made.append(leaf)
            size += 1
            for _ in range((size & -size).bit_length() - 1):
                right, left = parts.pop(), parts.pop()
                parts.append(node_hash(left, right))
                made.append(parts[-1])
        return Frontier(size, tuple(parts)), made


def frontier(size: int, read: Read) -> Frontier:
    """Read the frontier of a tree of a size."""
    return Frontier(size, tuple(read([*_nodes((0, size))])))


def inclusion_proof(index: int, size: int, read: Read) -> list[bytes]:
    """Prove that a leaf (counted from 0) is in the tree of a size (section 2.1.3.1)."""
    return _proof(_inclusion_parts(index, size), read)


def consistency_proof(old: int, new: int, read: Read) -> list[bytes]:
    """Prove that the tree of a size begins with all leaves of an older one (section 2.1.4.1), in the same order."""
    return _proof(_consistency_parts(old, new), read)


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Check that the leaf with a hash and an index is in the tree with a size and a root (section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    number, last, found = index, size - 1, leaf
    for part in proof:
        if last == 0:
            return False
        if number & 1 or number == last:
            found = node_hash(part, found)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            found = node_hash(found, part)
        number, last = number >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Check that the tree with a new size and root begins with that of an old size and root (section 2.1.4.2).

    Every tree begins with the tree of no leaves, and with itself; the proof of both is empty.
    """
    if not 0 <= old <= new:
        return False
    if old in (0, new):
        return not proof and old_root == (new_root if old else Frontier().root())
    first, *rest = [old_root, *proof] if old & (old - 1) == 0 else [*proof] or [b""]
    number, last = old - 1, new - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    old_found = new_found = first
    for part in rest:
        if last == 0:
            return False
        if number & 1 or number == last:
            old_found, new_found = node_hash(part, old_found), node_hash(part, new_found)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            new_found = node_hash(new_found, part)
        number, last = number >> 1, last >> 1
    return last == 0 and old_found == old_root and new_found == new_root


def _inclusion_parts(index: int, size: int) -> list[_Leaves]:
    """Return the leaves below each part of a proof, the one nearest to the leaf first."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    start, stop, parts = 0, size, list[_Leaves]()
    while stop - start > 1:
        middle = _middle(start, stop)
        if index < middle:
            parts.append((middle, stop))
            stop = middle
        else:
            parts.append((start, middle))
            start = middle
    return parts[::-1]


def _consistency_parts(old: int, new: int) -> list[_Leaves]:
    """Return the leaves below each part of a proof."""
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves does not begin with one of {old}")
    start, stop, parts = 0, new, list[_Leaves]()
    while old and stop != old:
        middle = _middle(start, stop)
        if old <= middle:
            parts.append((middle, stop))
            stop = middle
        else:
            parts.append((start, middle))
            start = middle
    if start:  # the older tree is not whole on the way, so its last part cannot be known otherwise
        parts.append((start, stop))
    return parts[::-1]


def _middle(start: int, stop: int) -> int:
    """Return where the right part of the tree over some leaves begins."""
    return start + (1 << (stop - start - 1).bit_length() - 1)


def _proof(parts: Sequence[_Leaves], read: Read) -> list[bytes]:
    """Read all nodes of a proof at once, and join those of each part."""
    nodes = [[*_nodes(part)] for part in parts]
    hashes = iter(read([node for part in nodes for node in part]))
    return [_joined([*islice(hashes, len(part))]) for part in nodes]


def _nodes(leaves: _Leaves) -> Iterator[Node]:
    """List the nodes that the tree over some leaves consists of, the largest first."""
    start, stop = leaves
    while start < stop:
        level = (stop - start).bit_length() - 1
        yield level, start >> level
        start += 1 << level


def _joined(hashes: Sequence[bytes]) -> bytes:
    """Return the root over the nodes of a tree, the largest first."""
    *left, root = hashes
    for each in reversed(left):
        root = node_hash(each, root)
    return root
