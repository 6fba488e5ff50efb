"""Cards in pictures: suits as shapes that need no font, and the faces of the tarot pack and the French pack.

A code that is not a card is drawn as text, so a board can mix cards with marks of its own.
"""

from xml.etree.ElementTree import Element

from domain.cardplay.cards import EXCUSE, TRUMPS, Card, is_of_a_suit, rank_of
from domain.pictures.svg import at, element, group, words

SHAPES = {
    "S": "M0-7C6-2 7.5 0 7 2.6 6.4 5.2 2.8 5.4.8 3 .8 5 1.6 6.3 3 7H-3C-1.6 6.3-.8 5-.8 3-2.8 5.4-6.4 5.2-7 2.6"
    "-7.5 0-6-2 0-7Z",
    "H": "M0 7C-8.5.6-7.8-6.2-3.8-6.2-1.8-6.2-.4-4.9 0-3.4.4-4.9 1.8-6.2 3.8-6.2 7.8-6.2 8.5.6 0 7Z",
    "D": "M0-7.5Q2.2-3 5.8 0 2.2 3 0 7.5-2.2 3-5.8 0-2.2-3 0-7.5Z",
    "C": "M0-7A3.3 3.3 0 0 1 2.5-1.5 3.4 3.4 0 1 1 .8 2.9C.8 5 1.6 6.3 3 7H-3C-1.6 6.3-.8 5-.8 2.9A3.4 3.4 0 1 1"
    "-2.5-1.5 3.3 3.3 0 0 1 0-7Z",
    EXCUSE: "M0-9 2.2-3H8.6L3.5.9 5.3 7 0 3.4-5.3 7-3.5.9-8.6-3H-2.2Z",
}
_STYLES = {"S": "ink", "H": "red", "D": "red", "C": "ink", EXCUSE: "star"}

SYMBOLS: tuple[Element, ...] = tuple(element("path", id=f"card-{name}", d=shape) for name, shape in SHAPES.items())
"""The definitions that a page with cards needs."""

_COURTS = "RDCV"
"""The letters of courts in the tarot pack; a client can show others, such as K Q N J."""

FACE_WIDTH, FACE_HEIGHT = 24, 36
_LAID = 1.3
"""How much larger the cards on the table are."""


def token(code: str) -> Element:
    """Draw a code around the origin: a rank beside its suit, a star for the excuse, anything else in letters."""
    if code == EXCUSE:
        return group(symbol(EXCUSE, 0, 0, 1.2))
    if not is_of_a_suit(code):
        return group(words(code, 0, 5.5, f"token {'trump' if code in TRUMPS else 'muted'}", "middle"))
    rank, suit = rank_of(code), code[-1]
    return group(_rank(rank, -1.5, 5.5, f"token {_STYLES[suit]}", "end"), symbol(suit, 8, 0))


def face(card: Card | None) -> Element:
    """Draw a small card from its upper left corner down: its face, or its back if it is hidden."""
    edge = element("rect", width=FACE_WIDTH, height=FACE_HEIGHT, rx=3, class_=f"rule {'card' if card else 'back'}")
    middle = FACE_WIDTH / 2
    if card is None:
        return group(edge)
    if card == EXCUSE:
        return group(edge, symbol(EXCUSE, middle, FACE_HEIGHT / 2))
    if not is_of_a_suit(card):
        above, below = card[0], card[1:]
        style = "rank trump"
        return group(edge, words(above, middle, 15, style, "middle"), words(below, middle, 31, style, "middle"))
    rank, suit = rank_of(card), card[-1]
    return group(edge, _rank(rank, middle, 15, f"rank {_STYLES[suit]}", "middle"), symbol(suit, middle, 25.5))


def _rank(rank: str, x: float, y: float, style: str, anchor: str) -> Element:
    """Write a rank; that of a court has its place in R D C V, for clients that let readers choose the letters."""
    drawn = words(rank, x, y, style, anchor)
    if rank in _COURTS:
        drawn.set("data-court", str(_COURTS.index(rank)))
    return drawn


def laid(card: Card, x: float, y: float, *, is_won: bool) -> Element:
    """Draw a card on the table around a point, with a frame if it has taken the trick."""
    width, height = FACE_WIDTH * _LAID, FACE_HEIGHT * _LAID
    frame = element("rect", x=-4, y=-4, width=width + 8, height=height + 8, rx=6, class_="path on-path")
    return group(*[frame] * is_won, group(face(card), scale=_LAID), x=x - width / 2, y=y - height / 2)


def symbol(name: str, x: float, y: float, scale: float = 1) -> Element:
    """Draw the shape of a suit, or of the excuse, around a point."""
    return element("use", href=f"#card-{name}", class_=_STYLES[name], transform=at(x, y, scale))
