"""``evolve`` for Le Plateau: events are recorded one by one, never judged."""

from collections.abc import Callable, Mapping

from domain.cardplay.cards import Card, in_deck_order, without
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
from domain.recording import Part, Recorder, recorded_by, replaced, unchanged
from domain.serialization import changed
from domain.table import Seat

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
