"""Le Plateau as a picture and as text: the board with its counters and the winning path, and the scene beside it.

Both are functions of a view alone, so they show no more than the view.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from math import cos, pi, sin, sqrt
from typing import TypeAlias
from xml.etree.ElementTree import Element

from domain.cardplay.cards import TRUMPS
from domain.le_plateau.board import COORDINATES, STEPS, sides_reached
from domain.le_plateau.events import TrickWon
from domain.le_plateau.picture.scenes import board_sentences, fresh_of, page_of, scene_of, trick_of, words_of
from domain.le_plateau.view import TrickView, View, result_of
from domain.pictures import blocks, lines
from domain.pictures.cards import SYMBOLS, token
from domain.pictures.round_table import roles, round_table, trick_number
from domain.pictures.scene import Scene, Side, Stage, pick
from domain.pictures.shown import ALONE, Shown
from domain.pictures.stage import stage
from domain.pictures.svg import EDGE, WIDTH, Block, Colours, element, group, number, page, words
from domain.pictures.wording import DRAWN, PRINTED, WRITTEN, Wording
from domain.sentences.message import Message, Text, message

_Space: TypeAlias = tuple[str, Side | None, bool]
"""The token of a space, the side of its counter, whether it is on the winning path."""

_BOARDS_KEPT = 64
_COLOURS: Colours = {
    " .ring": ("stroke", "#857c69", "#858c9c"),
    " .wave": ("stroke", "#6636b3", "#cbb5ff"),
    " .rim": ("fill", "#e6dcc6", "#20242c"),
    " .first-side": ("stroke", "#1d5fb4", "#6aa5f5"),
    " .second-side": ("stroke", "#b84a00", "#ff9a4d"),
}
_SIDES: dict[str | None, Side | None] = {"declarer": "first", "opposing": "second", None: None}
_SIZE = 30.0
"""The length of an edge of a space."""

_CORNERS = tuple((_SIZE * cos(pi / 3 * k), _SIZE * sin(pi / 3 * k)) for k in range(6))
_AROUND = 204.0
"""From the middle of the board to a corner of its frame."""

_FRAME_CORNERS = tuple((sin(pi / 3 * k), -cos(pi / 3 * k)) for k in range(6))
_FRAME = f"M{'L'.join(f'{number(_AROUND * x)} {number(_AROUND * y)}' for x, y in _FRAME_CORNERS)}Z"
_EDGES = f"M{'L'.join(f'{number(x)} {number(y)}' for x, y in _CORNERS)}Z"


def scene(view: View, shown: Shown = ALONE) -> Scene:
    """Return the scene of a view, with the board as its stage."""
    return replace(page_of(view, shown), stage=_stage(tuple(_spaces(view)), fresh_of(view), shown.language))


@lru_cache(_BOARDS_KEPT)
def _stage(spaces: Sequence[_Space], fresh: Set[str], language: str) -> Stage:
    """Return the board as the stage; it is the same for everyone who looks, so it is drawn once for all of them."""
    said = words_of(PRINTED, Shown(language=language))
    says = map(said.sentence, board_sentences(spaces, fresh))
    return stage(_board(spaces, fresh, said), says, _board_lines(spaces))


def svg(view: View, shown: Shown = ALONE) -> str:
    """Draw a view."""
    around, said = scene_of(view, DRAWN, shown), words_of(PRINTED, shown)
    aloud = replace(scene_of(view, PRINTED, shown), stage=scene(view, shown).stage)
    rows = [row for row in around.rows if row.id != "trick"]
    table = _table(trick_of(view), around)
    board = _board(_spaces(view), fresh_of(view), said)
    parts = [blocks.heading(around), board, *_key(view, around), *table, blocks.card_rows(rows)]
    description = lines.described(aloud, said)
    return page(around.title, description, [*parts, blocks.seat_table(around.seats)], SYMBOLS, _COLOURS)


def text(view: View) -> str:
    """Write a view as text."""
    board = (*_board_lines(_spaces(view)), "(RH) declarer's side   [RH] opposing side   *RH* winning path")
    return lines.written(scene_of(view), words_of(WRITTEN), board)


def _spaces(view: View) -> list[_Space]:
    """List the spaces in ring order: the token, the side of its counter, whether it is on the winning path."""
    tokens, owners = view.board.tokens or ("",) * len(COORDINATES), view.board.owners
    result = result_of(view)
    path = result.path if result else ()
    return [(code, _SIDES[owners.get(code)], code in path) for code in tokens]


# -- drawn --------------------------------------------------------------------------------------------------------


def _board(spaces: Sequence[_Space], fresh: Set[str], said: Wording) -> Block:
    """Draw the board with a corner on top, where each ring begins."""
    placed = list(zip(COORDINATES, spaces, strict=True))
    on_path = {place for place, (_, _, is_on_path) in placed if is_on_path}
    parts = [element("path", d=_FRAME, class_="rim")]
    parts += [element("path", d=_side(k), class_=f"{side}-side") for side, k in _sides_joined(spaces)]
    parts += [_space(said, place, *space, is_fresh=space[0] in fresh) for place, space in placed]
    parts.append(element("path", d="".join(_outline(on_path)), class_="path", pathLength=1))
    return Block(2 * _AROUND + 8, group(*parts, x=WIDTH / 2, y=_AROUND + 4))


def _side(k: int) -> str:
    """Trace a side of the frame, without its corners."""
    (x, y), (to_x, to_y) = (tuple(_AROUND * 0.965 * part for part in _FRAME_CORNERS[(k + by) % 6]) for by in (0, 1))
    ends = ((x + (to_x - x) * by, y + (to_y - y) * by) for by in (0.12, 0.88))
    return f"M{'L'.join(f'{number(x)} {number(y)}' for x, y in ends)}"


def _sides_joined(spaces: Sequence[_Space]) -> Iterator[tuple[Side, int]]:
    """List the sides of the board that the largest part of a team's spaces joins."""
    tokens = tuple(code for code, _, _ in spaces)
    for side in ("first", "second"):
        joined = sides_reached(tokens, [code for code, owner, _ in spaces if owner == side], "six_sides")
        yield from ((side, k) for k in range(6) if joined >> k & 1)


def _space(
    said: Wording, place: tuple[int, int], code: str, side: Side | None, is_on_path: bool, *, is_fresh: bool
) -> Element:
    x, y = _centre(place)
    parts = [element("path", d=_EDGES, class_=f"rule {'on-path' if is_on_path else 'space'}")]
    if side:
        parts.append(blocks.counter(side, 21))
    if side and is_fresh:
        parts.append(group(element("path", d=_EDGES, class_="fresh"), scale=0.86))
    parts.append(element("g", _mark(code), class_="reversed") if side == "first" else _mark(code))
    space = group(element("title", _tooltip(said, code, side, is_on_path)), *parts, x=x, y=y)
    if code:
        space.set("data-pick", pick("space", code))
    return space


def _mark(code: str) -> Element:
    """Draw what a space is called: a number in a ring for that of a trick, and over a wave for a trump."""
    if code.startswith("#"):
        ring = element("circle", r=14, class_="ring")
        return group(ring, words(code[1:], 0, 5.5, "token muted", "middle"))
    if code in TRUMPS:
        wave = element("path", d="M-9 12Q-4.5 7 0 12T9 12", class_="wave")
        return group(words(code[1:], 0, 4, "token trump", "middle"), wave)
    return token(code)


def _table(trick: TrickView | TrickWon | None, scene: Scene) -> Iterator[Block]:
    """Draw the table with the trick, once there is one."""
    if trick:
        winner = trick.winner if isinstance(trick, TrickWon) else None
        yield round_table(
            scene.seats, trick.cards, roles(trick.cards, winner), [trick_number(trick.number)], is_clockwise=True
        )


def _key(view: View, scene: Scene) -> Iterator[Block]:
    """Draw what the marks on the board mean."""
    if not view.board.owners:
        return
    own = next((line.side for line in scene.seats if line.is_viewer), None)
    hexagon = group(element("path", d=_EDGES, class_="fresh"), scale=0.27)
    marks = [(blocks.counter(side, 6.5), f"{whose}{', yours' if side == own else ''}") for side, whose in _WHOSE]
    marks += [(hexagon, "dashed: last trick")] * bool(fresh_of(view))
    parts: list[Element] = []
    x = EDGE + 8.0
    for mark, meaning in marks:
        parts += [group(mark, x=x, y=10), words(meaning, x + 13, 14, "muted small")]
        x += 30 + 5.8 * len(meaning)
    yield Block(24, group(*parts))


_WHOSE: tuple[tuple[Side, str], ...] = (("first", "declarer"), ("second", "opposing"))


def _tooltip(said: Wording, code: str, side: Side | None, is_on_path: bool) -> str:
    space = Text(said.card(code)) if code else Message("scene.space.blank")
    owned = message(f"scene.space.{side or 'free'}", space=space)
    return said.sentence(message("scene.space.path", space=owned) if is_on_path else owned)


def _centre(place: tuple[int, int]) -> tuple[float, float]:
    q, r = place
    return 1.5 * _SIZE * q, sqrt(3) * _SIZE * (r + q / 2)


def _outline(places: set[tuple[int, int]]) -> Iterator[str]:
    """Trace the edges between the places and their surroundings, each way around in one stroke."""
    ahead = dict(_edges(places))
    while ahead:
        first = start = next(iter(ahead))
        yield f"M{start[0]} {start[1]}"
        while (start := ahead.pop(start)) != first:
            yield f"L{start[0]} {start[1]}"
        yield "Z"


def _edges(places: set[tuple[int, int]]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """List the edges from corner to corner, with the places always on the same hand, so that each leads to the next."""
    for q, r in sorted(places):
        x, y = _centre((q, r))
        corners = [(number(x + dx), number(y + dy)) for dx, dy in _CORNERS]
        for k, (dq, dr) in enumerate(STEPS):  # step k crosses the edge from corner k to corner k + 1
            if (q + dq, r + dr) not in places:
                yield corners[k], corners[(k + 1) % 6]


# -- written ------------------------------------------------------------------------------------------------------

_COLUMN = 7


def _board_lines(spaces: Sequence[_Space]) -> Iterator[str]:
    """Write the board in seven columns, each space half a line below or above its neighbours."""
    rows: dict[int, dict[int, str]] = {}
    for (q, r), (code, side, is_on_path) in zip(COORDINATES, spaces, strict=True):
        marked = f"*{code}*" if is_on_path else lines.bracketed(code or ".", side)
        rows.setdefault(2 * r + q, {})[q] = marked.center(_COLUMN)
    for row in sorted(rows):
        yield "".join(rows[row].get(column, " " * _COLUMN) for column in range(-3, 4))
