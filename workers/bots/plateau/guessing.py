"""A guess of the hidden pieces, drawn from a view without its history: enough for one look at the table.

It agrees with every visible face and with the pieces that are not taken, which is enough to value one move. A search
takes its worlds from ``ruleset.sample``, which also knows when each piece was placed.
"""

from collections.abc import Sequence

from domain.chance import Rng
from domain.plateau.board import INDEX
from domain.plateau.events import PrisonersTendered
from domain.plateau.options import Options
from domain.plateau.view import PieceView, View
from workers.bots.plateau.pieces import CODE_OF, CODES, FULL, KIND, NONE, Counts, counted, minus, one_less, piece
from workers.bots.plateau.position import Position
from workers.bots.plateau.translation import PHASES, limits_of


def guessed(options: Options, view: View, seat: int, rng: Rng) -> Position:
    """Return a position that looks like a view from a seat whose turn it is."""
    position = Position(limits_of(options))
    position.phase, position.mover = PHASES[view.phase], seat
    prisoners = [counted(held.pieces) for held in view.prisoners]
    position.prisoners = prisoners[0], prisoners[1]
    mine = next(counted(reserve.pieces or ()) for reserve in view.reserves if reserve.seat == seat)
    hidden = [lying for stack in view.board.values() for lying in stack if lying.owner != seat]
    codes, left = _drawn(hidden, minus(FULL, prisoners[seat]), rng)
    position.reserves = (left, mine) if seat else (mine, left)
    for square, stack in view.board.items():
        position.stacks[INDEX[square]] = tuple(_piece(lying, codes) for lying in stack)
        position.placements = max(position.placements, *(int(lying.token[1:]) for lying in stack))
    position.tender = _tendered(view.tender)
    position.min_tender = view.min_tender[0], view.min_tender[1]
    position.plies, position.quiet, position.forfeits = view.plies, view.quiet_plies, view.forfeits
    return position


def _tendered(tender: PrisonersTendered | None) -> Counts | None:
    return counted(tender.pieces) if tender else None


def _piece(lying: PieceView, codes: dict[str, int]) -> int:
    known = None if lying.piece is None or lying.top is None else CODE_OF[lying.piece, lying.top]
    code = codes[lying.token] if known is None else known
    return piece(int(lying.token[1:]), lying.owner, code, turned=lying.turned)


def _drawn(hidden: Sequence[PieceView], left: Counts, rng: Rng) -> tuple[dict[str, int], Counts]:
    """Draw each piece of the enemy on the board, those with the fewest possibilities first."""
    allowed = [(lying.token, _allowed(lying)) for lying in hidden]
    allowed.sort(key=lambda each: len(each[1]))
    codes: dict[str, int] = {}
    rest = _filled(allowed, 0, left, codes, rng)
    return codes, NONE if rest is None else rest


def _allowed(lying: PieceView) -> list[int]:
    return [
        code
        for code, (kind, face) in enumerate(CODES)
        if lying.top in (face, None) and lying.bottom in (_UNDER[code], None) and lying.piece in (kind, None)
    ]


_UNDER = tuple(next((face for other, face in CODES if other == kind and face != up), up) for kind, up in CODES)


def _filled(
    allowed: Sequence[tuple[str, list[int]]], nth: int, left: Counts, codes: dict[str, int], rng: Rng
) -> Counts | None:
    """Fill the pieces from the given one on; return what is left in reserve, None if nothing fits."""
    if nth == len(allowed):
        return left
    token, possible = allowed[nth]
    order = [code for code in possible for _ in range(left[KIND[code]])]
    rng.shuffle(order)
    for code in dict.fromkeys(order):
        codes[token] = code
        rest = _filled(allowed, nth + 1, one_less(left, KIND[code]), codes, rng)
        if rest is not None:
            return rest
    return None
