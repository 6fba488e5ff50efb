"""A picture of what playouts are worth: the win share of bots by their playouts, from the results of a league."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from bench.league.statistics import Mean
from bench.league.summaries import Summary
from domain.pictures.svg import WIDTH, Block, Colours, element, page, words

LEFT, RIGHT, TOP, BOTTOM = 40, WIDTH - 16, 34, 254
"""Where the curves are drawn, in units of the page."""
LINE = 20
"""How high a line of the key is."""
EVERY, EVEN = 10, 50
"""Lines across the picture, in percentage points, and the darker one among them."""
ASIDE = 3
"""How far curves stand beside each other, so that intervals do not hide each other."""
_STYLES = (
    ("#1d5fb4", "#6aa5f5", "none"),
    ("#b84a00", "#ff9a4d", "8 4"),
    ("#1b7a3d", "#5fd38a", "2 4"),
    ("#6636b3", "#cbb5ff", "10 3 2 3"),
)
"""The colour of each curve in light and dark, and its dashes; they are used again for a fifth curve."""


class Point(NamedTuple):
    """The win share of a bot with so many playouts, in percent, and how far its interval reaches."""

    playouts: int
    share: float
    reach: float


class NoCurve(Exception):
    """There are no results of one bot with several numbers of playouts."""


def curves(summaries: Iterable[Summary]) -> Mapping[str, Sequence[Point]]:
    """Gather the results of bots that stand first and have their playouts in their name, by table, bot and opponent."""
    found: dict[str, list[Point]] = {}
    for each in summaries:
        name, at, playouts = each.bots[0].label.partition("@")
        if at and playouts.isdecimal():
            share = Mean.of_shares(each.shares)
            point = Point(int(playouts), 100 * share.value, 100 * (share.reach or 0))
            found.setdefault(_title(each.duel, name), []).append(point)
    return {title: sorted(points) for title, points in found.items() if len(points) > 1}


def drawn(summaries: Iterable[Summary]) -> str:
    """Draw all curves as SVG; raise ``NoCurve``."""
    found = curves(summaries)
    if not found:
        raise NoCurve("a picture needs a bot with several numbers of playouts, as searcher@100 and searcher@1000")
    points = [point for each in found.values() for point in each]
    scale = _Scale(points)
    content = element("g", words("Win share, %, by playouts a move", WIDTH / 2, 20, "ink strong", "middle"))
    content.extend(_axes(scale, sorted({point.playouts for point in points})))
    for number, (title, each) in enumerate(found.items()):
        content.extend(_curve(scale, number, each))
        content.extend(_key(number, title))
    height = BOTTOM + 30 + LINE * len(found)
    return page("Win share by playouts", _told(found), [Block(height, content)], colours=_COLOURS)


def _title(duel: Mapping[str, Any], name: str) -> str:
    table = duel["table"]
    where = " ".join([f"{table['ruleset_id']}, {table['seats']}", *table["options"]])
    return f"{where}: {name} against {duel['other']['label']}"


def _told(found: Mapping[str, Sequence[Point]]) -> str:
    """Write the curves as text, for screen readers."""
    return " ".join(
        f"{title}: "
        + ", ".join(f"{each.share:.1f} ± {each.reach:.1f} % with {each.playouts:,}" for each in points)
        + "."
        for title, points in found.items()
    )


class _Scale:
    """Where a point is on the page: playouts by their logarithm, shares between the lines around all intervals."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.first, self.last = (log10(max(1, pick(point.playouts for point in points))) for pick in (min, max))
        self.low = max(0, floor(min(min(EVEN, point.share - point.reach) for point in points) / EVERY) * EVERY)
        self.high = min(100, ceil(max(max(EVEN, point.share + point.reach) for point in points) / EVERY) * EVERY)

    def x(self, playouts: int) -> float:
        return LEFT + 8 + (RIGHT - LEFT - 16) * (log10(max(1, playouts)) - self.first) / ((self.last - self.first) or 1)

    def y(self, share: float) -> float:
        inside = max(self.low, min(self.high, share))
        return BOTTOM - (BOTTOM - TOP) * (inside - self.low) / (self.high - self.low)


def _axes(scale: _Scale, playouts: Sequence[int]) -> Iterator[Element]:
    for share in range(scale.low, scale.high + 1, EVERY):
        y = scale.y(share)
        yield element("line", x1=LEFT, y1=y, x2=RIGHT, y2=y, class_="even" if share == EVEN else "grid")
        yield words(str(share), LEFT - 6, y + 4, "ink small", "end")
    for each in playouts:
        yield words(f"{each:,}", scale.x(each), BOTTOM + 18, "ink small", "middle")


def _curve(scale: _Scale, number: int, points: Sequence[Point]) -> Iterator[Element]:
    """Draw a curve with its intervals, a little beside those of other curves."""
    xs = [scale.x(each.playouts) + ASIDE * (number - 1) for each in points]
    for (x, one), (next_x, other) in pairwise(zip(xs, points, strict=True)):
        yield _line(number, (x, scale.y(one.share)), (next_x, scale.y(other.share)), dashed=True)
    for x, each in zip(xs, points, strict=True):
        yield _line(number, (x, scale.y(each.share - each.reach)), (x, scale.y(each.share + each.reach)))
        yield element("circle", cx=x, cy=scale.y(each.share), r=2, class_=_style(number))


def _key(number: int, title: str) -> Iterator[Element]:
    y = BOTTOM + 36 + LINE * number
    yield _line(number, (LEFT - 32, y), (LEFT + 4, y), dashed=True)
    yield words(title, LEFT + 12, y + 4, "ink small")


def _line(number: int, start: tuple[float, float], end: tuple[float, float], *, dashed: bool = False) -> Element:
    (x1, y1), (x2, y2), style = start, end, _style(number)
    dashes = _STYLES[number % len(_STYLES)][2] if dashed else "none"
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style, stroke_width=2, stroke_dasharray=dashes)


def _style(number: int) -> str:
    return f"curve{number % len(_STYLES)}"


_COLOURS: Colours = {
    " .grid": ("stroke", "#ddd6c6", "#2f3542"),
    " .even": ("stroke", "#22252b", "#eceae4"),
    **{f" .{_style(number)}": ("stroke", light, dark) for number, (light, dark, _) in enumerate(_STYLES)},
}
