"""Contrast in both themes: of letters at least 4.5 to 1, of edges and marks 3 to 1, on whatever they are drawn."""

import re
from itertools import chain
from xml.etree import ElementTree

import pytest

from domain.pictures.blocks import counter
from domain.pictures.cards import face, laid, token
from domain.pictures.svg import Block, group, page
from domain.registry import RULESETS
from tests.docs import pictures
from tests.support.random_games import played

SVG = "{http://www.w3.org/2000/svg}"
RULE = re.compile(r"\.plateau ?\.?([\w-]*)(?: \*)?\{(background|fill|stroke):(#\w{6})(?:\w\w)?\}")
THEMES = pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])

GROUNDS = {
    "card": "paper space on-path",
    "back": "paper space",
    "first": "paper space on-path turn",
    "second": "paper space on-path turn",
    "path": "paper space on-path",
    "rule": "paper space card on-path",
    "star": "paper space card on-path",
    "legal": "paper card",
    "fresh": "space on-path",
    "edge": "paper turn light-tile dark-tile black white",
    "frame": "paper light-tile dark-tile",
    "touched": "light-tile dark-tile",
    "hollow": "white",
    "first-side": "paper rim",
    "second-side": "paper rim",
    "ring": "space on-path",
    "wave": "space on-path",
}
"""What edges and marks are drawn on. A card's face stands out by its edge, or else by its own colour."""

OUTLINED = {"card": "rule", "space": "rule"}
WITHOUT_MEANING = {"shade", "paper", "turn", "on-path", "light-tile", "dark-tile", "rim", "hatch", ""}
"""Classes that nobody has to make out: grounds, and shadows."""


def themes(svg):
    """Read the colours of both themes off a page: [{class: (property, value)} of light, of dark]."""
    light, dark = svg.split("@media (prefers-color-scheme:dark){", 1)
    return [{name: (kind, value) for name, kind, value in RULE.findall(theme)} for theme in (light, dark)]


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def box(shape):
    """Return the box around a shape: left, top, right, bottom."""
    if shape.tag == f"{SVG}rect":
        left, top = float(shape.get("x", 0)), float(shape.get("y", 0))
        return left, top, left + float(shape.get("width")), top + float(shape.get("height"))
    if shape.tag == f"{SVG}circle":
        x, y, reach = (float(shape.get(name, 0)) for name in ("cx", "cy", "r"))
        return x - reach, y - reach, x + reach, y + reach
    corners = [*outline(shape.get("d"))]
    across, down = zip(*corners, strict=True)
    return min(across), min(down), max(across), max(down)


def outline(path):
    """Yield points that a path reaches in its middle; one with V is a band, which hangs as low as its arcs."""
    x = y = 0.0
    for command, written in re.findall(r"([MLVA])([^MLVAZ]*)", path):
        values = [float(value) for value in re.findall(r"-?\d*\.?\d+", written)]
        x, y = (x, values[0]) if command == "V" else (values[-2], values[-1])
        rise = values[1] if command == "A" else 0
        if "V" not in path:
            yield from ((x, y - rise), (x, y + rise))
        elif rise:
            yield x, y + rise


def letters_and_grounds(root, filled):
    """Yield the class of every text of a picture, and that of the last shape which was filled beneath its middle."""
    painted = []

    def walk(element, x, y, scale, is_reversed):
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", element.get("transform", ""))
        if moved:
            x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
            scale *= float(moved[3] or 1)
        names = element.get("class", "").split()
        is_reversed = is_reversed or "reversed" in names
        ground = next((name for name in names if name in filled), None)
        if element.tag in (f"{SVG}rect", f"{SVG}circle", f"{SVG}path"):
            if ground and element.get("fill") != "none":
                left, top, right, bottom = box(element)
                painted.append((x + scale * left, y + scale * top, x + scale * right, y + scale * bottom, ground))
        elif element.tag == f"{SVG}text" and element.text:
            inwards = {"start": 4, "middle": 0, "end": -4}[element.get("text-anchor")]
            at_x, at_y = x + scale * (float(element.get("x")) + inwards), y + scale * (float(element.get("y")) - 4)
            beneath = [each[4] for each in painted if each[0] <= at_x <= each[2] and each[1] <= at_y <= each[3]]
            yield "reversed" if is_reversed else ground, beneath[-1]
        for child in element:
            if child.tag != f"{SVG}defs":
                yield from walk(child, x, y, scale, is_reversed)

    yield from walk(root, 0, 0, 1, is_reversed=False)


def drawn():
    """Draw every game at many moments, for a seat and for a spectator."""
    yield from pictures.documents().values()
    for ruleset in RULESETS.values():
        for step in chain(
            played(ruleset.id, max(ruleset.seats), 1)[::9], played(ruleset.id, min(ruleset.seats), 2)[-1:]
        ):
            if step.game.state is not None:
                for viewer in (0, None):
                    yield ruleset.presentation.svg(ruleset.project(step.game.state, viewer))


@pytest.fixture(scope="module")
def palettes():
    """Return the colours of all games together, in each theme."""
    merged = [{}, {}]
    for svg in pictures.documents().values():
        for known, colours in zip(merged, themes(svg), strict=True):
            known.update(colours)
    return merged


@pytest.fixture(scope="module")
def written():
    """Return every pair of a text's class and its ground that occurs in the games' pictures."""
    pairs = set()
    for svg in drawn():
        filled = {name for name, (kind, _) in themes(svg)[0].items() if kind == "fill" and name != "shade"}
        pairs |= {*letters_and_grounds(ElementTree.fromstring(svg), filled)}
    return pairs


def test_both_themes_colour_the_same_things(palettes):
    light, dark = palettes
    assert {name: kind for name, (kind, _) in light.items()} == {name: kind for name, (kind, _) in dark.items()}


@THEMES
def test_letters_stand_out_from_whatever_they_are_written_on(palettes, written, theme):
    value = {name: colour for name, (_, colour) in palettes[theme].items()}
    assert {("ink", "paper"), ("ink", "turn"), ("red", "card"), ("trump", "space"), ("reversed", "first"),
            ("on-black", "face-r"), ("on-white", "white"), ("muted", "space")} <= written  # fmt: skip
    weak = {(text, ground): contrast(value[text], value[ground]) for text, ground in written}
    assert {pair: round(ratio, 2) for pair, ratio in weak.items() if ratio < 4.5} == {}


@THEMES
def test_edges_and_marks_stand_out_from_whatever_they_are_drawn_on(palettes, theme):
    value = {name: colour for name, (_, colour) in palettes[theme].items()}
    pairs = [(mark, ground) for mark, grounds in GROUNDS.items() for ground in grounds.split()]
    weak = {
        (mark, ground): round(contrast(value[OUTLINED.get(mark, mark)], value[ground]), 2)
        for mark, ground in pairs
        if contrast(value[OUTLINED.get(mark, mark)], value[ground]) < 3
    }
    assert weak == {}


def test_every_class_is_held_to_a_contrast(palettes, written):
    read = {text for text, _ in written} | {ground for _, ground in written}
    assert palettes[0].keys() - WITHOUT_MEANING - read <= GROUNDS.keys()


def test_the_grounds_of_counters_and_cards_are_coloured():
    svg = page("T", "D", [Block(9, group(face("RH"), laid("T1", 0, 0, is_won=True), token("EX"), counter("first", 3)))])
    used = {name for each in ElementTree.fromstring(svg).iter() for name in each.get("class", "").split()}
    assert {"card", "rule", "path", "on-path", "star", "first"} <= used & themes(svg)[0].keys()
