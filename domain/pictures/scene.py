"""A scene: everything that a position shows to people, as data. Pictures, texts and clients are made from it.

A ruleset builds a ``Scene`` from a view. ``blocks`` draws it, ``lines`` writes it, and ``stage`` draws the board alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from domain.cardplay.cards import Card
from domain.cardplay.tricks import Played
from domain.field_types import PickKind
from domain.pictures.wording import Wording
from domain.sentences.message import AtSeat, Message, Number, message
from domain.table import Seat

Side = Literal["first", "second"]
"""One of two sides at the table: the first has round counters, written (…), the second square ones, written […]."""


def pick(kind: PickKind, value: str | int) -> str:
    """Name a drawn thing by the value that it stands for in an action."""
    return f"{kind}:{value}"


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What is shown of a seat; ``note`` is what it bid, or which part it plays; ``name`` is its player's, if known."""

    seat: Seat
    side: Side | None
    note: str
    cards: int | None
    score: int | None
    is_viewer: bool
    is_to_act: bool
    name: str = ""
    is_dealer: bool = False


@dataclass(frozen=True, slots=True)
class Goal:
    """How far a side has come: ``done`` of the ``target``, where ``most`` is all that there is.

    ``says`` is the same in words, and ``art`` a picture of it, as an SVG like that of a stage.
    """

    side: Side | None
    done: int
    target: int
    most: int
    says: str
    is_reached: bool
    art: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """How a value of a field is offered: ``path`` is that of the field, such as ``bid.contract``, or ``type``.

    The offers of a field are in the order of display; a value that cannot be chosen is shown, too.
    ``art`` is a picture, ``note`` what it is worth, and ``is_grave`` whether to ask before it is sent.
    """

    path: str
    value: str
    note: str = ""
    art: str | None = None
    is_grave: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """A card or a piece as it lies. ``face`` is its code, None if it lies face down; ``name`` puts it into words.

    ``note`` stands below it; ``covers``: a card lies face down beneath; ``is_legal``: the viewer can choose it now.
    ``pick`` is what it stands for in an action, None if it can stand for nothing. ``art`` is its picture as an SVG like
    that of a stage, None for a card, whose face says all. ``seat`` is who played it, if that is known, and
    ``is_winning``: it takes the trick, as far as it is played. ``refused`` is why the viewer cannot choose it now, if
    the game says so of each thing.
    """

    face: str | None
    name: str
    pick: str | None = None
    note: str = ""
    covers: bool = False
    is_legal: bool = False
    art: str | None = None
    seat: Seat | None = None
    is_winning: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Things that lie together, under a name. ``id`` stays the same from version to version.

    ``seat`` is whose they are, None without one; ``pick`` is what the whole row stands for in an action.
    """

    id: str
    name: str
    things: Sequence[Thing]
    seat: Seat | None = None
    pick: str | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A board: an SVG without style, ids or anything else from outside, and sentences that say what it shows.

    ``text`` draws it for a terminal: lines in ASCII, with the marks of the sides' counters around what is theirs.
    """

    svg: str
    says: Sequence[str]
    text: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of the score sheet: a hand that was played, and what each seat won or lost by it.

    ``cells`` say what is written down for each seat, and ``steps`` how it was calculated.
    """

    name: str
    scores: Sequence[int]
    cells: Sequence[str]
    steps: Sequence[str]


def sheet_line(wording: Wording, name: Message, scores: Sequence[int], steps: Iterable[Message]) -> SheetLine:
    """Write a line of a sheet on which scores are written as they are."""
    return SheetLine(
        wording.sentence(name), scores, tuple(map(wording.score, scores)), tuple(map(wording.sentence, steps))
    )


@dataclass(frozen=True, slots=True)
class Scene:
    """A position in reading order: title, lines of text, the board if there is one, rows, seats, the score sheet.

    ``totals`` stand below the sheet: what each seat has so far. ``goals`` are what the sides play for, and ``offers``
    how values are offered that are no things. The next seat sits to the left, or with ``is_counterclockwise`` to the
    right.
    """

    title: str
    lines: Sequence[str]
    rows: Sequence[Row]
    seats: Sequence[SeatLine]
    stage: Stage | None = None
    sheet: Sequence[SheetLine] = ()
    totals: Sequence[str] = ()
    goals: Sequence[Goal] = ()
    offers: Sequence[Offer] = ()
    is_counterclockwise: bool = False

    @property
    def viewer(self) -> Seat | None:
        """Return the seat from which the scene is seen."""
        return next((line.seat for line in self.seats if line.is_viewer), None)


AT_THE_SEATS = ("scene.turn.", "scene.dealer")
"""How the messages begin that a page shows at the seats: whose turn it is, and who deals."""


def beside_the_seats(said: Iterable[Message]) -> Iterator[Message]:
    """Leave out what a page shows at the seats."""
    return (each for each in said if not each.id.startswith(AT_THE_SEATS))


def card_thing(
    wording: Wording,
    card: Card | None,
    note: str = "",
    *,
    covers: bool = False,
    is_legal: bool = False,
    seat: Seat | None = None,
) -> Thing:
    """Show a card, None for one that lies face down."""
    if card is None:
        return Thing(None, wording.say("scene.face_down"), note=note, covers=covers, seat=seat)
    return Thing(card, wording.card(card), pick("card", card), note, covers, is_legal, seat=seat)


def faces(wording: Wording, cards: Iterable[Card | None] | None) -> tuple[Thing, ...]:
    """Show cards as they are, without notes; none where they are not known."""
    return tuple(card_thing(wording, card) for card in cards or ())


def hand_row(wording: Wording, seat: Seat, cards: Iterable[Card] | None, viewer: Seat | None = None) -> Row:
    """Return the row of a seat's hand; it is empty where the hand is not known."""
    playable = wording.shown.playable
    things = tuple(card_thing(wording, card, is_legal=card in playable) for card in cards or ())
    is_own = wording.style.addresses and seat == viewer
    said = Message("scene.hand.own") if is_own else message("scene.hand", seat=AtSeat(seat))
    return Row(f"hand:{seat}", wording.sentence(said), things, seat)


class HandSeen(Protocol):
    """A hand, as a view shows it."""

    @property
    def seat(self) -> Seat:
        """Return the seat that holds it."""

    @property
    def cards(self) -> Sequence[Card] | None:
        """Return its cards, None if the viewer does not see them."""


def viewer_of(hands: Iterable[HandSeen], wording: Wording) -> Seat | None:
    """Return the seat from which a table is seen: the one named, or else the only one whose cards are shown."""
    seen = [hand.seat for hand in hands if hand.cards is not None]
    return seen[0] if len(seen) == 1 else wording.shown.viewer


def trick_row(
    wording: Wording, number: int, cards: Iterable[Played], winner: Seat | None, winning: Seat | None = None
) -> Row:
    """Return the row of a trick, in the order played; it is named for its winner, if it is taken.

    ``winning`` is the seat whose card would take it as it is.
    """
    said = message("scene.trick", number=Number(number))
    if winner is not None:
        said = message("scene.trick.won", number=Number(number), winner=AtSeat(winner))
    return Row("trick", wording.sentence(said), _played(wording, cards, winning if winner is None else winner))


def last_trick_row(wording: Wording, cards: Iterable[Played], winner: Seat) -> Row:
    """Return the row of the trick before the one on the table."""
    name = wording.sentence(message("scene.trick.last", winner=AtSeat(winner)))
    return Row("last-trick", name, _played(wording, cards, winner))


def _played(wording: Wording, cards: Iterable[Played], winning: Seat | None) -> tuple[Thing, ...]:
    things = (card_thing(wording, each.card, wording.seat(each.seat), seat=each.seat) for each in cards)
    return tuple(replace(thing, is_winning=thing.seat == winning) for thing in things)


def trick_title(number: int, led: Iterable[Played]) -> Message:
    """Name the trick whose cards are shown: the one with this number once it is led, and before that the last one."""
    if number == 1 or any(True for _ in led):
        return message("scene.title.trick", number=Number(number))
    return message("scene.title.taken", number=Number(number - 1))
