"""The state of a game of Le Plateau, and ``evolve``: events recorded one by one, never judged.

A hand's story is told once, in ``Hand`` (the deal, the auction, the exchange, the partners) and ``Table`` (the cards as
they lie now: who holds what, the tricks, the counters). ``phase`` says which module asks the next question.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from domain.cardplay.cards import Card, in_deck_order
from domain.cardplay.tricks import TrickCard
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Team
from domain.le_plateau.board import Objective, Space, places
from domain.le_plateau.deck import Deal, deal_for
from domain.le_plateau.events import Phase, Side
from domain.le_plateau.options import Options
from domain.serialization import Plain, changed, to_plain
from domain.table import Seat


def _hidden() -> Any:
    """Declare a field, empty at first, that no repr shows."""
    return field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn in the bidding; ``bid`` is None for a pass."""

    seat: Seat
    bid: ev.BidMade | None


@dataclass(frozen=True)
class Contract:
    """What the declarer's side plays for. ``exchanger`` keeps the knowledge of the exchange after an abdication."""

    declarer: Seat
    partners: tuple[Seat, ...]
    exchanger: Seat | None
    exchange: bool
    objective: Objective
    team: Team
    value: int


@dataclass(frozen=True, slots=True)
class Announced:
    """A card announced; ``holder`` is None if nobody held it; ``answered`` is False until somebody could say so."""

    card: Card
    holder: Seat | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Raised:
    """One seat's chance to raise: the new objective, or None if it kept (or abdicated)."""

    seat: Seat
    objective: Objective | None
    abdicated: bool = False


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile of two cards as it lies: each None once it is gone, or turned."""

    top: Card | None
    under: Card | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick."""

    number: int
    winner: Seat
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True)
class Hand:
    """The story of one hand up to the play. ``discard`` and ``taken`` are in deck order.

    ``groups`` are those of a talon that was turned face up, ``chosen`` the one that the exchanger took.
    """

    number: int = 0
    deal_number: int = 0
    dealer: Seat = 0
    tokens: tuple[Space, ...] = ()
    dealt: tuple[tuple[Card, ...], ...] = _hidden()
    dealt_piles: tuple[tuple[Pile, ...], ...] = _hidden()
    talon: tuple[Card, ...] = _hidden()
    bids: tuple[Spoken, ...] = ()
    contract: Contract | None = None
    groups: tuple[tuple[Card, ...], ...] = ()
    chosen: int | None = None
    taken: tuple[Card, ...] = _hidden()
    discard: tuple[Card, ...] = _hidden()
    gifts: tuple[ev.ShownGift, ...] = _hidden()
    talon_dealt: tuple[ev.ShownTalonCard, ...] = _hidden()
    announced: tuple[Announced, ...] = ()
    raises: tuple[Raised, ...] = ()


@dataclass(frozen=True)
class Table:
    """The cards and counters as they lie. ``held`` is by seat, each hand in deck order."""

    held: tuple[tuple[Card, ...], ...] = _hidden()
    piles: tuple[tuple[Pile, ...], ...] = _hidden()
    trick: tuple[TrickCard, ...] = ()
    tricks: tuple[Trick, ...] = ()
    declarer_spaces: frozenset[Space] = frozenset()
    opposing_spaces: frozenset[Space] = frozenset()


@dataclass(frozen=True)
class State:
    """A game of Le Plateau. ``results`` holds what each finished hand made public, as plain data."""

    options: Options
    seats: int
    phase: Phase
    hand: Hand
    table: Table
    scores: tuple[int, ...]
    results: tuple[Mapping[str, Plain], ...] = ()
    stops: bool = False
    """Whether this hand is the last by agreement."""
    won: ev.HandWon | None = None
    revealed: ev.HandRevealed | None = None
    """How a hand was decided and what it made public, until it is scored."""


def initial(options: Options, seats: int) -> State:
    """Give the state before the first deal."""
    return State(options, seats, "deal", Hand(), Table(), (0,) * seats)


def contract_of(state: State) -> Contract:
    """Give the contract of a hand whose bidding is over."""
    return cast("Contract", state.hand.contract)


def deal_of(state: State) -> Deal:
    """Give the deck and the deal of a game."""
    return deal_for(state.seats, state.options.deck, state.options.edition)


def forehand(state: State) -> Seat:
    """Give the seat to the dealer's left, who speaks and leads first."""
    return (state.hand.dealer + 1) % state.seats


def side_of(state: State, seat: Seat) -> Side:
    """Say for which side a seat plays."""
    contract = contract_of(state)
    return "declarer" if seat == contract.declarer or seat in contract.partners else "opposing"


def on_board(state: State, codes: Iterable[str]) -> tuple[Space, ...]:
    """Give the spaces of the board that cards and tricks claim, in ring order."""
    place = places(state.hand.tokens)
    return tuple(sorted((code for code in codes if code in place), key=place.__getitem__))


def evolve(state: State, event: Any) -> State:
    """Record an event."""
    return _RECORDERS[type(event)](state, event)


def _on_hand(state: State, **changes: Any) -> State:
    return changed(state, hand=changed(state.hand, **changes))


def _hand_dealt(state: State, event: ev.HandDealt) -> State:
    piles = tuple(tuple(Pile(pile.top, pile.under) for pile in of_seat.piles) for of_seat in event.piles)
    dealt = tuple(hand.cards for hand in event.hands)
    hand = Hand(
        number=event.hand_number,
        deal_number=event.deal_number,
        dealer=event.dealer,
        tokens=event.board,
        dealt=dealt,
        dealt_piles=piles,
        talon=event.talon.cards,
    )
    return changed(state, hand=hand, table=Table(tuple(map(in_deck_order, dealt)), piles))


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    return changed(state, phase=event.phase)


def _bid_made(state: State, event: ev.BidMade) -> State:
    return _on_hand(state, bids=(*state.hand.bids, Spoken(event.seat, event)))


def _passed(state: State, event: ev.Passed) -> State:
    return _on_hand(state, bids=(*state.hand.bids, Spoken(event.seat, None)))


def _contract_won(state: State, event: ev.ContractWon) -> State:
    exchanger = event.declarer if event.exchange else None
    contract = Contract(event.declarer, (), exchanger, event.exchange, event.objective, event.team, event.value)
    return _on_hand(state, contract=contract)


def _talon_turned(state: State, event: ev.TalonTurned) -> State:
    return _on_hand(state, groups=event.groups)


def _talon_group_chosen(state: State, event: ev.TalonGroupChosen) -> State:
    return _on_hand(state, chosen=event.group)


def _talon_taken(state: State, event: ev.TalonTaken) -> State:
    return _gains(_on_hand(state, taken=in_deck_order(event.cards)), event.seat, event.cards)


def _cards_discarded(state: State, event: ev.CardsDiscarded) -> State:
    return _loses(_on_hand(state, discard=event.cards), event.seat, event.cards)


def _card_given(state: State, event: ev.CardGiven) -> State:
    gift = ev.ShownGift(event.seat, event.to, event.card)
    state = _on_hand(state, gifts=(*state.hand.gifts, gift))
    return _gains(_loses(state, event.seat, (event.card,)), event.to, (event.card,))


def _talon_card_dealt(state: State, event: ev.TalonCardDealt) -> State:
    dealt = ev.ShownTalonCard(event.to, event.card)
    return _gains(_on_hand(state, talon_dealt=(*state.hand.talon_dealt, dealt)), event.to, (event.card,))


def _card_announced(state: State, event: ev.CardAnnounced) -> State:
    return _on_hand(state, announced=(*state.hand.announced, Announced(event.card)))


def _announcement_answered(state: State, event: ev.AnnouncementAnswered) -> State:
    answered = Announced(event.card, event.holder, answered=True)
    return _on_hand(state, announced=(*state.hand.announced[:-1], answered))


def _partner_found(state: State, event: ev.PartnerFound) -> State:
    contract = contract_of(state)
    return _on_hand(state, contract=changed(contract, partners=(*contract.partners, event.partner)))


def _objective_raised(state: State, event: ev.ObjectiveRaised) -> State:
    contract = changed(contract_of(state), objective=event.objective, value=event.value)
    raised = Raised(event.seat, event.objective)
    return _on_hand(state, contract=contract, raises=(*state.hand.raises, raised))


def _objective_kept(state: State, event: ev.ObjectiveKept) -> State:
    return _on_hand(state, raises=(*state.hand.raises, Raised(event.seat, None)))


def _declarer_abdicated(state: State, event: ev.DeclarerAbdicated) -> State:
    contract = changed(contract_of(state), declarer=event.declarer, partners=(event.partner,))
    raised = Raised(event.seat, None, abdicated=True)
    return _on_hand(state, contract=contract, raises=(*state.hand.raises, raised))


def _card_played(state: State, event: ev.CardPlayed) -> State:
    table = state.table
    trick = (*table.trick, TrickCard(event.seat, event.card))
    if event.pile is None:
        held = _changed(table.held, event.seat, tuple([c for c in table.held[event.seat] if c != event.card]))
        return changed(state, table=changed(table, held=held, trick=trick))
    uncovered = Pile(None, table.piles[event.seat][event.pile].under)
    return changed(state, table=changed(table, piles=_with_pile(table, event.seat, event.pile, uncovered), trick=trick))


def _trick_won(state: State, event: ev.TrickWon) -> State:
    trick = Trick(event.number, event.winner, event.cards)
    return changed(state, table=changed(state.table, trick=(), tricks=(*state.table.tricks, trick)))


def _counters_placed(state: State, event: ev.CountersPlaced) -> State:
    table = state.table
    if event.team == "declarer":
        return changed(state, table=changed(table, declarer_spaces=table.declarer_spaces | {*event.spaces}))
    return changed(state, table=changed(table, opposing_spaces=table.opposing_spaces | {*event.spaces}))


def _pile_card_turned(state: State, event: ev.PileCardTurned) -> State:
    turned = Pile(event.card, None)
    return changed(state, table=changed(state.table, piles=_with_pile(state.table, event.owner, event.pile, turned)))


def _nothing_more(state: State, _event: Any) -> State:
    return state


def _hand_won(state: State, event: ev.HandWon) -> State:
    return changed(state, won=event)


def _hand_revealed(state: State, event: ev.HandRevealed) -> State:
    return changed(state, revealed=event)


def _hand_scored(state: State, event: ev.HandScored) -> State:
    hand = state.hand
    result = {
        "hand_number": hand.number,
        "deal_number": hand.deal_number,
        "dealer": hand.dealer,
        "contract": to_plain(hand.contract),
        "by": state.won.by if state.won else None,
        "path": list(state.won.path) if state.won else [],
        "value": event.value,
        "scores": list(event.scores),
        **(to_plain(state.revealed) if state.revealed else {}),
    }
    totals = tuple(total + won for total, won in zip(state.scores, event.scores, strict=True))
    return changed(state, scores=totals, results=(*state.results, result), won=None, revealed=None)


def _stop_agreed(state: State, _event: ev.StopAgreed) -> State:
    return changed(state, stops=True)


_RECORDERS: dict[type, Callable[[State, Any], State]] = {
    ev.HandDealt: _hand_dealt,
    ev.PhaseBegan: _phase_began,
    ev.BidMade: _bid_made,
    ev.Passed: _passed,
    ev.ContractWon: _contract_won,
    ev.HandPassedOut: _nothing_more,
    ev.TalonTurned: _talon_turned,
    ev.TalonGroupChosen: _talon_group_chosen,
    ev.TalonTaken: _talon_taken,
    ev.CardsDiscarded: _cards_discarded,
    ev.CardGiven: _card_given,
    ev.TalonCardDealt: _talon_card_dealt,
    ev.CardAnnounced: _card_announced,
    ev.AnnouncementAnswered: _announcement_answered,
    ev.PartnerFound: _partner_found,
    ev.ObjectiveRaised: _objective_raised,
    ev.ObjectiveKept: _objective_kept,
    ev.DeclarerAbdicated: _declarer_abdicated,
    ev.CardPlayed: _card_played,
    ev.TrickWon: _trick_won,
    ev.CountersPlaced: _counters_placed,
    ev.PileCardTurned: _pile_card_turned,
    ev.DiscardRevealed: _nothing_more,
    ev.TalonRevealed: _nothing_more,
    ev.HandWon: _hand_won,
    ev.HandRevealed: _hand_revealed,
    ev.HandScored: _hand_scored,
    ev.StopAgreed: _stop_agreed,
}


_Item: TypeAlias = Any


def _changed(items: tuple[_Item, ...], index: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _with_pile(table: Table, seat: Seat, index: int, pile: Pile) -> tuple[tuple[Pile, ...], ...]:
    return _changed(table.piles, seat, _changed(table.piles[seat], index, pile))


def _gains(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    held = _changed(state.table.held, seat, in_deck_order((*state.table.held[seat], *cards)))
    return changed(state, table=changed(state.table, held=held))


def _loses(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    kept = tuple(card for card in state.table.held[seat] if card not in cards)
    return changed(state, table=changed(state.table, held=_changed(state.table.held, seat, kept)))
