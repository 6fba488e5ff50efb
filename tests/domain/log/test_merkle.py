"""The Merkle tree: the published examples, and whatever random trees show against the definition itself."""

from collections.abc import Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log import merkle
from domain.log.merkle import Frontier, Node, consistency_proof, inclusion_proof, is_consistent, is_included

LEAVES = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")]
LEAVES.append(bytes(range(0x60, 0x70)))
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The roots of the first leaves, none to eight, as in the tests of Certificate Transparency (RFC 6962)."""

sizes = st.integers(1, 70)


class Tree:
    """A tree by the definition in RFC 9162, section 2.1.1, and its nodes as appending makes them."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.leaves = leaves
        self.frontier, self.made = Frontier().grown([merkle.leaf_hash(each) for each in leaves])

    def root(self, size: int) -> bytes:
        return defined_root(self.leaves[:size])

    def read(self, nodes: Sequence[Node]) -> list[bytes]:
        return [self.made[merkle.place(node)] for node in nodes]


def defined_root(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    left = 1
    while 2 * left < len(leaves):
        left *= 2
    return sha256(b"\x01" + defined_root(leaves[:left]) + defined_root(leaves[left:])).digest()


def numbered(size: int) -> Tree:
    return Tree([b"%d" % number for number in range(size)])


@pytest.mark.parametrize("size", range(len(ROOTS)))
def test_roots_are_the_published_ones(size: int) -> None:
    assert Tree(LEAVES[:size]).frontier.root().hex() == ROOTS[size]


def test_proofs_are_the_published_ones() -> None:
    tree = Tree(LEAVES)
    assert [part.hex() for part in inclusion_proof(0, 8, tree.read)] == [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]
    assert [part.hex() for part in consistency_proof(6, 8, tree.read)] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@given(sizes, st.data())
def test_appending_in_any_steps_makes_the_defined_tree(size: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, size))
    tree, begun = numbered(size), numbered(first)
    frontier, made = begun.frontier.grown([merkle.leaf_hash(each) for each in tree.leaves[first:]])
    assert frontier == tree.frontier == merkle.frontier(size, tree.read)
    assert begun.made + made == tree.made
    assert frontier.root() == tree.root(size)


@given(sizes, st.data())
def test_an_inclusion_proof_holds_for_its_leaf_alone(size: int, data: st.DataObject) -> None:
    tree = numbered(size)
    index, other = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
    proof, leaf, root = inclusion_proof(index, size, tree.read), merkle.leaf_hash(tree.leaves[index]), tree.root(size)
    assert is_included(leaf, index, size, proof, root)
    assert (other == index) == is_included(leaf, other, size, proof, root)
    assert not is_included(merkle.leaf_hash(b"another"), index, size, proof, root)
    assert not is_included(leaf, index, size, [*proof, root], root)
    assert not proof or not is_included(leaf, index, size, proof[1:], root)
    assert not is_included(leaf, -1, size, proof, root)


@given(st.integers(0, 70), st.integers(0, 70))
def test_a_consistency_proof_holds_for_trees_that_grew(first: int, second: int) -> None:
    old, new = sorted((first, second))
    tree = numbered(new)
    proof, roots = consistency_proof(old, new, tree.read), (tree.root(old), tree.root(new))
    assert is_consistent(old, roots[0], new, roots[1], proof)
    assert not is_consistent(old, roots[0], new, roots[1], [*proof, roots[0]])
    assert not is_consistent(new + 1, roots[0], new, roots[1], proof)
    assert not proof or not is_consistent(old, roots[0], new, roots[1], proof[:-1])
    assert not is_consistent(old, b"another", new, roots[1], proof)
    assert old == 0 or not is_consistent(old, roots[0], new, b"another", proof)


@given(sizes, st.data())
def test_a_tree_that_rewrote_a_leaf_proves_nothing(size: int, data: st.DataObject) -> None:
    tree = numbered(size)
    old = data.draw(st.integers(1, size))
    changed = data.draw(st.integers(0, old - 1))
    forged = Tree([b"forged" if index == changed else leaf for index, leaf in enumerate(tree.leaves)])
    root = forged.root(size)
    for made in (tree, forged):
        assert not is_consistent(old, tree.root(old), size, root, consistency_proof(old, size, made.read))


def test_there_is_no_proof_of_what_is_not_there() -> None:
    tree = numbered(3)
    with pytest.raises(ValueError, match="no leaf 3"):
        inclusion_proof(3, 3, tree.read)
    with pytest.raises(ValueError, match="does not begin with one of 4"):
        consistency_proof(4, 3, tree.read)
