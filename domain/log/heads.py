"""The head of a game as a leaf of the log of heads: what a server said that the log of a game was."""

from domain.log import chain, merkle


def head_leaf(game_id: str, version: int, head: str) -> bytes:
    """Return the hash of the leaf for the hash (64 hex digits) of a game's event at a version.

    Who does not know the game cannot tell it from the leaf: the head depends on the game's secret, through its
    commitment, so a guess at the rest cannot be tried out.
    """
    return merkle.leaf_hash(chain.canonical({"game_id": game_id, "hash": head, "version": version}))
