"""The board of Plateau: 16 squares, and the lines and bends along which a face lets a unit move (rules.md, moving).

Squares are counted from 0, by rank and then by file: a1 b1 c1 d1 a2 ... d4.
"""

from typing import Literal, TypeAlias, get_args

from domain.plateau.pieces import Face

Square: TypeAlias = Literal[
    "a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3", "a4", "b4", "c4", "d4"
]  # fmt: skip
SQUARES: tuple[Square, ...] = get_args(Square)
INDEX: dict[Square, int] = {square: index for index, square in enumerate(SQUARES)}

PERIMETER: tuple[int, ...] = tuple(i for i in range(16) if i % 4 in (0, 3) or i // 4 in (0, 3))
"""The twelve squares at the edge."""

Path: TypeAlias = tuple[int, ...]
"""Squares one after the other, without the one where a move begins."""

_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_STEPS: dict[Face, tuple[tuple[int, int], ...]] = {
    "r": _STRAIGHT,
    "b": _DIAGONAL,
    "x": _STRAIGHT + _DIAGONAL,
}


def _at(file: int, rank: int) -> int | None:
    return rank * 4 + file if file in range(4) and rank in range(4) else None


def _ray(square: int, step: tuple[int, int]) -> Path:
    """Return all squares in one direction, up to the edge."""
    file, rank = square % 4, square // 4
    ray = []
    while (reached := _at(file := file + step[0], rank := rank + step[1])) is not None:
        ray.append(reached)
    return tuple(ray)


def _bends(square: int) -> tuple[Path, ...]:
    """Return the Twister's paths: one square straight, then one diagonally onwards."""
    file, rank = square % 4, square // 4
    paths = []
    for right, up in _STRAIGHT:
        middle = _at(file + right, rank + up)
        for aside in (-1, 1):
            end = _at(file + 2 * right + aside * up, rank + 2 * up + aside * right)
            if middle is not None and end is not None:
                paths.append((middle, end))
    return tuple(paths)


RAYS: dict[Face, tuple[tuple[Path, ...], ...]] = {
    face: tuple(tuple(ray for step in steps if (ray := _ray(square, step))) for square in range(16))
    for face, steps in _STEPS.items()
} | {"o": tuple(_bends(square) for square in range(16))}
"""The longest paths, by face and square. A line can end on any of its squares, a bend only on its last."""


def _routes(face: Face) -> dict[tuple[int, int], Path]:
    return {
        (start, ray[length - 1]): ray[:length]
        for start, rays in enumerate(RAYS[face])
        for ray in rays
        for length in range(len(ray) if face == "o" else 1, len(ray) + 1)
    }


ROUTES: dict[Face, dict[tuple[int, int], Path]] = {face: _routes(face) for face in RAYS}
"""The path between two squares, if there is one, by face and by the squares where a move begins and ends."""
