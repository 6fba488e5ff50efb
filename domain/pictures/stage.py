"""Drawings that a page places within itself: a board, or a piece. The page gives them colours and takes their picks."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, tostring

from domain.pictures.cards import SHAPES
from domain.pictures.scene import Stage
from domain.pictures.svg import WIDTH, Block, element, number


def stage(board: Block, says: Iterable[str], text: Iterable[str]) -> Stage:
    """Return a board as a stage, with sentences that say what it shows, and the lines that write it."""
    lines = tuple(line.rstrip() for line in text)
    return Stage(art(board.content, WIDTH, board.height), tuple(says), lines)


def art(drawn: Element, width: float, height: float) -> str:
    """Write what is drawn between the origin and a lower right corner as an SVG to be placed within a page."""
    _without_references(drawn)
    box = f"0 0 {number(width)} {number(height)}"
    root = element("svg", drawn, xmlns="http://www.w3.org/2000/svg", viewBox=box, class_="plateau")
    return tostring(root, encoding="unicode")


def _without_references(drawn: Element) -> None:
    """Draw shapes where they are used, since a page can hold several pictures and their ids would clash."""
    for each in drawn.iter("use"):
        each.tag = "path"
        each.set("d", SHAPES[each.attrib.pop("href").removeprefix("#card-")])
