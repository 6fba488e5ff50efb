"""Pictures as SVG: well-formed elements, colours for light and dark, and blocks on a page.

A page is as wide as a small phone, and scales without loss. It contains no script, no reference to anything outside,
and no font except a generic family.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

WIDTH = 360
EDGE = 8
"""The width of a page in units, and how much of it stays free at each edge."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page, as wide as the page, drawn from its own origin down to its height."""

    height: float
    content: Element


def element(tag: str, /, *inside: Element | str, **attributes: str | float) -> Element:
    """Return an element; any text comes first. ``class_`` is written ``class``, ``text_anchor`` ``text-anchor``."""
    made = Element(tag, {_name(name): _written(value) for name, value in attributes.items()})
    for each in inside:
        if isinstance(each, str):
            made.text = each
        else:
            made.append(each)
    return made


def group(*inside: Element, x: float = 0, y: float = 0, scale: float = 1) -> Element:
    """Group elements, with their origin at a point."""
    return element("g", *inside, transform=at(x, y, scale)) if (x, y, scale) != (0, 0, 1) else element("g", *inside)


def at(x: float, y: float, scale: float = 1) -> str:
    """Write the transformation that puts an origin at a point."""
    return f"translate({number(x)} {number(y)})" + (f" scale({number(scale)})" if scale != 1 else "")


def words(content: str, x: float, y: float, style: str, anchor: str = "start") -> Element:
    """Write one line of text, with its base line at ``y``."""
    return element("text", content, x=x, y=y, class_=style, text_anchor=anchor)


def number(value: float) -> str:
    """Write a number of units in a few characters."""
    return f"{round(value, 2) + 0:g}"


def _written(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)


def _name(keyword: str) -> str:
    return keyword.rstrip("_").replace("_", "-")


Colours: TypeAlias = Mapping[str, tuple[str, str, str]]
"""The colour of a class, by its selector: the property, its value in light mode, and in dark mode."""


def page(
    title: str,
    description: str,
    blocks: Sequence[Block],
    symbols: Iterable[Element] = (),
    colours: Colours = MappingProxyType({}),
) -> str:
    """Put blocks under each other on a page; the title and the description are for screen readers.

    ``colours`` are the classes that a game adds to those of every picture.
    """
    height: float = EDGE
    placed = []
    for block in blocks:
        placed.append(group(block.content, y=height))
        height += block.height
    height += EDGE
    root = element(
        "svg",
        element("title", title, id="picture-title"),
        element("desc", description, id="picture-description"),
        element("style", _style(colours)),
        element("defs", *symbols),
        element("rect", width=WIDTH, height=height, class_="paper"),
        *placed,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {number(height)}",
        class_="plateau",
        role="img",
        aria_labelledby="picture-title picture-description",
    )
    return tostring(root, encoding="unicode") + "\n"


_COLOURS: Colours = {
    "": ("background", "#faf7f0", "#14161b"),
    " .paper": ("fill", "#faf7f0", "#14161b"),
    " .ink": ("fill", "#22252b", "#eceae4"),
    " .muted": ("fill", "#5c574d", "#b8b4aa"),
    " .red": ("fill", "#b01030", "#ff9aa6"),
    " .trump": ("fill", "#6636b3", "#cbb5ff"),
    " .star": ("fill", "#855500", "#ffcf4d"),
    " .space": ("fill", "#fffdf8", "#1f232b"),
    " .rule": ("stroke", "#857c69", "#858c9c"),
    " .card": ("fill", "#ffffff", "#262b35"),
    " .back": ("fill", "#6c7589", "#7d869a"),
    " .on-path": ("fill", "#ffe08a", "#463600"),
    " .path": ("stroke", "#22252b", "#ffd45e"),
    " .turn": ("fill", "#ece4d0", "#2a2f3a"),
    " .first": ("fill", "#1d5fb4", "#6aa5f5"),
    " .second": ("stroke", "#b84a00", "#ff9a4d"),
    " .hatch": ("stroke", "#b84a0055", "#ff9a4d55"),
    " .legal": ("stroke", "#1b7a3d", "#5fd38a"),
    " .fresh": ("stroke", "#22252b", "#eceae4"),
    " .reversed *": ("fill", "#ffffff", "#10131a"),
}
"""The colours of the whole picture, and of the classes that every picture has."""

_FORMS = (
    ".plateau text{font-family:system-ui,sans-serif;font-size:13px}"
    ".plateau .title{font-size:17px;font-weight:700}"
    ".plateau .strong{font-weight:700}"
    ".plateau .small{font-size:11px}"
    ".plateau .token{font-size:15px;font-weight:700}"
    ".plateau .rank{font-size:14px;font-weight:700}"
    ".plateau .rule{stroke-width:1}"
    ".plateau .second{fill:none;stroke-width:3.5}"
    ".plateau .legal{fill:none;stroke-width:3}"
    ".plateau .fresh{fill:none;stroke-width:2;stroke-dasharray:5 3}"
    ".plateau :is(.ring,.wave){fill:none}"
    ".plateau .hatch{fill:none;stroke-width:2.5}"
    ".plateau :is(.first-side,.second-side){fill:none;stroke-width:5;stroke-linecap:round}"
    ".plateau .path{fill:none;stroke-width:4;stroke-linecap:round}"
)


def _style(colours: Colours) -> str:
    light, dark = (
        "".join(f".plateau{where}{{{looks[0]}:{looks[theme]}}}" for where, looks in {**_COLOURS, **colours}.items())
        for theme in (1, 2)
    )
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}{_FORMS}"
