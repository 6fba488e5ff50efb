"""Pieces and squares as small integers, the encoding of the kernel.

A *code* is a kind with the face that lies up, 0 to 10. A *piece* is ``number << 6 | turned << 5 | owner << 4 | code``,
where the number is that of its token. A *stack* is a tuple of pieces, the lowest first. *Counts* are seven numbers of
pieces, one for each kind, in the order of the rules.
"""

from typing import TypeAlias

from domain.plateau import board
from domain.plateau.pieces import COPIES, FACES, SIDES, UNDER, WORTH, Face, Kind

Stack: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[int, ...]

KINDS: tuple[Kind, ...] = tuple(SIDES)
CODES: tuple[tuple[Kind, Face], ...] = tuple((kind, face) for kind in KINDS for face in FACES[kind])
CODE_OF = {placed: code for code, placed in enumerate(CODES)}
KIND = tuple(KINDS.index(kind) for kind, _ in CODES)
"""The kind of each code."""
FLIPPED = tuple(CODE_OF[kind, UNDER[kind, face]] for kind, face in CODES)
"""The code of each code's piece when it is turned over."""

RED, BLUE, ORANGE, BLANK = range(4)
_FACES: tuple[Face, ...] = ("r", "b", "o", "x")
FACE = tuple(_FACES.index(face) for _, face in CODES)
"""The face that each code shows."""
IS_MARKER = tuple(face != BLANK for face in FACE)
HAS_TWO_FACES = tuple(FLIPPED[code] != code for code in range(len(CODES)))
CODES_OF_KIND = tuple(tuple(CODE_OF[kind, face] for face in FACES[kind]) for kind in KINDS)

WORTHS: Counts = tuple(WORTH[kind] for kind in KINDS)
FULL: Counts = tuple(COPIES[kind] for kind in KINDS)
NONE: Counts = (0,) * len(KINDS)

OWNER, CODE, TURNED, NUMBER = 16, 15, 32, 6
"""The bit of the owner, the mask of the code, the bit of a piece turned over, and the shift of its number."""

RAYS = tuple(board.RAYS[face] for face in _FACES)
"""By face and square, the lines, and the bends of the Twister, along which a unit moves."""


def piece(number: int, owner: int, code: int, *, turned: bool = False) -> int:
    """Return a piece."""
    return number << NUMBER | (TURNED if turned else 0) | (OWNER if owner else 0) | code


def flipped(lying: int) -> int:
    """Turn a piece over."""
    return (lying & ~CODE | FLIPPED[lying & CODE]) ^ TURNED


def worth(counts: Counts) -> int:
    """Return the value of pieces in an exchange."""
    return sum(map(int.__mul__, counts, WORTHS))


def counted(kinds: tuple[Kind, ...]) -> Counts:
    """Count pieces by kind."""
    return tuple(kinds.count(kind) for kind in KINDS)


def listed(counts: Counts) -> tuple[Kind, ...]:
    """List pieces by their names, as the rules order them."""
    return tuple(kind for kind, count in zip(KINDS, counts, strict=True) for _ in range(count))


def plus(counts: Counts, more: Counts) -> Counts:
    """Add counts."""
    return tuple(map(int.__add__, counts, more))


def minus(counts: Counts, less: Counts) -> Counts:
    """Subtract counts."""
    return tuple(map(int.__sub__, counts, less))


def one_less(counts: Counts, kind: int) -> Counts:
    """Take away one piece of a kind."""
    return (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])


def top_unit(stack: Stack) -> int:
    """Count the pieces of the top unit."""
    owner = stack[-1] & OWNER
    size = 0
    for lying in reversed(stack):
        if lying & OWNER != owner:
            break
        size += 1
    return size


def longest_unit(stack: Stack, owner: int) -> int:
    """Count the longest unbroken run of a seat's pieces, wherever it lies in a stack."""
    bit = OWNER if owner else 0
    longest = run = 0
    for lying in stack:
        run = run + 1 if lying & OWNER == bit else 0
        longest = max(longest, run)
    return longest
