"""``evolve`` for Le Plateau: events are recorded one by one, never judged."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from domain.cardplay.cards import Card, in_deck_order
from domain.cardplay.tricks import TrickCard
from domain.le_plateau import events as ev
from domain.le_plateau.dealt import ShownGift, ShownTalonCard
from domain.le_plateau.state import (
    Announced,
    BidView,
    Contract,
    Hand,
    HandResult,
    Pile,
    Raised,
    Spoken,
    State,
    Table,
    contract_of,
)
from domain.serialization import changed
from domain.table import Seat

T = TypeVar("T")


def evolve(state: State, event: ev.Event) -> State:
    """Record an event."""
    return _RECORDERS[type(event)](state, event)


def _on_hand(state: State, **changes: object) -> State:
    return changed(state, hand=changed(state.hand, **changes))


def _on_table(state: State, **changes: object) -> State:
    return changed(state, table=changed(state.table, **changes))


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


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    return changed(state, phase=event.phase)


def _bid_made(state: State, event: ev.BidMade) -> State:
    bid: BidView = {"objective": event.objective, "team": event.team}
    if event.exchange is not None:
        bid = {"exchange": event.exchange, **bid}
    return _on_hand(state, bids=(*state.hand.bids, Spoken(event.seat, bid, event.value)))


def _passed(state: State, event: ev.Passed) -> State:
    return _on_hand(state, bids=(*state.hand.bids, Spoken(event.seat, None, None)))


def _contract_won(state: State, event: ev.ContractWon) -> State:
    exchanger = event.declarer if event.exchange else None
    contract = Contract(event.declarer, (), exchanger, event.exchange, event.objective, event.team, event.value)
    return _on_hand(state, contract=contract)


# -- the exchange -------------------------------------------------------------------------------------------------


def _talon_turned(state: State, event: ev.TalonTurned) -> State:
    return _on_hand(state, groups=event.groups)


def _talon_group_chosen(state: State, event: ev.TalonGroupChosen) -> State:
    return _on_hand(state, chosen=event.group)


def _talon_taken(state: State, event: ev.TalonTaken) -> State:
    return _gains(_on_hand(state, taken=in_deck_order(event.cards)), event.seat, *event.cards)


def _cards_discarded(state: State, event: ev.CardsDiscarded) -> State:
    return _loses(_on_hand(state, discard=event.cards), event.seat, *event.cards)


def _card_given(state: State, event: ev.CardGiven) -> State:
    gift = ShownGift(event.seat, event.to, event.card)
    state = _loses(_on_hand(state, gifts=(*state.hand.gifts, gift)), event.seat, event.card)
    return _gains(state, event.to, event.card)


def _talon_card_dealt(state: State, event: ev.TalonCardDealt) -> State:
    dealt = (*state.hand.talon_dealt, ShownTalonCard(event.to, event.card))
    return _gains(_on_hand(state, talon_dealt=dealt), event.to, event.card)


# -- partners and the objective -----------------------------------------------------------------------------------


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
    return _had_a_say(_on_hand(state, contract=contract), Raised(event.seat, event.objective, abdicated=False))


def _objective_kept(state: State, event: ev.ObjectiveKept) -> State:
    return _had_a_say(state, Raised(event.seat, None, abdicated=False))


def _declarer_abdicated(state: State, event: ev.DeclarerAbdicated) -> State:
    contract = changed(contract_of(state), declarer=event.declarer, partners=(event.partner,))
    return _had_a_say(_on_hand(state, contract=contract), Raised(event.seat, None, abdicated=True))


def _had_a_say(state: State, raised: Raised) -> State:
    return _on_hand(state, raises=(*state.hand.raises, raised))


# -- the play -----------------------------------------------------------------------------------------------------


def _card_played(state: State, event: ev.CardPlayed) -> State:
    table, seat = state.table, event.seat
    trick = (*table.trick, TrickCard(seat, event.card))
    if event.pile is None:
        held = tuple([card for card in table.held[seat] if card != event.card])
        return _on_table(state, held=_replaced(table.held, seat, held), trick=trick)
    uncovered = Pile(None, table.piles[seat][event.pile].under)
    return _on_table(state, piles=_with_pile(table, seat, event.pile, uncovered), trick=trick)


def _trick_won(state: State, event: ev.TrickWon) -> State:
    return _on_table(state, trick=(), tricks=(*state.table.tricks, event))


def _counters_placed(state: State, event: ev.CountersPlaced) -> State:
    if event.team == "declarer":
        return _on_table(state, declarer_spaces=state.table.declarer_spaces | {*event.spaces})
    return _on_table(state, opposing_spaces=state.table.opposing_spaces | {*event.spaces})


def _pile_card_turned(state: State, event: ev.PileCardTurned) -> State:
    return _on_table(state, piles=_with_pile(state.table, event.owner, event.pile, Pile(event.card, None)))


# -- the end ------------------------------------------------------------------------------------------------------


def _changes_nothing(state: State, _event: ev.Event) -> State:
    return state


def _hand_won(state: State, event: ev.HandWon) -> State:
    return changed(state, won=event)


def _hand_revealed(state: State, event: ev.HandRevealed) -> State:
    return changed(state, revealed=event)


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


def _stop_agreed(state: State, _event: ev.StopAgreed) -> State:
    return changed(state, stops=True)


_RECORDERS: Mapping[type, Callable[[State, Any], State]] = {
    ev.HandDealt: _hand_dealt,
    ev.PhaseBegan: _phase_began,
    ev.BidMade: _bid_made,
    ev.Passed: _passed,
    ev.ContractWon: _contract_won,
    ev.HandPassedOut: _changes_nothing,
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
    ev.DiscardRevealed: _changes_nothing,
    ev.TalonRevealed: _changes_nothing,
    ev.HandWon: _hand_won,
    ev.HandRevealed: _hand_revealed,
    ev.HandScored: _hand_scored,
    ev.StopAgreed: _stop_agreed,
}


def _replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _with_pile(table: Table, seat: Seat, index: int, pile: Pile) -> tuple[tuple[Pile, ...], ...]:
    return _replaced(table.piles, seat, _replaced(table.piles[seat], index, pile))


def _gains(state: State, seat: Seat, *cards: Card) -> State:
    held = in_deck_order((*state.table.held[seat], *cards))
    return _on_table(state, held=_replaced(state.table.held, seat, held))


def _loses(state: State, seat: Seat, *cards: Card) -> State:
    kept = tuple(card for card in state.table.held[seat] if card not in cards)
    return _on_table(state, held=_replaced(state.table.held, seat, kept))
