"""The state of a game of Le Plateau, and what can be read off it.

``Hand`` is the story of a hand up to the play: deal, bidding, exchange, partners. ``Table`` holds the cards as they lie
now: the hands, the tricks, the counters. ``phase`` names the module that decides what happens next. ``evolve`` records
events one by one, and never judges.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

from domain.cardplay.cards import Card, Hands, in_deck_order, without
from domain.cardplay.tricks import TrickCard
from domain.le_plateau import events as ev
from domain.le_plateau.actions import TableSeat, TeamSize
from domain.le_plateau.board import Objective, Space, places
from domain.le_plateau.dealt import DealtPile, ShownGift, ShownHand, ShownPiles, ShownTalonCard
from domain.le_plateau.deck import Shape, shape_for
from domain.le_plateau.events import PhaseName, Side
from domain.le_plateau.options import Options
from domain.recording import Part, Recorder, hidden, recorded_by, replaced, unchanged
from domain.serialization import changed
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


_HAND: Part[State, Hand] = Part("hand")
_TABLE: Part[State, Table] = Part("table")


# -- the deal and the bidding -------------------------------------------------------------------------------------


def _hand_dealt(state: State, event: ev.HandDealt) -> State:
    dealt = tuple(hand.cards for hand in event.hands)
    hand = Hand(
        number=event.hand_number,
        deal_number=event.deal_number,
        dealer=event.dealer,
        tokens=event.board,
        dealt=dealt,
        dealt_piles=tuple(of_seat.piles for of_seat in event.piles),
        talon=event.talon.cards,
    )
    piles = tuple(tuple(Pile(pile.top, pile.under) for pile in of_seat) for of_seat in hand.dealt_piles)
    return changed(state, hand=hand, table=Table(tuple(map(in_deck_order, dealt)), piles))


def _bid(hand: Hand, event: ev.BidMade) -> Mapping[str, object]:
    bid: BidView = {"objective": event.objective, "team": event.team}
    if event.exchange is not None:
        bid = {"exchange": event.exchange, **bid}
    return {"bids": (*hand.bids, Spoken(event.seat, bid, event.value))}


def _contract(_hand: Hand, event: ev.ContractWon) -> Mapping[str, object]:
    exchanger = event.declarer if event.exchange else None
    contract = Contract(event.declarer, (), exchanger, event.exchange, event.objective, event.team, event.value)
    return {"contract": contract}


# -- the exchange -------------------------------------------------------------------------------------------------


def _talon_taken(state: State, event: ev.TalonTaken) -> State:
    return _gains(_HAND.changed(state, taken=in_deck_order(event.cards)), event.seat, *event.cards)


def _cards_discarded(state: State, event: ev.CardsDiscarded) -> State:
    return _loses(_HAND.changed(state, discard=event.cards), event.seat, *event.cards)


def _card_given(state: State, event: ev.CardGiven) -> State:
    gift = ShownGift(event.seat, event.to, event.card)
    state = _loses(_HAND.changed(state, gifts=(*state.hand.gifts, gift)), event.seat, event.card)
    return _gains(state, event.to, event.card)


def _talon_card_dealt(state: State, event: ev.TalonCardDealt) -> State:
    dealt = (*state.hand.talon_dealt, ShownTalonCard(event.to, event.card))
    return _gains(_HAND.changed(state, talon_dealt=dealt), event.to, event.card)


# -- partners and the objective -----------------------------------------------------------------------------------


def _answered(hand: Hand, event: ev.AnnouncementAnswered) -> Mapping[str, object]:
    return {"announced": (*hand.announced[:-1], Announced(event.card, event.holder, answered=True))}


def _partner_found(state: State, event: ev.PartnerFound) -> State:
    contract = contract_of(state)
    return _HAND.changed(state, contract=changed(contract, partners=(*contract.partners, event.partner)))


def _objective_raised(state: State, event: ev.ObjectiveRaised) -> State:
    contract = changed(contract_of(state), objective=event.objective, value=event.value)
    return _had_a_say(_HAND.changed(state, contract=contract), Raised(event.seat, event.objective, abdicated=False))


def _objective_kept(state: State, event: ev.ObjectiveKept) -> State:
    return _had_a_say(state, Raised(event.seat, None, abdicated=False))


def _declarer_abdicated(state: State, event: ev.DeclarerAbdicated) -> State:
    contract = changed(contract_of(state), declarer=event.declarer, partners=(event.partner,))
    return _had_a_say(_HAND.changed(state, contract=contract), Raised(event.seat, None, abdicated=True))


def _had_a_say(state: State, raised: Raised) -> State:
    return _HAND.changed(state, raises=(*state.hand.raises, raised))


# -- the play -----------------------------------------------------------------------------------------------------


def _played(table: Table, event: ev.CardPlayed) -> Mapping[str, object]:
    seat, trick = event.seat, (*table.trick, TrickCard(event.seat, event.card))
    if event.pile is None:
        return {"held": without(table.held, seat, (event.card,)), "trick": trick}
    uncovered = Pile(None, table.piles[seat][event.pile].under)
    return {"piles": _with_pile(table, seat, event.pile, uncovered), "trick": trick}


def _counters(table: Table, event: ev.CountersPlaced) -> Mapping[str, object]:
    if event.team == "declarer":
        return {"declarer_spaces": table.declarer_spaces | {*event.spaces}}
    return {"opposing_spaces": table.opposing_spaces | {*event.spaces}}


def _turned_up(table: Table, event: ev.PileCardTurned) -> Mapping[str, object]:
    return {"piles": _with_pile(table, event.owner, event.pile, Pile(event.card, None))}


# -- the end ------------------------------------------------------------------------------------------------------


def _hand_scored(state: State, event: ev.HandScored) -> State:
    totals = tuple(total + won for total, won in zip(state.scores, event.scores, strict=True))
    return changed(state, scores=totals, results=(*state.results, _result(state, event)), won=None, revealed=None)


def _result(state: State, event: ev.HandScored) -> HandResult:
    hand, won, shown = state.hand, state.won, state.revealed or _NOTHING_REVEALED
    return HandResult(
        hand_number=hand.number,
        deal_number=hand.deal_number,
        dealer=hand.dealer,
        contract=hand.contract,
        by=won.by if won else None,
        path=won.path if won else (),
        value=event.value,
        scores=event.scores,
        dealt=shown.dealt,
        piles=shown.piles,
        talon=shown.talon,
        taken=shown.taken,
        discard=shown.discard,
        gifts=tuple({"from": gift.from_, "to": gift.to, "card": gift.card} for gift in shown.gifts),
        talon_dealt=shown.talon_dealt,
        unplayed=shown.unplayed,
        unturned=shown.unturned,
    )


_NOTHING_REVEALED = ev.HandRevealed((), (), (), (), (), (), (), (), ())


_RECORDERS: Mapping[type, Recorder[State]] = {
    ev.HandDealt: _hand_dealt,
    ev.PhaseBegan: lambda state, event: changed(state, phase=event.phase),
    **_HAND.on(ev.BidMade, _bid),
    **_HAND.on(ev.Passed, lambda hand, event: {"bids": (*hand.bids, Spoken(event.seat, None, None))}),
    **_HAND.on(ev.ContractWon, _contract),
    ev.HandPassedOut: unchanged,
    **_HAND.on(ev.TalonTurned, lambda _, event: {"groups": event.groups}),
    **_HAND.on(ev.TalonGroupChosen, lambda _, event: {"chosen": event.group}),
    ev.TalonTaken: _talon_taken,
    ev.CardsDiscarded: _cards_discarded,
    ev.CardGiven: _card_given,
    ev.TalonCardDealt: _talon_card_dealt,
    **_HAND.on(ev.CardAnnounced, lambda hand, event: {"announced": (*hand.announced, Announced(event.card))}),
    **_HAND.on(ev.AnnouncementAnswered, _answered),
    ev.PartnerFound: _partner_found,
    ev.ObjectiveRaised: _objective_raised,
    ev.ObjectiveKept: _objective_kept,
    ev.DeclarerAbdicated: _declarer_abdicated,
    **_TABLE.on(ev.CardPlayed, _played),
    **_TABLE.on(ev.TrickWon, lambda table, event: {"trick": (), "tricks": (*table.tricks, event)}),
    **_TABLE.on(ev.CountersPlaced, _counters),
    **_TABLE.on(ev.PileCardTurned, _turned_up),
    ev.DiscardRevealed: unchanged,
    ev.TalonRevealed: unchanged,
    ev.HandWon: lambda state, event: changed(state, won=event),
    ev.HandRevealed: lambda state, event: changed(state, revealed=event),
    ev.HandScored: _hand_scored,
    ev.StopAgreed: lambda state, _: changed(state, stops=True),
}

evolve: Callable[[State, ev.Event], State] = recorded_by(_RECORDERS)
"""Record an event."""


def _with_pile(table: Table, seat: Seat, index: int, pile: Pile) -> tuple[tuple[Pile, ...], ...]:
    return replaced(table.piles, seat, replaced(table.piles[seat], index, pile))


def _gains(state: State, seat: Seat, *cards: Card) -> State:
    held = in_deck_order((*state.table.held[seat], *cards))
    return _TABLE.changed(state, held=replaced(state.table.held, seat, held))


def _loses(state: State, seat: Seat, *cards: Card) -> State:
    return _TABLE.changed(state, held=without(state.table.held, seat, cards))
