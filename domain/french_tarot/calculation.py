"""The calculation of a deal, step by step, as it stands in the log and in the view (rules.md, counting and scoring).

Card points are half points, as integers; ``card_points`` writes their sum as a decimal ("41.5"). All other points are
whole.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.cardplay.cards import Card
from domain.french_tarot.actions import TableSeat

Side: TypeAlias = Literal["attack", "defence"]
Level: TypeAlias = Literal["simple", "double", "triple"]
Role: TypeAlias = Literal["taker", "partner", "defender", "sits_out"]
Slam: TypeAlias = Literal["slam", "petit_chelem"]


@dataclass(frozen=True)
class ExcuseCounted:
    """An Excuse that was played: the side that has it, the side that won its trick, and its worth to the attack."""

    card: Card
    player: TableSeat
    owner: Side
    trick_winner: Side
    half_points: int


@dataclass(frozen=True)
class Count:
    """The pile of the attack: its tricks without any Excuse, the écart or the chien, and each Excuse."""

    tricks_half_points: int
    laid_aside: Literal["ecart", "chien"] | None
    laid_aside_half_points: int
    excuses: tuple[ExcuseCounted, ...]
    half_points: int
    card_points: str
    oudlers: tuple[Card, ...]


@dataclass(frozen=True)
class ContractCounted:
    """What the contract is worth: ``points`` is (25 + the difference) times the multiplier, negative if lost.

    ``difference`` is by how much the rounded points exceed the target; ``paid_difference`` is what is paid for it,
    without its sign. ``won_by`` is null where a contract short by half a point is worth nothing.
    """

    target: int
    rounded_points: int
    difference: int
    paid_difference: int
    won_by: Side | None
    multiplier: int
    points: int


@dataclass(frozen=True)
class PetitAuBout:
    """The side that has the bonus, and its worth to the attack."""

    side: Side | None
    points: int


@dataclass(frozen=True)
class PoigneePaid:
    """A poignée that was shown, and its worth to the attack."""

    seat: TableSeat
    level: Level
    points: int


@dataclass(frozen=True)
class SlamCounted:
    """What was announced, the side that won every trick, and the worth of both to the attack."""

    announced: Slam | None
    made_by: Side | None
    points: int


@dataclass(frozen=True)
class Share:
    """What a seat wins or loses: ``times`` the unit ("3", "-1", "1.5"), and the misères."""

    seat: TableSeat
    role: Role
    times: str
    points: int
    misere_points: int
    score: int


@dataclass(frozen=True)
class Calculation:
    """The whole calculation. ``unit`` is what each defender pays the attack; ``steps`` explains it in words."""

    count: Count
    contract: ContractCounted
    petit_au_bout: PetitAuBout
    poignees: tuple[PoigneePaid, ...]
    slam: SlamCounted
    unit: int
    shares: tuple[Share, ...]
    steps: tuple[str, ...]
