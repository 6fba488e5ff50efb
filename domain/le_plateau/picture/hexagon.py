"""A small hexagon that shows sides of the board, joined in its middle."""

from functools import cache
from math import cos, pi, sin

from domain.le_plateau.board import SIDES
from domain.pictures.stage import art
from domain.pictures.svg import element, group

_WIDTH = 48.0
_RADIUS = 20.0
_CORNERS = tuple((_RADIUS * sin(pi / 3 * k), -_RADIUS * cos(pi / 3 * k)) for k in range(len(SIDES) + 1))


@cache
def sides_drawn(lit: int) -> str:
    """Draw the board with some sides lit, which are given as bits."""
    parts = [element("path", d=_edge(k), class_="lit-side" if lit >> k & 1 else "side") for k in range(len(SIDES))]
    parts += [element("path", d=_spoke(k), class_="spoke") for k in range(len(SIDES)) if lit >> k & 1]
    return art(group(*parts, x=_WIDTH / 2, y=_WIDTH / 2), _WIDTH, _WIDTH)


def _edge(k: int) -> str:
    (x, y), (to_x, to_y) = _CORNERS[k : k + 2]
    return f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"


def _spoke(k: int) -> str:
    (x, y), (to_x, to_y) = _CORNERS[k : k + 2]
    return f"M0 0L{(x + to_x) / 2:.1f} {(y + to_y) / 2:.1f}"
