"""Plateau as a picture and as text: the stacks as they lie, and what each player has beside the board.

Both are functions of a view alone, so they show what the view does and no more.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from textwrap import wrap
from typing import TypeAlias
from xml.etree.ElementTree import Element

from domain.pictures.blocks import heading
from domain.pictures.lines import bracketed, described, written
from domain.pictures.scene import Scene, pick
from domain.pictures.shown import ALONE, Shown
from domain.pictures.stage import stage
from domain.pictures.svg import EDGE, WIDTH, Block, Colours, element, group, page, words
from domain.pictures.wording import DRAWN, PRINTED, WRITTEN, Wording
from domain.plateau.board import SQUARES, Square
from domain.plateau.endings import ENOUGH
from domain.plateau.picture import discs
from domain.plateau.picture.scenes import (
    SIDES,
    board_sentences,
    face_name,
    page_of,
    pile_in_words,
    player,
    scene_of,
    side_name,
    words_of,
)
from domain.plateau.pieces import FACES, Face, Kind
from domain.plateau.view import PieceView, View
from domain.sentences.catalogue import Catalogue
from domain.sentences.message import seat_number
from domain.table import Seat


def scene(view: View, shown: Shown = ALONE) -> Scene:
    """Return the scene of a view, with the board as its stage."""
    said = words_of(PRINTED, shown)
    board = stage(_board(view, said), board_sentences(view, said), _board_lines(view))
    return replace(page_of(view, shown), stage=board)


def svg(view: View, shown: Shown = ALONE) -> str:
    """Draw a view."""
    around, said, aloud = scene_of(view, DRAWN, shown), words_of(DRAWN, shown), words_of(PRINTED, shown)
    description = described(scene(view, shown), aloud)
    blocks = [heading(around), *_tender(view), _board(view, aloud), *_besides(view, said), _legend(said)]
    return page(around.title, description, blocks, colours=COLOURS)


def text(view: View) -> str:
    """Write a view as text."""
    said = words_of(WRITTEN)
    around = replace(scene_of(view), rows=(), seats=())
    key = ("  (r?) Black, [xx] White", *(f"  {line}" for line in _legend_lines(said)))
    return written(around, said, [*_board_lines(view), "", *key, "", *_players(view, said)])


def _players(view: View, said: Wording) -> Iterator[str]:
    """Write what each player has in reserve, and which prisoners."""
    for reserve, prisoners in zip(view.reserves, view.prisoners, strict=True):
        seat, held = reserve.seat, prisoners.pieces
        turn = ">" if view.to_move == seat else " "
        name = f"{turn} {bracketed(str(seat_number(seat).value), SIDES[seat])} {said.phrase(side_name(seat))}"
        yield f"{name}, reserve {_listed(reserve.count, reserve.pieces)}"
        yield f"      prisoners {_listed(f'{len(held)} of {ENOUGH}', held)}"


def _listed(count: int | str, kinds: Sequence[Kind] | None) -> str:
    return f"{count}: {' '.join(kinds)}" if kinds else str(count)


_Stack: TypeAlias = tuple[PieceView, ...]


def _ranks(view: View) -> Iterator[tuple[str, Mapping[Square, _Stack]]]:
    """List the ranks from the fourth down, each with its squares and what lies on them."""
    for rank in "4321":
        yield rank, {square: view.board.get(square, ()) for square in SQUARES if square[1] == rank}


def _legend_lines(said: Wording, space: str = " ") -> Iterator[str]:
    """Write what the letters of faces and of pieces mean."""
    known: tuple[Face | None, ...] = ("r", "b", "o", "x", None)
    faces = ", ".join(f"{face or discs.UNKNOWN}{space}{said.phrase(face_name(face))}" for face in known)
    yield f"Faces, the upper one first: {faces}"
    yield f"Pieces: {', '.join(f'{kind}{space}{said.card(kind)}' for kind in FACES)}"


# -- drawn --------------------------------------------------------------------------------------------------------

_COLOURS: Colours = {
    " .light-tile": ("fill", "#f3ead6", "#262b35"),
    " .dark-tile": ("fill", "#e6d8b9", "#1d212a"),
    " .frame": ("stroke", "#7d7158", "#7a8292"),
    " .touched": ("stroke", "#8f6300", "#ffd45e"),
}
COLOURS: Colours = {**discs.COLOURS, **_COLOURS}
"""The colours of the classes that only this game has."""

_CELL = 82.0
_LOWEST = 66.0
_LEFT = WIDTH - EDGE - 4 * _CELL
_FLOOR = 9.0


def _board(view: View, said: Wording) -> Block:
    """Draw the ranks from the fourth down, each as high as its tallest stack needs, with their names beside them."""
    touched = set(_SQUARE.findall(view.history[-1].line)) if view.history else set()
    drawn: list[Element] = []
    y = 0.0
    for rank, stacks in _ranks(view):
        height = max(_LOWEST, *(discs.height_of_pile(len(stack)) + 2 * _FLOOR for stack in stacks.values()))
        for place, (square, stack) in enumerate(stacks.items()):
            inside = _square(said.words, square, stack, height, is_touched=square in touched)
            drawn.append(group(*inside, x=_LEFT + _CELL * place, y=y))
            drawn[-1].set("data-pick", pick("square", square))
        drawn.append(words(rank, EDGE + 3, y + height / 2 + 4, "muted strong"))
        y += height
    drawn += [words("abcd"[n], _LEFT + _CELL * (n + 0.5), y + 15, "muted strong", "middle") for n in range(4)]
    frame = element("rect", x=_LEFT, width=4 * _CELL, height=y, class_="frame", fill="none", stroke_width=1.5)
    return Block(y + 26, group(*drawn, frame))


_SQUARE = re.compile("[a-d][1-4]")


@lru_cache(1024)
def _square(said: Catalogue, square: Square, stack: _Stack, height: float, *, is_touched: bool) -> tuple[Element, ...]:
    """Draw a square once for all pictures that show it; nothing changes an element that is drawn."""
    is_light = sum(map(ord, square)) % 2
    parts = [
        element("title", pile_in_words(said, square, stack) if stack else square),
        element("rect", width=_CELL, height=height, class_="light-tile" if is_light else "dark-tile"),
    ]
    if is_touched:
        inner = {"x": 2.5, "y": 2.5, "width": _CELL - 5, "height": height - 5, "rx": 4}
        parts.append(element("rect", **inner, class_="touched", fill="none", stroke_width=2))
    if stack:
        parts.append(group(discs.pile(stack), x=_CELL / 2, y=height - _FLOOR))
    return tuple(parts)


def _tender(view: View) -> Iterator[Block]:
    """Draw the prisoners that are offered, while the tender awaits a response."""
    if view.tender:
        coins = _coins(view.tender.to, view.tender.pieces)
        name = words("Tendered", EDGE + 8, 27, "ink strong")
        yield Block(54, group(_plate(46), name, group(*coins, x=EDGE + 84, y=17)))


def _besides(view: View, said: Wording) -> Iterator[Block]:
    """Draw what each player has beside the board."""
    for reserve, prisoners in zip(view.reserves, view.prisoners, strict=True):
        seat = reserve.seat
        held = (None,) * reserve.count if reserve.pieces is None else reserve.pieces
        yield _name_plate(seat, said, is_to_move=view.to_move == seat)
        yield _rows(
            [
                (f"Reserve: {reserve.count}", _coins(seat, held)),
                (f"Prisoners: {len(prisoners.pieces)} of {ENOUGH}", _coins(1 - seat, prisoners.pieces)),
            ]
        )


def _name_plate(seat: Seat, said: Wording, *, is_to_move: bool) -> Block:
    """Draw a player's name and rim; on a plate, with an arrow, if it is the player's turn."""
    drawn = [
        group(discs.coin_rim(seat), x=EDGE + 34, y=15),
        words(player(seat, said), EDGE + 54, 20, "ink strong"),
    ]
    if is_to_move:
        arrow = element("path", d="M14 9 23 15 14 21Z", class_="ink")
        drawn = [_plate(30), arrow, *drawn]
    return Block(30, group(*drawn))


def _rows(rows: Sequence[tuple[str, Sequence[Element]]]) -> Block:
    """Draw named rows of discs, beside each other where there is room."""
    drawn: list[Element] = []
    x, y, height = float(EDGE), 0.0, 0.0
    for name, coins in rows:
        width = max(discs.COIN * len(coins), 90)
        if x + width > WIDTH - EDGE:
            x, y = EDGE, height
        drawn.append(group(words(name, 2, 15, "muted small"), group(*coins, y=34), x=x, y=y))
        x, height = x + width + discs.COIN / 2, max(height, y + (64 if coins else 22))
    return Block(height + 4, group(*drawn))


def _coins(owner: Seat, kinds: Iterable[Kind | None]) -> list[Element]:
    return [group(discs.coin(owner, kind), x=discs.COIN * (place + 0.5)) for place, kind in enumerate(kinds)]


def _plate(height: float) -> Element:
    return element("rect", x=EDGE, width=WIDTH - 2 * EDGE, height=height, rx=6, class_="turn")


def _legend(said: Wording) -> Block:
    """Draw what the letters mean."""
    lines = [line for each in _legend_lines(said, "\N{NO-BREAK SPACE}") for line in wrap(each, _LONGEST_LEGEND)]
    drawn = [words(line, EDGE, 18 + 15 * place, "muted small") for place, line in enumerate(lines)]
    return Block(14 + 15 * len(lines), group(*drawn))


_LONGEST_LEGEND = 60


# -- written ------------------------------------------------------------------------------------------------------

_INSIDE = 10


def _board_lines(view: View) -> Iterator[str]:
    """Write the ranks from the fourth down, each as high as its tallest stack, with the top piece on top."""
    floor = "  +" + ("-" * _INSIDE + "+") * 4
    yield floor
    for rank, stacks in _ranks(view):
        for height in reversed(range(max(1, *map(len, stacks.values())))):
            cells = (_cell(stack, height).center(_INSIDE) for stack in stacks.values())
            yield f"{' ' if height else rank} |{'|'.join(cells)}|"
        yield floor
    yield "   " + " ".join(file.center(_INSIDE) for file in "abcd")


def _cell(stack: _Stack, height: int) -> str:
    if height >= len(stack):
        return ""
    return bracketed(discs.code(stack[height]), SIDES[stack[height].owner])
