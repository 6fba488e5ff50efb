"""The actions of Plateau."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from domain.field_types import Bounds, Pick, doc
from domain.plateau import board
from domain.plateau.pieces import Face, Kind

Square: TypeAlias = Annotated[board.Square, Pick("square")]
Piece: TypeAlias = Annotated[Kind, Pick("piece")]
Prisoner: TypeAlias = Annotated[Kind, Pick("prisoner")]
Count: TypeAlias = Annotated[int, Bounds(1, 12)]
Height: TypeAlias = Annotated[int, Bounds(0, 23)]


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece to be placed, and the face that it shows."""

    piece: Piece = doc("The piece, out of your reserve.")
    up: Face = doc("The face that lies up.")


@dataclass(frozen=True, slots=True)
class Open:
    """Place the first two pieces, as one unit on an empty square at the edge."""

    square: Square = doc("Where to.")
    pieces: tuple[Placed, ...] = doc("Two pieces: the lower one, then the upper one.")


@dataclass(frozen=True, slots=True)
class Onboard:
    """Place a piece out of the reserve."""

    square: Square = doc("Where to.")
    height: Height = doc("How many pieces will lie below it.")
    piece: Piece = doc("The piece, out of your reserve.")
    up: Face = doc("The face that lies up.")


@dataclass(frozen=True, slots=True)
class Stop:
    """A square on the route where pieces are left behind or picked up."""

    square: Square = doc("Which square of the route.")
    carry: Count = doc("How many pieces continue from there; not as many as arrived.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Move the upper pieces of a unit that you control."""

    from_: Square = doc("Where the move begins.")
    flip: bool = doc("Whether the top piece is turned over first.", default=False)
    lift: Count = doc("How many pieces are lifted.")
    stops: tuple[Stop, ...] = doc("The stops, in the order of the route.", default=())
    to: Square = doc("Where the move ends.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stomp:
    """Capture below a unit without moving it."""

    square: Square = doc("Where.")
    flip: bool = doc("Whether the top piece is turned over first.", default=False)


@dataclass(frozen=True, slots=True)
class Tender:
    """Offer prisoners for exchange."""

    pieces: tuple[Prisoner, ...] = doc("The prisoners, in any order.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Respond:
    """Respond to a tender: give prisoners, or refuse."""

    pieces: tuple[Prisoner, ...] = doc("The prisoners given, in any order; none to refuse.", default=())
    refuse: bool = doc("Whether the tender is refused.", default=False)


@dataclass(frozen=True, slots=True)
class Pass:
    """Forfeit the turn, when no other action is legal."""


Action: TypeAlias = Open | Onboard | Move | Stomp | Tender | Respond | Pass

ACTIONS: Mapping[str, type] = {
    "open": Open,
    "onboard": Onboard,
    "move": Move,
    "stomp": Stomp,
    "tender": Tender,
    "respond": Respond,
    "pass": Pass,
}
