"""What a view of Plateau says in words: the last turn, whose turn it is, and what each player has beside the board."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from domain.pictures.scene import Row, Scene, SeatLine, Side, Thing, pick
from domain.pictures.stage import art
from domain.pictures.svg import group
from domain.pictures.wording import WRITTEN, Wording, drawn
from domain.plateau.board import SQUARES
from domain.plateau.endings import ENOUGH
from domain.plateau.picture import discs
from domain.plateau.pieces import Face, Kind
from domain.plateau.view import View
from domain.table import Seat

SIDES: tuple[Side, Side] = ("first", "second")
NAMES = ("Black", "White")
NAMES_OF_KINDS: Mapping[Kind, str] = {
    "A": "Ace",
    "TW": "Twister",
    "RM": "Red Mask",
    "BM": "Blue Mask",
    "R": "Red",
    "B": "Blue",
    "M": "Mute",
}
FACE_NAMES: Mapping[Face | None, str] = {"r": "red", "b": "blue", "o": "orange", "x": "blank", None: "hidden"}
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


def scene_of(view: View, wording: Wording = WRITTEN) -> Scene:
    """Read the scene off a view."""
    if view.phase == "over":
        title = "The game is over"
    else:
        title = "Opening" if view.phase == "opening" else f"Turn {view.plies + 1}"
    eyes = _viewer(view, wording)
    return Scene(title, tuple(_lines(view, wording)), tuple(_rows(view, eyes)), tuple(_seats(view, eyes, wording)))


def _viewer(view: View, wording: Wording) -> Seat | None:
    """Return the seat from which the board is seen: the only one whose reserve is shown, or else the one named."""
    seen = [reserve.seat for reserve in view.reserves if reserve.pieces is not None]
    return seen[0] if len(seen) == 1 else wording.shown.viewer


def _lines(view: View, wording: Wording) -> Iterator[str]:
    if view.history:
        yield f"Last: {view.history[-1].line}"
    if view.tender:
        yield f"{NAMES[view.tender.seat]} tenders {_kinds(view.tender.pieces, wording)}, worth {view.tender.total}"
    if view.end:
        winner, reason = view.end.winner, _REASONS[view.end.reason]
        yield f"A draw by {reason}" if winner is None else f"{NAMES[winner]} wins by {reason}"
    elif view.to_move is not None:
        yield f"{NAMES[view.to_move]} is {'to answer' if view.phase == 'response' else 'to move'}"


def _kinds(kinds: Iterable[Kind], wording: Wording) -> str:
    """List pieces by their letters, or by their names to be spoken."""
    return wording.between.join(kinds if wording is WRITTEN else map(NAMES_OF_KINDS.__getitem__, kinds))


# -- beside the board ---------------------------------------------------------------------------------------------


def _rows(view: View, eyes: Seat | None) -> Iterator[Row]:
    if view.tender:
        yield Row("tender", "Tendered", tuple(_thing(view.tender.to, kind) for kind in view.tender.pieces))
    for reserve, prisoners in zip(view.reserves, view.prisoners, strict=True):
        seat, held = reserve.seat, prisoners.pieces
        known: Sequence[Kind | None] = (None,) * reserve.count if reserve.pieces is None else reserve.pieces
        own = seat == eyes
        in_reserve = tuple(_thing(seat, kind, pick("piece", kind) if own and kind else None) for kind in known)
        captured = tuple(_thing(1 - seat, kind, pick("prisoner", kind) if own else None) for kind in held)
        yield Row(f"reserve:{seat}", f"{NAMES[seat]}, reserve: {reserve.count}", in_reserve, seat)
        yield Row(f"prisoners:{seat}", f"{NAMES[seat]}, prisoners: {len(held)} of {ENOUGH}", captured, seat)


def _thing(owner: Seat, kind: Kind | None, picked: str | None = None) -> Thing:
    coin = group(discs.coin(owner, kind), x=discs.COIN / 2, y=discs.COIN / 2)
    name = NAMES_OF_KINDS[kind] if kind else "a hidden piece"
    return Thing(kind, name, picked, art=art(coin, discs.COIN, discs.COIN + discs.BELOW))


def _seats(view: View, eyes: Seat | None, wording: Wording) -> Iterator[SeatLine]:
    for seat, name in enumerate(NAMES):
        yield SeatLine(
            seat=seat,
            side=SIDES[seat],
            note=name,
            cards=None,
            score=None,
            is_viewer=seat == eyes,
            is_to_act=seat == view.to_move,
            name=wording.name(seat),
        )


# -- in sentences -------------------------------------------------------------------------------------------------


def board_sentences(view: View) -> Iterator[str]:
    """Put what stands on each square into words."""
    for square in SQUARES:
        if square in view.board:
            pieces = (
                f"{NAMES[piece.owner]} {FACE_NAMES[piece.top]} above {FACE_NAMES[piece.bottom]}"
                for piece in view.board[square]
            )
            yield f"{square}, from the bottom: {', '.join(pieces)}"


def player_sentences(view: View, wording: Wording) -> Iterator[str]:
    """Put what each player has beside the board into words."""
    for reserve, prisoners in zip(view.reserves, view.prisoners, strict=True):
        parts = [f"{reserve.count} in reserve", f"{len(prisoners.pieces)} of {ENOUGH} prisoners"]
        for place, kinds in enumerate((reserve.pieces, prisoners.pieces)):
            if kinds:
                parts[place] += f" ({', '.join(map(NAMES_OF_KINDS.__getitem__, kinds))})"
        turn = ["to move"] * (view.to_move == reserve.seat)
        yield "; ".join([f"{player(reserve.seat, wording)}: {parts[0]}", parts[1], *turn])


def player(seat: Seat, wording: Wording) -> str:
    """Name a player by their pieces, with their own name where it is known."""
    name = drawn(wording.shown).name(seat)
    return f"{NAMES[seat]}{f', {name}' if name else ''}{' (you)' if seat == wording.shown.viewer else ''}"
