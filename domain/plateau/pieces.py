"""The pieces of Plateau: two-sided discs, their faces and their worth (rules.md, board and pieces)."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["A", "TW", "RM", "BM", "R", "B", "M"]
"""Ace, Twister, Red Mask, Blue Mask, Red, Blue, Mute: in this order wherever pieces are listed."""

Face: TypeAlias = Literal["r", "b", "o", "x"]
"""Red, blue, orange, and ``x`` for blank. The coloured ones are markers."""

BLANK: Face = "x"

SIDES: dict[Kind, tuple[Face, Face]] = {
    "A": ("r", "b"),
    "TW": ("o", "x"),
    "RM": ("r", "x"),
    "BM": ("b", "x"),
    "R": ("r", "r"),
    "B": ("b", "b"),
    "M": ("x", "x"),
}
WORTH: dict[Kind, int] = {"A": 21, "TW": 15, "RM": 10, "BM": 8, "R": 5, "B": 4, "M": 1}
COPIES: dict[Kind, int] = {"A": 1, "TW": 1, "RM": 1, "BM": 1, "R": 2, "B": 2, "M": 4}

SET: tuple[Kind, ...] = tuple(kind for kind, copies in COPIES.items() for _ in range(copies))
"""The twelve pieces that each player begins with."""

FACES: dict[Kind, tuple[Face, ...]] = {kind: tuple(dict.fromkeys(sides)) for kind, sides in SIDES.items()}
"""The different faces that a piece can show."""

UNDER: dict[tuple[Kind, Face], Face] = {
    (kind, up): sides[1] if up == sides[0] else sides[0] for kind, sides in SIDES.items() for up in sides
}
"""The face below, by the piece and the face above."""

KIND_OF: dict[tuple[Face, Face], Kind] = {(up, under): kind for (kind, up), under in UNDER.items()}
"""The piece, by the face above and the face below, which identify it."""

_PLACE = {kind: place for place, kind in enumerate(SIDES)}


def in_order(kinds: Iterable[Kind]) -> tuple[Kind, ...]:
    """Sort pieces as they are always listed, the most valuable first."""
    return tuple(sorted(kinds, key=_PLACE.__getitem__))


def worth(kinds: Iterable[Kind]) -> int:
    """Add up what pieces are worth in an exchange."""
    return sum(WORTH[kind] for kind in kinds)


def without(kinds: Sequence[Kind], gone: Iterable[Kind]) -> tuple[Kind, ...]:
    """Remove pieces from a listing, each as often as it is named and present."""
    left = list(kinds)
    for kind in gone:
        if kind in left:
            left.remove(kind)
    return tuple(left)


def holds(kinds: Sequence[Kind], wanted: Iterable[Kind]) -> bool:
    """Return whether a listing has all the pieces wanted, each often enough."""
    wanted = tuple(wanted)
    return all(wanted.count(kind) <= kinds.count(kind) for kind in set(wanted))
