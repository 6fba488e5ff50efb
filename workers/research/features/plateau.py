"""What a seat observes of Plateau. The own player comes first."""

from typing import get_args

from domain.plateau.board import INDEX
from domain.plateau.events import PhaseName
from domain.plateau.pieces import SIDES, Face
from domain.plateau.view import PieceView, View
from domain.table import Seat
from workers.research.features.sheet import SEATS, Block, Sheet

_PHASES = {phase: place for place, phase in enumerate(get_args(PhaseName))}
_KINDS = {kind: place for place, kind in enumerate(SIDES)}
_FACES: dict[Face, int] = {face: place for place, face in enumerate(get_args(Face))}
_HEIGHT = 24
_OF_A_PIECE = 2 + 2 * len(_FACES) + 1

BLOCKS: tuple[Block, ...] = (
    Block("phase", (len(_PHASES),), f"the phase: {', '.join(_PHASES)}"),
    Block("black", (1,), "whether you are Black, who opened first"),
    Block(
        "board",
        (16, _HEIGHT, _OF_A_PIECE),
        "by square (a1 b1 … d4) and height: your piece; the enemy's; its upper face, if you know it: "
        f"{', '.join(_FACES)}; its lower face, in the same way; whether it was turned over",
    ),
    Block("reserve", (len(_KINDS),), f"how many pieces you have in reserve: {', '.join(_KINDS)}"),
    Block("reserves", (SEATS,), "how many pieces each player has in reserve, in tenths"),
    Block("prisoners", (SEATS, len(_KINDS)), f"the prisoners that each player holds: {', '.join(_KINDS)}"),
    Block("tender", (SEATS, len(_KINDS)), f"what each player offers: {', '.join(_KINDS)}"),
    Block("least", (SEATS,), "what the next tender of each player must be worth more than, in tenths"),
    Block("turns", (2,), "the number of turns, and of turns without progress, in hundreds"),
    Block("forfeits", (1,), "how many turns in a row were forfeited"),
    Block("repetition", (1,), "how often this position has occurred"),
)


def write(sheet: Sheet, view: View, seat: Seat, _seats: int) -> None:
    sheet.mark("phase", _PHASES[view.phase])
    sheet.put("black", 0, seat == 0)
    for square, stack in view.board.items():
        for height, piece in enumerate(stack):
            _write_piece(sheet, (INDEX[square] * _HEIGHT + height) * _OF_A_PIECE, piece, seat)
    for reserve in view.reserves:
        sheet.put("reserves", reserve.seat ^ seat, reserve.count / 10)
    for kind, place in _KINDS.items():
        sheet.put("reserve", place, (view.reserves[seat].pieces or ()).count(kind))
        for held in view.prisoners:
            sheet.put("prisoners", (held.seat ^ seat) * len(_KINDS) + place, held.pieces.count(kind))
        if view.tender is not None:
            sheet.put("tender", (view.tender.seat ^ seat) * len(_KINDS) + place, view.tender.pieces.count(kind))
    for other, least in enumerate(view.min_tender):
        sheet.put("least", other ^ seat, least / 10)
    sheet.put("turns", 0, view.plies / 100)
    sheet.put("turns", 1, view.quiet_plies / 100)
    sheet.put("forfeits", 0, view.forfeits)
    sheet.put("repetition", 0, view.repetition)


def _write_piece(sheet: Sheet, begin: int, piece: PieceView, seat: Seat) -> None:
    sheet.mark("board", begin + (piece.owner ^ seat))
    if piece.top is not None:
        sheet.mark("board", begin + 2 + _FACES[piece.top])
    if piece.bottom is not None:
        sheet.mark("board", begin + 2 + len(_FACES) + _FACES[piece.bottom])
    sheet.put("board", begin + _OF_A_PIECE - 1, piece.turned)
