"""The state of a game of French Tarot, and ``evolve``: events recorded one by one, never judged.

A deal's story is told once, in ``Deal`` (the cards as dealt, the bidding, the call, the écart, what was announced) and
``Table`` (the cards as they lie now). ``phase`` says which module asks the next question.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from domain.cardplay.cards import Card, in_deck_order
from domain.cardplay.tricks import SuitOf, TrickCard
from domain.french_tarot import events as ev
from domain.french_tarot.actions import ContractName, Misere
from domain.french_tarot.calculation import Level
from domain.french_tarot.deck import SHAPES, Shape, suits
from domain.french_tarot.events import Phase
from domain.french_tarot.options import Options
from domain.serialization import Plain, changed, to_plain
from domain.table import Seat

SlamAnswer: TypeAlias = Literal["slam", "petit_chelem", "none"]


def _hidden() -> Any:
    """Declare a field, empty at first, that no repr shows."""
    return field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn in the bidding; ``contract`` is None for a pass."""

    seat: Seat
    contract: ContractName | None


@dataclass(frozen=True, slots=True)
class Contract:
    """What the taker plays for."""

    taker: Seat
    contract: ContractName
    multiplier: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """That the called card came to light; ``partner`` is None if the taker plays alone."""

    partner: Seat | None


@dataclass(frozen=True, slots=True)
class Poignee:
    """A poignée that was shown."""

    seat: Seat
    level: Level
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class MisereShown:
    """A misère that was announced."""

    seat: Seat
    kind: Misere


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick."""

    number: int
    winner: Seat
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True)
class Deal:
    """The story of one deal. ``players`` are in turn, the first to bid first; sets of cards are in deck order."""

    number: int = 0
    dealer: Seat = 0
    players: tuple[Seat, ...] = ()
    dealt: tuple[tuple[Card, ...], ...] = _hidden()
    chien: tuple[Card, ...] = _hidden()
    imprenable: Seat | None = None
    bids: tuple[Spoken, ...] = ()
    contract: Contract | None = None
    called: Card | None = None
    revealed: Revealed | None = None
    turned: bool = False
    ecart: tuple[Card, ...] = _hidden()
    shown_trumps: tuple[Card, ...] = ()
    slam: SlamAnswer | None = None
    poignees: tuple[Poignee, ...] = ()
    declined: tuple[Seat, ...] = ()
    miseres: tuple[MisereShown, ...] = ()


@dataclass(frozen=True)
class Table:
    """The cards as they lie. ``held`` is by seat, each hand in deck order."""

    held: tuple[tuple[Card, ...], ...] = _hidden()
    trick: tuple[TrickCard, ...] = ()
    tricks: tuple[Trick, ...] = ()


@dataclass(frozen=True)
class State:
    """A game of French Tarot. ``results`` holds what each finished deal made public, as plain data."""

    options: Options
    seats: int
    phase: Phase
    deal: Deal
    table: Table
    scores: tuple[int, ...]
    results: tuple[Mapping[str, Plain], ...] = ()
    revealed: ev.DealRevealed | None = None
    """What the end of a deal made public, until it is scored."""


def initial(options: Options, seats: int) -> State:
    """Give the state before the first deal."""
    return State(options, seats, "deal", Deal(), Table(), (0,) * seats)


def contract_of(state: State) -> Contract:
    """Give the contract of a deal whose bidding is over."""
    return cast("Contract", state.deal.contract)


def shape_of(state: State) -> Shape:
    """Give the sizes of this deal."""
    return SHAPES[len(state.deal.players)]


def suits_of(state: State) -> SuitOf:
    """Say which suit each card counts as in this deal."""
    return suits(imprenable=state.deal.imprenable is not None)


def after(state: State, seat: Seat) -> Seat:
    """Give the player whose turn follows a player's."""
    players = state.deal.players
    return players[(players.index(seat) + 1) % len(players)]


def has_played(state: State, seat: Seat) -> bool:
    """Say whether a seat has played a card in this deal."""
    return bool(state.table.tricks) or any(played.seat == seat for played in state.table.trick)


def evolve(state: State, event: Any) -> State:
    """Record an event."""
    return _RECORDERS[type(event)](state, event)


def _on_deal(state: State, **changes: Any) -> State:
    return changed(state, deal=changed(state.deal, **changes))


def _cards_dealt(state: State, event: ev.CardsDealt) -> State:
    dealt = tuple(hand.cards for hand in event.hands)
    deal = Deal(event.deal_number, event.dealer, event.players, dealt, event.chien.cards)
    return changed(state, deal=deal, table=Table(dealt))


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    return changed(state, phase=event.phase)


def _petit_imprenable_declared(state: State, event: ev.PetitImprenableDeclared) -> State:
    return _on_deal(state, imprenable=event.holder)


def _bid_made(state: State, event: ev.BidMade) -> State:
    return _on_deal(state, bids=(*state.deal.bids, Spoken(event.seat, event.contract)))


def _passed(state: State, event: ev.Passed) -> State:
    return _on_deal(state, bids=(*state.deal.bids, Spoken(event.seat, None)))


def _contract_won(state: State, event: ev.ContractWon) -> State:
    return _on_deal(state, contract=Contract(event.taker, event.contract, event.multiplier))


def _card_called(state: State, event: ev.CardCalled) -> State:
    return _on_deal(state, called=event.card)


def _partner_revealed(state: State, event: ev.PartnerRevealed) -> State:
    return _on_deal(state, revealed=Revealed(event.partner))


def _chien_turned(state: State, event: ev.ChienTurned) -> State:
    held = in_deck_order((*state.table.held[event.taker], *event.cards))
    return _with_hand(_on_deal(state, turned=True), event.taker, held)


def _cards_discarded(state: State, event: ev.CardsDiscarded) -> State:
    return _without(_on_deal(state, ecart=event.cards), event.seat, event.cards)


def _trumps_shown(state: State, event: ev.TrumpsShown) -> State:
    return _on_deal(state, shown_trumps=event.cards)


def _slam_announced(state: State, _event: ev.SlamAnnounced) -> State:
    return _on_deal(state, slam="slam")


def _petit_chelem_announced(state: State, _event: ev.PetitChelemAnnounced) -> State:
    return _on_deal(state, slam="petit_chelem")


def _slam_declined(state: State, _event: ev.SlamDeclined) -> State:
    return _on_deal(state, slam="none")


def _poignee_shown(state: State, event: ev.PoigneeShown) -> State:
    poignee = Poignee(event.seat, event.level, event.cards)
    return _on_deal(state, poignees=(*state.deal.poignees, poignee))


def _poignee_declined(state: State, event: ev.PoigneeDeclined) -> State:
    return _on_deal(state, declined=(*state.deal.declined, event.seat))


def _misere_announced(state: State, event: ev.MisereAnnounced) -> State:
    return _on_deal(state, miseres=(*state.deal.miseres, MisereShown(event.seat, event.kind)))


def _card_played(state: State, event: ev.CardPlayed) -> State:
    state = _without(state, event.seat, (event.card,))
    return changed(state, table=changed(state.table, trick=(*state.table.trick, TrickCard(event.seat, event.card))))


def _trick_won(state: State, event: ev.TrickWon) -> State:
    trick = Trick(event.number, event.winner, event.cards)
    return changed(state, table=changed(state.table, trick=(), tricks=(*state.table.tricks, trick)))


def _nothing_more(state: State, _event: Any) -> State:
    return state


def _deal_revealed(state: State, event: ev.DealRevealed) -> State:
    return changed(state, revealed=event)


def _deal_scored(state: State, event: ev.DealScored) -> State:
    result = {
        "deal_number": state.deal.number,
        "dealer": state.deal.dealer,
        "contract": to_plain(state.deal.contract),
        "called": state.deal.called,
        **(to_plain(state.revealed) if state.revealed else {}),
        **to_plain(event),
    }
    totals = tuple(total + won for total, won in zip(state.scores, event.scores, strict=True))
    return changed(state, scores=totals, results=(*state.results, result), revealed=None)


_RECORDERS: dict[type, Callable[[State, Any], State]] = {
    ev.CardsDealt: _cards_dealt,
    ev.PhaseBegan: _phase_began,
    ev.PetitSecShown: _nothing_more,
    ev.PetitImprenableDeclared: _petit_imprenable_declared,
    ev.DealThrownIn: _nothing_more,
    ev.BidMade: _bid_made,
    ev.Passed: _passed,
    ev.ContractWon: _contract_won,
    ev.CardCalled: _card_called,
    ev.PartnerRevealed: _partner_revealed,
    ev.ChienTurned: _chien_turned,
    ev.CardsDiscarded: _cards_discarded,
    ev.TrumpsShown: _trumps_shown,
    ev.SlamAnnounced: _slam_announced,
    ev.PetitChelemAnnounced: _petit_chelem_announced,
    ev.SlamDeclined: _slam_declined,
    ev.PoigneeShown: _poignee_shown,
    ev.PoigneeDeclined: _poignee_declined,
    ev.MisereAnnounced: _misere_announced,
    ev.CardPlayed: _card_played,
    ev.TrickWon: _trick_won,
    ev.ExcuseKept: _nothing_more,
    ev.ExcuseSettled: _nothing_more,
    ev.DealRevealed: _deal_revealed,
    ev.DealScored: _deal_scored,
}


def _with_hand(state: State, seat: Seat, held: tuple[Card, ...]) -> State:
    hands = state.table.held
    return changed(state, table=changed(state.table, held=(*hands[:seat], held, *hands[seat + 1 :])))


def _without(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    return _with_hand(state, seat, tuple(card for card in state.table.held[seat] if card not in cards))
