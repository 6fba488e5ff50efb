"""Discs in pictures: piled on a square and seen a little from above, or lying beside the board with both faces shown.

The rim is the owner's: dark with a full dot for Black, light with an open square for White. The rim of a piled disc has
a strip along its upper edge in the colour of the upper face, and one along its lower edge for the face below. A face
that the viewer does not know has no strip, and ``?`` for its letter.
"""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from domain.pictures.svg import Colours, element, group, words
from domain.plateau.pieces import SIDES, Face, Kind
from domain.plateau.view import PieceView
from domain.table import Seat

UNKNOWN = "?"

COLOURS: Colours = {
    " .black": ("fill", "#2b2e36", "#0b0c0f"),
    " .white": ("fill", "#fffdf7", "#e9e4d8"),
    " .on-black": ("fill", "#ffffff", "#f4f1ea"),
    " .on-white": ("fill", "#22252b", "#1a1c21"),
    " .hollow": ("stroke", "#22252b", "#1a1c21"),
    " .edge": ("stroke", "#757984", "#7d828c"),
    " .face-r": ("fill", "#c92039", "#c4364b"),
    " .face-b": ("fill", "#2860c8", "#3566cc"),
    " .face-o": ("fill", "#f08c00", "#f59f2a"),
    " .face-x": ("fill", "#d3ccbb", "#b3aea2"),
    " .face-none": ("fill", "#6c7589", "#5b6476"),
    " .shade": ("fill", "#00000026", "#00000066"),
}
"""The colours of the classes of discs, in light and in dark mode."""

_OWNERS = ("black", "white")
_DARK_FACES: tuple[Face, ...] = ("r", "b")

# -- piled --------------------------------------------------------------------------------------------------------

REACH, _FLAT = 31.0, 8.0
"""Half the width of a disc, and half the height at which its round face is seen."""

THICK = 20.0
_STRIP = 4.5


def height_of_pile(count: int) -> float:
    """Return how high a pile of discs is drawn."""
    return THICK * count + 2 * _FLAT if count else 0


def pile(stack: Sequence[PieceView]) -> Element:
    """Draw a stack, standing on the origin."""
    drawn = [element("path", d=_round(REACH + 3, _FLAT + 2), class_="shade", transform=f"translate(2 {-_FLAT + 1:g})")]
    for place, piece in enumerate(stack):
        drawn.append(group(*_rim(piece), y=-_FLAT - THICK * (place + 1)))
    return group(*drawn, group(*_top(stack[-1]), y=-_FLAT - THICK * len(stack)))


def _rim(piece: PieceView) -> Iterator[Element]:
    """Draw a disc from the side; its upper face lies at the origin."""
    owner = piece.owner
    yield element("path", d=_band(0, THICK), class_=f"{_OWNERS[owner]} edge")
    for face, upper in ((piece.top, 0.0), (piece.bottom, THICK - _STRIP)):
        if face is not None:
            yield element("path", d=_band(upper, upper + _STRIP), class_=f"face-{face} edge")
    middle = THICK / 2 + _FLAT
    yield group(mark(owner), x=-17, y=middle - 1)
    yield words(code(piece), 2, middle + 3.5, f"small strong on-{_OWNERS[owner]}", "middle")


def _top(piece: PieceView) -> Iterator[Element]:
    face = piece.top
    yield element("path", d=_round(REACH, _FLAT), class_=f"face-{face or 'none'} edge")
    yield words(face or UNKNOWN, 0, 4, f"strong {_on(face)}", "middle")


def mark(owner: Seat) -> Element:
    """Draw the mark on a player's rims."""
    if owner == 0:
        return element("circle", r=3.4, class_="on-black")
    return element("rect", x=-2.8, y=-2.8, width=5.6, height=5.6, class_="hollow", fill="none", stroke_width=1.6)


def code(piece: PieceView) -> str:
    """Write a piece by its upper and its lower face; ``?`` is a face that the viewer does not know."""
    return f"{piece.top or UNKNOWN}{piece.bottom or UNKNOWN}"


def _on(face: Face | None) -> str:
    """Return the class of letters on a face."""
    return "on-black" if face in (*_DARK_FACES, None) else "on-white"


def _band(upper: float, lower: float) -> str:
    """Return the path of the front of a rim between two heights."""
    arc = f"{REACH:g} {_FLAT:g} 0 0"
    return f"M{-REACH:g} {upper:g}V{lower:g}A{arc} 0 {REACH:g} {lower:g}V{upper:g}A{arc} 1 {-REACH:g} {upper:g}Z"


def _round(wide: float, flat: float) -> str:
    arc = f"A{wide:g} {flat:g} 0 0 1"
    return f"M{-wide:g} 0{arc} {wide:g} 0{arc} {-wide:g} 0Z"


# -- beside the board ---------------------------------------------------------------------------------------------

COIN = 28.0
"""The width that a lying disc takes up."""

BELOW = 12.0
"""The height of the name below a lying disc."""

_RADIUS, _INNER = 12.0, 8.5


def coin(owner: Seat, kind: Kind | None) -> Element:
    """Draw a disc from above around the origin, one face to the left and the other to the right, its name below."""
    rim = element("circle", r=_RADIUS, class_=f"{_OWNERS[owner]} edge")
    if kind is None:
        unseen = element("circle", r=_INNER, class_="face-none")
        return group(rim, unseen, words(UNKNOWN, 0, 4.5, "strong on-black", "middle"))
    halves = [
        element("path", d=f"M0 {-_INNER:g}A{_INNER:g} {_INNER:g} 0 0 {sweep} 0 {_INNER:g}Z", class_=f"face-{face}")
        for sweep, face in enumerate(SIDES[kind])
    ]
    return group(rim, *halves, words(kind, 0, _RADIUS + 12, "ink small", "middle"))


def coin_rim(owner: Seat) -> Element:
    """Draw a player's rim from the side around the origin, with its mark."""
    rim = element("rect", x=-14, y=-8, width=28, height=16, rx=3, class_=f"{_OWNERS[owner]} edge")
    return group(rim, mark(owner))
