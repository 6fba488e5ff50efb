"""The state of a game of Le Plateau, and what can be read off it.

``Hand`` is the story of a hand up to the play: deal, bidding, exchange, partners. ``Table`` holds the cards as they lie
now: the hands, the tricks, the counters. ``phase`` names the module that decides what happens next.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

from domain.cardplay.cards import Card, Hands
from domain.cardplay.tricks import TrickCard
from domain.le_plateau import events as ev
from domain.le_plateau.actions import TableSeat, TeamSize
from domain.le_plateau.board import Objective, Space, places
from domain.le_plateau.dealt import DealtPile, ShownGift, ShownHand, ShownPiles, ShownTalonCard
from domain.le_plateau.deck import Shape, shape_for
from domain.le_plateau.events import PhaseName, Side
from domain.le_plateau.options import Options
from domain.recording import hidden
from domain.table import Seat


class BidView(TypedDict):
    """What was bid; ``exchange`` is left out where a bid has no such part (6 players, edition 2022)."""

    exchange: NotRequired[bool]
    objective: Objective
    team: TeamSize


@dataclass(frozen=True)
class Spoken:
    """One turn in the bidding; a null bid is a pass, with value null."""

    seat: TableSeat
    bid: BidView | None
    value: int | None


@dataclass(frozen=True)
class Contract:
    """The contract as it stands; the exchanger keeps the knowledge of the exchange after an abdication."""

    declarer: TableSeat
    partners: tuple[TableSeat, ...]
    exchanger: TableSeat | None
    exchange: bool
    objective: Objective
    team: TeamSize
    value: int


@dataclass(frozen=True, slots=True)
class Announced:
    """An announced card; ``holder`` is None if no hand has it, and until ``answered``."""

    card: Card
    holder: Seat | None = None
    answered: bool = False


@dataclass(frozen=True)
class Raised:
    """One seat's chance to raise: the new objective, or null."""

    seat: TableSeat
    objective: Objective | None
    abdicated: bool


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile of two cards as it lies: a card is None once it is gone, or turned up."""

    top: Card | None
    under: Card | None = field(repr=False)


@dataclass(frozen=True)
class Hand:
    """The story of one hand up to the play. ``discard`` and ``taken`` are in deck order.

    ``groups`` are those of a talon that was turned face up; ``chosen`` is the one that the exchanger took.
    """

    number: int = 0
    deal_number: int = 0
    dealer: Seat = 0
    tokens: tuple[Space, ...] = ()
    dealt: Hands = hidden()
    dealt_piles: tuple[tuple[DealtPile, ...], ...] = hidden()
    talon: tuple[Card, ...] = hidden()
    bids: tuple[Spoken, ...] = ()
    contract: Contract | None = None
    groups: tuple[tuple[Card, ...], ...] = ()
    chosen: int | None = None
    taken: tuple[Card, ...] = hidden()
    discard: tuple[Card, ...] = hidden()
    gifts: tuple[ShownGift, ...] = hidden()
    talon_dealt: tuple[ShownTalonCard, ...] = hidden()
    announced: tuple[Announced, ...] = ()
    raises: tuple[Raised, ...] = ()


@dataclass(frozen=True)
class Table:
    """The cards and counters as they lie. ``held`` is by seat, each hand in deck order."""

    held: Hands = hidden()
    piles: tuple[tuple[Pile, ...], ...] = hidden()
    trick: tuple[TrickCard, ...] = ()
    tricks: tuple[ev.TrickWon, ...] = ()
    declarer_spaces: frozenset[Space] = frozenset()
    opposing_spaces: frozenset[Space] = frozenset()


ShownGiftView = TypedDict("ShownGiftView", {"from": TableSeat, "to": TableSeat, "card": Card})
"""A dictionary, for JSON is written from views as they are, and no attribute is named ``from``."""
ShownGiftView.__doc__ = "A gift in a result."


@dataclass(frozen=True)
class HandResult:
    """A finished hand: its result, and everything that its end made public. ``by`` is null if it was void."""

    hand_number: int
    deal_number: int
    dealer: TableSeat
    contract: Contract | None
    by: Side | None
    path: tuple[Space, ...]
    value: int
    scores: tuple[int, ...]
    dealt: tuple[ShownHand, ...]
    piles: tuple[ShownPiles, ...]
    talon: tuple[Card, ...]
    taken: tuple[Card, ...]
    discard: tuple[Card, ...]
    gifts: tuple[ShownGiftView, ...]
    talon_dealt: tuple[ShownTalonCard, ...]
    unplayed: tuple[ShownHand, ...]
    unturned: tuple[ShownHand, ...]


@dataclass(frozen=True)
class State:
    """A game of Le Plateau."""

    options: Options
    seats: int
    phase: PhaseName
    hand: Hand
    table: Table
    scores: tuple[int, ...]
    results: tuple[HandResult, ...] = ()
    stops: bool = False
    """Whether this hand is the last by agreement."""
    won: ev.HandWon | None = None
    revealed: ev.HandRevealed | None = None
    """How a hand was decided and what it made public, until it is scored."""


def initial(options: Options, seats: int) -> State:
    """Return the state before the first deal."""
    return State(options, seats, "deal", Hand(), Table(), (0,) * seats)


def contract_of(state: State) -> Contract:
    """Return the contract of a hand whose bidding is over."""
    if state.hand.contract is None:
        raise AssertionError("this hand has no contract")
    return state.hand.contract


def shape_of(state: State) -> Shape:
    """Return the deck of a game, and how it is dealt."""
    return shape_for(state.seats, state.options.deck, state.options.edition)


def forehand(state: State) -> Seat:
    """Return the seat to the dealer's left, which speaks and leads first."""
    return (state.hand.dealer + 1) % state.seats


def side_of(state: State, seat: Seat) -> Side:
    """Return the side for which a seat plays."""
    contract = contract_of(state)
    return "declarer" if seat == contract.declarer or seat in contract.partners else "opposing"


def on_board(state: State, codes: Iterable[str]) -> tuple[Space, ...]:
    """Return the spaces of the board that cards and tricks claim, in ring order."""
    place = places(state.hand.tokens)
    return tuple(sorted((code for code in codes if code in place), key=place.__getitem__))
