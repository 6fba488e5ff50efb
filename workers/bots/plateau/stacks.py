"""The properties of a stack that an evaluation needs, calculated once for each stack that occurs."""

from functools import lru_cache
from typing import NamedTuple

from workers.bots.plateau.pieces import BLANK, CODE, FACE, FLIPPED, IS_MARKER, KIND, ORANGE, OWNER, RAYS, Stack

REMEMBERED = 1 << 16
"""How many stacks are cached: some dozens of games have so many."""


class Look(NamedTuple):
    """A stack. Pairs are by owner."""

    owner: int
    unit: int
    """The size of the top unit."""
    strikes: bool
    """Whether the top unit shows a marker, as it lies or turned over."""
    reach: tuple[int, ...]
    """By the square of the stack, where the top unit can land with a marker, as bits."""
    numbers: tuple[int, int]
    runs: tuple[int, int]
    """The longest unit."""
    above: tuple[int, int]
    """How many own pieces lie above the longest unit: as many captures do not touch it."""
    stripped: tuple[tuple[int, ...], tuple[int, ...]]
    """The value lost with the topmost 0, 1, 2 … pieces."""
    standing: tuple[int, int]
    """The value of the pieces on the board, less the cost of those that lie below an enemy's."""


ON_BOARD = 6
"""The value of a piece that has come onto the board, which took a turn."""

LOSS = (38, 34, 26, 22, 20, 16, 4)
"""The cost of losing each kind, beside the count: colour captures, the more so if it can be hidden."""


@lru_cache(maxsize=REMEMBERED)
def look(stack: Stack) -> Look:
    """Look at a stack that is not empty."""
    owners = [1 if lying & OWNER else 0 for lying in stack]
    owner, code = owners[-1], stack[-1] & CODE
    unit = 0
    while unit < len(owners) and owners[-1 - unit] == owner:
        unit += 1
    strikes = IS_MARKER[code] or IS_MARKER[FLIPPED[code]]
    numbers = (owners.count(0), owners.count(1))
    black, white = _longest(owners, 0), _longest(owners, 1)
    stripped = _stripped(stack, owners, 0), _stripped(stack, owners, 1)
    below = stack[:-unit], owners[:-unit]
    pinned = sum(PINNED[KIND[lying & CODE]] for lying, each in zip(*below, strict=True) if each != owner)
    return Look(
        owner,
        unit,
        strikes,
        STRIKES[code][unit],
        numbers,
        (black[0], white[0]),
        (black[1], white[1]),
        stripped,
        (numbers[0] * ON_BOARD - (pinned if owner else 0), numbers[1] * ON_BOARD - (0 if owner else pinned)),
    )


PINNED = tuple(20 + loss // 2 for loss in LOSS)
"""The cost of a piece that cannot move, and waits for the weapon above it."""


def _longest(owners: list[int], owner: int) -> tuple[int, int]:
    """Return the longest run of an owner's pieces, and how many more lie above it."""
    longest = run = above = seen = 0
    for each in reversed(owners):
        if each == owner:
            run += 1
            seen += 1
            if run > longest:
                longest, above = run, seen - run
        else:
            run = 0
    return longest, above


def _stripped(stack: Stack, owners: list[int], owner: int) -> tuple[int, ...]:
    total, sums = 0, [0]
    for lying, each in zip(reversed(stack), reversed(owners), strict=True):
        if each == owner:
            total += LOSS[KIND[lying & CODE]]
            sums.append(total)
    return tuple(sums)


def _mask(face: int, square: int, size: int) -> int:
    ends = (way[1:] if face == ORANGE else way[:size] for way in RAYS[face][square])
    return sum(1 << end for end in {end for way in ends for end in way})


_LONGEST_WAY = 3
_SIZES = (*range(_LONGEST_WAY + 1), *[_LONGEST_WAY] * 9)
"""How far a unit moves, by its size."""

LANDS = tuple(
    tuple(tuple(_mask(face, square, size) if face != BLANK else 0 for size in _SIZES) for square in range(16))
    for face in range(4)
)
"""By the face on top, the square and the size of the top unit: the squares where it can land with a marker, as bits."""

STRIKES = tuple(
    tuple(
        tuple(LANDS[FACE[code]][square][size] | LANDS[FACE[FLIPPED[code]]][square][size] for square in range(16))
        for size in range(len(_SIZES))
    )
    for code in range(len(FACE))
)
"""The same by the code on top, as it lies or turned over, the size and the square."""
