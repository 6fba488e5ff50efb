"""What a view of Plateau says in words: the last turn, whose turn it is, and what each player has beside the board."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from domain.pictures.scene import Goal, Row, Scene, SeatLine, Side, Thing, beside_the_seats, pick
from domain.pictures.shown import ALONE, Shown
from domain.pictures.stage import art
from domain.pictures.svg import group
from domain.pictures.wording import PRINTED, WRITTEN, Style, Wording, wording
from domain.plateau.board import SQUARES, Square
from domain.plateau.endings import ENOUGH
from domain.plateau.picture import discs
from domain.plateau.pieces import Face, Kind
from domain.plateau.view import PieceView, View
from domain.sentences.catalogue import Catalogue
from domain.sentences.message import Card, Items, Message, Number, Text, message
from domain.table import Seat

_PACKAGE = "domain.plateau"
SIDES: tuple[Side, Side] = ("first", "second")


def words_of(style: Style, shown: Shown = ALONE) -> Wording:
    """Return the words of this game."""
    return wording(_PACKAGE, style, shown)


def scene_of(view: View, style: Style = WRITTEN, shown: Shown = ALONE) -> Scene:
    """Read the scene off a view, without its stage."""
    said, eyes = words_of(style, shown), _viewer(view, shown)
    lines, rows = tuple(map(said.sentence, _lines(view))), tuple(_rows(view, eyes, said))
    return Scene(said.sentence(_title(view)), lines, rows, tuple(_seats(view, eyes, said)))


def page_of(view: View, shown: Shown) -> Scene:
    """Return the scene of a page, which shows at the seats whose turn it is."""
    said = words_of(PRINTED, shown)
    lines = tuple(map(said.sentence, beside_the_seats(_lines(view))))
    return replace(scene_of(view, PRINTED, shown), lines=lines, goals=tuple(_goals(view, said)))


def _goals(view: View, said: Wording) -> Iterator[Goal]:
    """Return how many prisoners each side has of those with which it wins."""
    for side, prisoners in zip(SIDES, view.prisoners, strict=True):
        done = len(prisoners.pieces)
        says = said.say("scene.goal", done=Number(done), target=Number(ENOUGH))
        yield Goal(side, done, ENOUGH, ENOUGH, says, done >= ENOUGH)


def side_name(seat: Seat) -> Message:
    """Name a side by its pieces."""
    return Message(f"scene.side.{seat}")


def _viewer(view: View, shown: Shown) -> Seat | None:
    """Return the seat from which the board is seen: the only one whose reserve is shown, or else the one named."""
    seen = [reserve.seat for reserve in view.reserves if reserve.pieces is not None]
    return seen[0] if len(seen) == 1 else shown.viewer


def _title(view: View) -> Message:
    if view.phase == "over":
        return Message("scene.title.over")
    if view.phase == "opening":
        return Message("scene.title.opening")
    return message("scene.title.turn", turn=Number(view.plies + 1))


def _lines(view: View) -> Iterator[Message]:
    if view.history:
        yield message("scene.last", line=Text(view.history[-1].line))
    tender = view.tender
    if tender:
        pieces = Items(tuple(map(_kind, tender.pieces)))
        yield message("scene.tenders", side=side_name(tender.seat), pieces=pieces, total=Number(tender.total))
    if view.end:
        winner, reason = view.end.winner, view.end.reason
        if winner is None:
            yield Message(f"scene.draw.{reason}")
        else:
            yield message(f"scene.wins.{reason}", side=side_name(winner))
    elif view.to_move is not None:
        deed = "answer" if view.phase == "response" else "move"
        yield message(f"scene.turn.{deed}", side=side_name(view.to_move))


def _kind(kind: Kind) -> Card:
    return Card(kind)


# -- beside the board ---------------------------------------------------------------------------------------------


def _rows(view: View, eyes: Seat | None, said: Wording) -> Iterator[Row]:
    if view.tender:
        things = tuple(_thing(view.tender.to, kind, said) for kind in view.tender.pieces)
        yield Row("tender", said.sentence(Message("scene.row.tender")), things)
    for reserve, prisoners in zip(view.reserves, view.prisoners, strict=True):
        seat, held, side = reserve.seat, prisoners.pieces, side_name(reserve.seat)
        known: Sequence[Kind | None] = (None,) * reserve.count if reserve.pieces is None else reserve.pieces
        own = seat == eyes
        in_reserve = tuple(_thing(seat, kind, said, pick("piece", kind) if own and kind else None) for kind in known)
        captured = tuple(_thing(1 - seat, kind, said, pick("prisoner", kind) if own else None) for kind in held)
        name = message("scene.row.reserve", side=side, count=Number(reserve.count))
        yield Row(f"reserve:{seat}", said.sentence(name), in_reserve, seat)
        name = message("scene.row.prisoners", side=side, count=Number(len(held)), enough=Number(ENOUGH))
        yield Row(f"prisoners:{seat}", said.sentence(name), captured, seat)


def _thing(owner: Seat, kind: Kind | None, said: Wording, picked: str | None = None) -> Thing:
    return Thing(kind, said.card(kind or "hidden"), picked, art=_drawn(owner, kind))


@cache
def _drawn(owner: Seat, kind: Kind | None) -> str:
    coin = group(discs.coin(owner, kind), x=discs.COIN / 2, y=discs.COIN / 2)
    return art(coin, discs.COIN, discs.COIN + (discs.BELOW if kind else 0))


def _seats(view: View, eyes: Seat | None, said: Wording) -> Iterator[SeatLine]:
    for seat, side in enumerate(SIDES):
        yield SeatLine(
            seat=seat,
            side=side,
            note=said.phrase(side_name(seat)),
            cards=None,
            score=None,
            is_viewer=seat == eyes,
            is_to_act=seat == view.to_move,
            name=said.name(seat),
        )


def board_sentences(view: View, said: Wording) -> Iterator[str]:
    """Put what stands on each square into words."""
    return (pile_in_words(said.words, square, view.board[square]) for square in SQUARES if square in view.board)


@lru_cache(4096)
def pile_in_words(words: Catalogue, square: Square, stack: Sequence[PieceView]) -> str:
    """Put what stands on a square into words; most squares stay as they are from one turn to the next."""
    return Wording(words, PRINTED).sentence(pile_sentence(square, stack))


def pile_sentence(square: Square, stack: Sequence[PieceView]) -> Message:
    """Put what stands on a square into words."""
    return message("scene.pile", square=Text(square), pieces=Items(tuple(map(_piece, stack))))


def _piece(piece: PieceView) -> Message:
    return message(
        "scene.piece", side=side_name(piece.owner), upper=face_name(piece.top), lower=face_name(piece.bottom)
    )


def face_name(face: Face | None) -> Message:
    """Name a face of a piece, None for one that the viewer does not know."""
    return Message(f"scene.face.{face or 'hidden'}")


def player(seat: Seat, said: Wording) -> str:
    """Name a player by their pieces, with their own name where it is known."""
    name, side = said.name(seat), said.phrase(side_name(seat))
    return f"{side}{f', {name}' if name else ''}{' (you)' if seat == said.shown.viewer else ''}"
