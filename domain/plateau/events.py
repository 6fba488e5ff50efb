"""What can happen in Plateau: facts written out in full, and who can see which part (rules.md, events).

``seat`` is the seat that acted. Fields declared ``secret`` are sealed for all but the seats named. Faces that an action
uncovers follow in an event of their own, because the player does not know them before acting.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.field_types import Bounds, secret
from domain.plateau.actions import Placed, Stop
from domain.plateau.board import Square
from domain.plateau.pieces import Face, Kind
from domain.plateau.stacks import Token

TableSeat: TypeAlias = Annotated[int, Bounds(0, 1)]
PhaseName: TypeAlias = Literal["opening", "play", "response", "over"]
Win: TypeAlias = Literal["prisoners", "unit", "resign", "time"]
Draw: TypeAlias = Literal["agreement", "repetition", "no_progress", "max_plies", "mutual_pass"]
Reason: TypeAlias = Literal[Win, Draw]
"""Why a game ended."""


@dataclass(frozen=True, slots=True)
class UnitOpened:
    """A player placed the first two pieces; only the upper face of the upper one shows."""

    seat: TableSeat
    square: Square
    lower_token: Token
    upper_token: Token
    top: Face
    lower: Placed = secret("seat")
    upper: Kind = secret("seat")


@dataclass(frozen=True, slots=True)
class PieceOnboarded:
    """A player placed a piece out of the reserve, with ``height`` pieces below it, the face ``top`` up.

    ``uncovered`` names the pieces whose upper face becomes public with that.
    """

    seat: TableSeat
    square: Square
    height: int
    token: Token
    top: Face
    uncovered: tuple[Token, ...]
    piece: Kind = secret("seat")


@dataclass(frozen=True, slots=True)
class UnitMoved:
    """A player moved the upper ``lift`` pieces of a unit of ``unit`` pieces; ``landed`` of them came to the end.

    At each stop all pieces were set down, and ``carry`` of them were lifted from the top.
    """

    seat: TableSeat
    from_: Square
    flipped: bool
    unit: int
    lift: int
    stops: tuple[Stop, ...]
    to: Square
    landed: int
    uncovered: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class UnitStomped:
    """A player captured below a unit of ``unit`` pieces, without moving it."""

    seat: TableSeat
    square: Square
    flipped: bool
    unit: int
    uncovered: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class ShownFace:
    """The upper face of a piece, which is public from now on."""

    square: Square
    token: Token
    face: Face


@dataclass(frozen=True, slots=True)
class FacesShown:
    """Faces became public when pieces were handled."""

    faces: tuple[ShownFace, ...]


@dataclass(frozen=True)
class CapturedPiece:
    """A piece taken off the board, as it lay; ``turned``: the other side up than it was placed."""

    token: Token
    piece: Kind
    top: Face
    bottom: Face
    turned: bool


@dataclass(frozen=True, slots=True)
class PiecesCaptured:
    """Pieces were taken prisoner, from the top down; ``shown`` are the faces that this laid bare."""

    by: TableSeat
    square: Square
    pieces: tuple[CapturedPiece, ...]
    shown: tuple[ShownFace, ...]


@dataclass(frozen=True, slots=True)
class PrisonersTendered:
    """A player offered prisoners, worth ``total``, to the other for exchange."""

    seat: TableSeat
    to: TableSeat
    pieces: tuple[Kind, ...]
    total: int


@dataclass(frozen=True, slots=True)
class PrisonersExchanged:
    """A player answered a tender: ``given`` went home to the initiator, ``tendered`` to the player."""

    seat: TableSeat
    initiator: TableSeat
    tendered: tuple[Kind, ...]
    given: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class TenderRefused:
    """A player refused a tender."""

    seat: TableSeat
    initiator: TableSeat
    total: int


@dataclass(frozen=True, slots=True)
class TurnForfeited:
    """A player had no legal action."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """It is a player's turn, after ``ply`` turns.

    ``quiet_plies``: the turns in a row without an onboarding, a capture or an exchange; ``forfeits``: those in a row
    that were forfeited; ``min_tender``: by seat, what a tender must exceed; ``position``: a digest of what is
    public, and ``occurrence``: how many times it has stood at the start of a turn (null and 0 in the opening).
    """

    player: TableSeat
    phase: PhaseName
    ply: int
    quiet_plies: int
    forfeits: int
    min_tender: tuple[int, ...]
    position: str | None
    occurrence: int


@dataclass(frozen=True, slots=True)
class TurnResumed:
    """A player whose tender was refused continues the turn."""

    player: TableSeat
    min_tender: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player resigned."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class TimeLost:
    """A player's time was up, which loses the game."""

    seat: TableSeat


@dataclass(frozen=True, slots=True)
class GameWon:
    """A player won, after ``ply`` turns; the counts are those after the last of them."""

    winner: TableSeat
    reason: Win
    ply: int
    quiet_plies: int
    min_tender: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameDrawn:
    """The game ended without a winner."""

    reason: Draw


@dataclass(frozen=True, slots=True)
class RevealedPiece:
    """A piece on the board, shown at the end; ``turned``: the other side up than it was placed."""

    owner: TableSeat
    token: Token
    piece: Kind
    top: Face
    bottom: Face
    turned: bool


@dataclass(frozen=True, slots=True)
class RevealedStack:
    """A stack, shown at the end, the lowest piece first."""

    square: Square
    pieces: tuple[RevealedPiece, ...]


@dataclass(frozen=True, slots=True)
class RevealedReserve:
    """A reserve, shown at the end."""

    seat: TableSeat
    pieces: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class EverythingRevealed:
    """The game is over: all that was hidden on the board and beside it."""

    stacks: tuple[RevealedStack, ...]
    reserves: tuple[RevealedReserve, ...]


UncoveringEvent: TypeAlias = PieceOnboarded | UnitMoved | UnitStomped
"""Events with a field ``uncovered``."""

PlayerEvent: TypeAlias = (
    UnitOpened
    | UncoveringEvent
    | PrisonersTendered
    | PrisonersExchanged
    | TenderRefused
    | TurnForfeited
    | Resigned
    | TimeLost
)
"""What a player can do; each has a ``seat``, and a line in the history."""

Event: TypeAlias = (
    PlayerEvent | FacesShown | PiecesCaptured | TurnBegan | TurnResumed | GameWon | GameDrawn | EverythingRevealed
)

EVENTS: Mapping[str, type] = {
    "unit_opened": UnitOpened,
    "piece_onboarded": PieceOnboarded,
    "unit_moved": UnitMoved,
    "unit_stomped": UnitStomped,
    "faces_shown": FacesShown,
    "pieces_captured": PiecesCaptured,
    "prisoners_tendered": PrisonersTendered,
    "prisoners_exchanged": PrisonersExchanged,
    "tender_refused": TenderRefused,
    "turn_forfeited": TurnForfeited,
    "turn_began": TurnBegan,
    "turn_resumed": TurnResumed,
    "resigned": Resigned,
    "time_lost": TimeLost,
    "game_won": GameWon,
    "game_drawn": GameDrawn,
    "everything_revealed": EverythingRevealed,
}
