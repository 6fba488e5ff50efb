"""Plateau as a picture and as text: the stacks as they lie, and what each player has beside the board.

Both are functions of a view alone, so they show what the view does and no more.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias
from xml.etree.ElementTree import Element

from domain.pictures import caption as around
from domain.pictures.caption import Caption, Side
from domain.pictures.svg import EDGE, WIDTH, Block, element, group, page, words
from domain.plain import Plain
from domain.plateau.board import SQUARES

View: TypeAlias = Mapping[str, Plain]

_SIDES: tuple[Side, Side] = ("first", "second")
_NAMES = ("Black", "White")
_REASONS = {
    "prisoners": "six prisoners",
    "unit": "a unit of six",
    "resign": "resignation",
    "agreement": "agreement",
    "repetition": "repetition",
    "no_progress": "turns without progress",
    "max_plies": "the number of turns",
    "mutual_pass": "forfeits one after the other",
}


def svg(view: View) -> str:
    """Draw a view."""
    caption = _caption(view)
    beside = [words(line, EDGE, 14 + 18 * place, "ink") for place, line in enumerate(_players(view))]
    blocks = [around.heading(caption), _board(view), Block(18 * len(beside) + 6, group(*beside))]
    return page(caption.title, around.described(caption, [*_sentences(view), *_players(view)]), blocks)


def text(view: View) -> str:
    """Write a view as text."""
    return around.written(_caption(view), [*_board_lines(view), "", *_players(view)])


def _caption(view: View) -> Caption:
    if view["phase"] == "over":
        title = "The game is over"
    else:
        title = "Opening" if view["phase"] == "opening" else f"Turn {view['plies'] + 1}"
    return Caption(title, tuple(_lines(view)), (), ())


def _lines(view: View) -> Iterator[str]:
    if view["history"]:
        yield f"Last: {view['history'][-1]['line']}"
    if view["tender"]:
        yield f"{_NAMES[view['tender']['seat']]} tenders {' '.join(view['tender']['pieces'])}"
    if view["end"]:
        winner, why = view["end"]["winner"], _REASONS[view["end"]["reason"]]
        yield f"A draw by {why}" if winner is None else f"{_NAMES[winner]} wins by {why}"
    elif view["to_move"] is not None:
        yield f"{_NAMES[view['to_move']]} is {'to answer' if view['phase'] == 'response' else 'to move'}"


def _players(view: View) -> Iterator[str]:
    """Say what each player has in reserve, and which prisoners."""
    for reserve, prisoners in zip(view["reserves"], view["prisoners"], strict=True):
        shown = "" if reserve["pieces"] is None else f": {' '.join(reserve['pieces'])}"
        mark = around.bracketed(str(reserve["seat"]), _SIDES[reserve["seat"]])
        yield f"{mark} {_NAMES[reserve['seat']]}, reserve {reserve['count']}{shown}"
        yield f"    prisoners: {' '.join(prisoners['pieces']) or 'none'}"


def _faces(piece: View) -> str:
    """Write a piece by its upper and its lower face; ``?`` is what the view does not tell."""
    return f"{piece['top'] or '?'}{piece['bottom'] or '?'}"


def _sentences(view: View) -> Iterator[str]:
    for square in SQUARES:
        if square in view["board"]:
            pieces = (f"{_NAMES[piece['owner']]} {_faces(piece)}" for piece in view["board"][square])
            yield f"{square}, from the bottom: {', '.join(pieces)}"


# -- drawn --------------------------------------------------------------------------------------------------------

_CELL = 82.0
_LEFT = WIDTH - EDGE - 4 * _CELL
_PITCH = 13.0


def _board(view: View) -> Block:
    """Draw the squares with their stacks, and the names of files and ranks beside them."""
    drawn = [_square(index, view["board"].get(square, ())) for index, square in enumerate(SQUARES)]
    for n in range(4):
        drawn.append(words("abcd"[n], _LEFT + _CELL * (n + 0.5), 4 * _CELL + 14, "muted small", "middle"))
        drawn.append(words("4321"[n], EDGE, _CELL * (n + 0.5) + 4, "muted small"))
    return Block(4 * _CELL + 24, group(*drawn))


def _square(index: int, stack: Sequence[View]) -> Element:
    edge = element("rect", width=_CELL, height=_CELL, class_="rule space")
    scale = min(1.0, (_CELL - 6) / (_PITCH * max(len(stack), 1)))
    pieces = [_piece(piece, _PITCH * place) for place, piece in enumerate(reversed(stack))]
    pile = group(*pieces, x=_CELL / 2, y=_CELL - 3 - _PITCH * scale * len(stack), scale=scale)
    return group(edge, pile, x=_LEFT + _CELL * (index % 4), y=_CELL * (3 - index // 4))


def _piece(piece: View, y: float) -> Element:
    mark = group(around.counter(_SIDES[piece["owner"]], 4), x=-14, y=6.5)
    return group(mark, words(_faces(piece), -4, 11, "ink"), y=y)


# -- written ------------------------------------------------------------------------------------------------------

_COLUMN = 8


def _board_lines(view: View) -> Iterator[str]:
    """Write each rank from its highest stack down, the files beside each other."""
    for rank in "4321":
        stacks = [view["board"].get(file + rank, ()) for file in "abcd"]
        for height in reversed(range(max(1, *map(len, stacks)))):
            yield (rank if height == 0 else " ") + "".join(_cell(stack, height).center(_COLUMN) for stack in stacks)
        yield ""
    yield " " + "".join(file.center(_COLUMN) for file in "abcd")
    yield ""
    yield "(r?) Black   [xx] White   upper face, then lower face"


def _cell(stack: Sequence[View], height: int) -> str:
    if height >= len(stack):
        return "" if stack or height else "."
    return around.bracketed(_faces(stack[height]), _SIDES[stack[height]["owner"]])
