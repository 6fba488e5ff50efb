"""The state of a game of French Tarot, and ``evolve``, which records events one by one and never judges them.

``Deal`` holds the story of one deal (the cards as dealt, the bidding, the call, the écart, the announcements),
``Table`` the cards as they lie now. A public fact is kept as the event that made it public. ``phase`` names the module
that decides what happens next.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.cardplay.cards import Card, Hands, in_deck_order, without
from domain.cardplay.tricks import SuitOf, TrickCard
from domain.french_tarot import events as ev
from domain.french_tarot.actions import ContractName, TableSeat
from domain.french_tarot.calculation import Calculation
from domain.french_tarot.deck import SHAPES, Shape, suits
from domain.french_tarot.events import PhaseName
from domain.french_tarot.options import Options
from domain.recording import Part, Recorder, hidden, recorded_by, replaced, unchanged
from domain.serialization import changed
from domain.table import Seat

SlamAnswer: TypeAlias = Literal["slam", "petit_chelem", "none"]


@dataclass(frozen=True)
class Spoken:
    """One turn in the bidding; a null contract is a pass."""

    seat: TableSeat
    contract: ContractName | None


@dataclass(frozen=True)
class Called:
    """The called card; once it is ``revealed``, its holder (null: the taker plays alone)."""

    card: Card
    revealed: bool
    partner: TableSeat | None


@dataclass(frozen=True)
class DealResult:
    """A finished deal: how it was calculated, and everything that its end made public."""

    deal_number: int
    dealer: TableSeat
    contract: ev.ContractWon
    called: Card | None
    partner: TableSeat | None
    dealt: tuple[ev.ShownHand, ...]
    chien: tuple[Card, ...]
    ecart: tuple[Card, ...]
    calculation: Calculation
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Deal:
    """The story of one deal. ``players`` are in turn, the first to bid first; sets of cards are in deck order."""

    number: int = 0
    dealer: Seat = 0
    players: tuple[Seat, ...] = ()
    dealt: Hands = hidden()
    chien: tuple[Card, ...] = hidden()
    imprenable: Seat | None = None
    bids: tuple[Spoken, ...] = ()
    contract: ev.ContractWon | None = None
    called: Called | None = None
    turned: bool = False
    ecart: tuple[Card, ...] = hidden()
    shown_trumps: tuple[Card, ...] = ()
    slam: SlamAnswer | None = None
    poignees: tuple[ev.PoigneeShown, ...] = ()
    declined: tuple[Seat, ...] = ()
    miseres: tuple[ev.MisereAnnounced, ...] = ()


@dataclass(frozen=True)
class Table:
    """The cards as they lie. ``held`` is by seat, each hand in deck order."""

    held: Hands = hidden()
    trick: tuple[TrickCard, ...] = ()
    tricks: tuple[ev.TrickWon, ...] = ()


@dataclass(frozen=True)
class State:
    """A game of French Tarot. ``revealed`` is what the end of the deal made public, until the deal is scored."""

    options: Options
    seats: int
    phase: PhaseName
    deal: Deal
    table: Table
    scores: tuple[int, ...]
    results: tuple[DealResult, ...] = ()
    revealed: ev.DealRevealed | None = None


def initial(options: Options, seats: int) -> State:
    """Return the state before the first deal."""
    return State(options, seats, "deal", Deal(), Table(), (0,) * seats)


def contract_of(state: State) -> ev.ContractWon:
    """Return the contract of a deal whose bidding is over."""
    if state.deal.contract is None:
        raise ValueError("the bidding is not over")
    return state.deal.contract


def shape_of(state: State) -> Shape:
    """Return the sizes of this deal."""
    return SHAPES[len(state.deal.players)]


def suits_of(state: State) -> SuitOf:
    """Return the suit that each card counts as in this deal."""
    return suits(imprenable=state.deal.imprenable is not None)


def has_played(state: State, seat: Seat) -> bool:
    """Return whether a seat has played a card in this deal."""
    return bool(state.table.tricks) or any(played.seat == seat for played in state.table.trick)


_DEAL: Part[State, Deal] = Part("deal")
_TABLE: Part[State, Table] = Part("table")


def _cards_dealt(state: State, event: ev.CardsDealt) -> State:
    dealt = tuple(hand.cards for hand in event.hands)
    deal = Deal(event.deal_number, event.dealer, event.players, dealt, event.chien.cards)
    return changed(state, deal=deal, table=Table(dealt))


def _chien_turned(state: State, event: ev.ChienTurned) -> State:
    held = state.table.held
    with_chien = in_deck_order((*held[event.taker], *event.cards))
    return _TABLE.changed(_DEAL.changed(state, turned=True), held=replaced(held, event.taker, with_chien))


def _cards_discarded(state: State, event: ev.CardsDiscarded) -> State:
    held = without(state.table.held, event.seat, event.cards)
    return _TABLE.changed(_DEAL.changed(state, ecart=event.cards), held=held)


def _played(table: Table, event: ev.CardPlayed) -> Mapping[str, object]:
    held = without(table.held, event.seat, (event.card,))
    return {"held": held, "trick": (*table.trick, TrickCard(event.seat, event.card))}


def _deal_scored(state: State, event: ev.DealScored) -> State:
    """Add the scores; a log that lacks the contract or the reveal has no result to show."""
    scores = tuple(total + won for total, won in zip(state.scores, event.scores, strict=True))
    deal, revealed = state.deal, state.revealed
    if deal.contract is None or revealed is None:
        return changed(state, scores=scores)
    result = DealResult(
        deal_number=deal.number,
        dealer=deal.dealer,
        contract=deal.contract,
        called=deal.called.card if deal.called else None,
        partner=revealed.partner,
        dealt=revealed.dealt,
        chien=revealed.chien,
        ecart=revealed.ecart,
        calculation=event.calculation,
        scores=event.scores,
    )
    return changed(state, scores=scores, results=(*state.results, result), revealed=None)


_RECORDERS: Mapping[type, Recorder[State]] = {
    ev.CardsDealt: _cards_dealt,
    ev.PhaseBegan: lambda state, event: changed(state, phase=event.phase),
    ev.PetitSecShown: unchanged,
    **_DEAL.on(ev.PetitImprenableDeclared, lambda _, event: {"imprenable": event.holder}),
    ev.DealThrownIn: unchanged,
    **_DEAL.on(ev.BidMade, lambda deal, event: {"bids": (*deal.bids, Spoken(event.seat, event.contract))}),
    **_DEAL.on(ev.Passed, lambda deal, event: {"bids": (*deal.bids, Spoken(event.seat, None))}),
    **_DEAL.on(ev.ContractWon, lambda _, event: {"contract": event}),
    **_DEAL.on(ev.CardCalled, lambda _, event: {"called": Called(event.card, revealed=False, partner=None)}),
    **_DEAL.on(
        ev.PartnerRevealed, lambda _, event: {"called": Called(event.card, partner=event.partner, revealed=True)}
    ),
    ev.ChienTurned: _chien_turned,
    ev.CardsDiscarded: _cards_discarded,
    **_DEAL.on(ev.TrumpsShown, lambda _, event: {"shown_trumps": event.cards}),
    **_DEAL.on(ev.SlamAnnounced, lambda *_: {"slam": "slam"}),
    **_DEAL.on(ev.PetitChelemAnnounced, lambda *_: {"slam": "petit_chelem"}),
    **_DEAL.on(ev.SlamDeclined, lambda *_: {"slam": "none"}),
    **_DEAL.on(ev.PoigneeShown, lambda deal, event: {"poignees": (*deal.poignees, event)}),
    **_DEAL.on(ev.PoigneeDeclined, lambda deal, event: {"declined": (*deal.declined, event.seat)}),
    **_DEAL.on(ev.MisereAnnounced, lambda deal, event: {"miseres": (*deal.miseres, event)}),
    **_TABLE.on(ev.CardPlayed, _played),
    **_TABLE.on(ev.TrickWon, lambda table, event: {"trick": (), "tricks": (*table.tricks, event)}),
    ev.ExcuseKept: unchanged,
    ev.ExcuseSettled: unchanged,
    ev.DealRevealed: lambda state, event: changed(state, revealed=event),
    ev.DealScored: _deal_scored,
}

evolve: Callable[[State, ev.Event], State] = recorded_by(_RECORDERS)
"""Record an event."""
