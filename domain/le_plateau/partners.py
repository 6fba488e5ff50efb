"""Partner, raise and abdication (rules.md, partner, objective, abdication)."""

from collections.abc import Sequence
from typing import Any

from domain.cardplay.cards import RANKS, SUITS, Card
from domain.errors import IllegalAction
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Abdicate, Action, Announce, Keep, RaiseObjective
from domain.le_plateau.bidding import raised_value
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.state import State, contract_of, deal_of
from domain.table import Seat

RULE = "6. Partner, objective, abdication"
_PARTNERS_WANTED = {"solo": 0, "duo": 1, "trio": 2}


def is_complete(state: State) -> bool:
    """Say whether the declarer has the partners that the contract asks for."""
    contract = contract_of(state)
    return len(contract.partners) == _PARTNERS_WANTED[contract.team]


def announcers(state: State) -> frozenset[Seat]:
    """Give the declarer while a partner is wanted and no announcement waits for its answer."""
    waiting = state.hand.announced and not state.hand.announced[-1].answered
    return frozenset() if waiting or is_complete(state) else frozenset({contract_of(state).declarer})


def announceable(state: State, seat: Seat) -> tuple[Card, ...]:
    """Give the cards of the highest rank of which one is neither held nor announced, in deck order of suits."""
    out = {*state.table.held[seat], *(announced.card for announced in state.hand.announced)}
    deck = deal_of(state).deck
    for rank in reversed(RANKS):
        cards = tuple(rank + suit for suit in SUITS if rank + suit in deck and rank + suit not in out)
        if cards:
            return cards
    return ()


def legal_announcements(state: State, seat: Seat) -> Sequence[Action]:
    """List the cards that may be announced."""
    return tuple(map(Announce, announceable(state, seat)))


def announce(state: State, seat: Seat, action: Action) -> list[Any]:
    """Announce a card."""
    if not isinstance(action, Announce):
        raise IllegalAction("wrong-phase", "the declarer must announce a card", RULE)
    allowed = announceable(state, seat)
    if action.card not in allowed:
        message = f"{action.card} is not the highest card that you do not hold; you may announce {' '.join(allowed)}"
        raise IllegalAction("card-not-announceable", message, RULE)
    return [ev.CardAnnounced(seat, action.card)]


def answer(state: State) -> list[Any]:
    """Answer the last announcement, if it waits for it: its holder joins, unless they joined before."""
    if not state.hand.announced or state.hand.announced[-1].answered:
        return []
    card = state.hand.announced[-1].card
    holder = next((seat for seat, hand in enumerate(state.table.held) if card in hand), None)
    answered = ev.AnnouncementAnswered(card, holder)
    if holder is None or holder in contract_of(state).partners:
        return [answered]
    return [answered, ev.PartnerFound(holder)]


def raisers(state: State) -> frozenset[Seat]:
    """Give the next seat to raise or keep: each partner from the declarer's left, then the declarer."""
    contract = contract_of(state)
    partners = sorted(contract.partners, key=lambda seat: (seat - contract.declarer) % state.seats)
    spoken = {raised.seat for raised in state.hand.raises}
    for seat in (*partners, contract.declarer):
        asked = contract.objective != OBJECTIVES[-1] or (seat == contract.declarer and may_abdicate(state))
        if seat not in spoken and asked:
            return frozenset({seat})
    return frozenset()


def may_abdicate(state: State) -> bool:
    """Say whether the declarer may abdicate: 5 players, the option on, and the only partner raised."""
    return (
        state.options.abdication == "on"
        and contract_of(state).team == "duo"
        and any(raised.objective for raised in state.hand.raises)
    )


def legal_raises(state: State, seat: Seat) -> Sequence[Action]:
    """List keeping, each higher objective, and abdicating where it is allowed."""
    abdications = (Abdicate(),) if seat == contract_of(state).declarer and may_abdicate(state) else ()
    return (Keep(), *map(RaiseObjective, _higher(contract_of(state).objective)), *abdications)


def raise_or_keep(state: State, seat: Seat, action: Action) -> list[Any]:
    """Raise the objective, keep it, or abdicate."""
    contract = contract_of(state)
    match action:
        case Keep():
            return [ev.ObjectiveKept(seat)]
        case RaiseObjective(objective):
            if objective not in _higher(contract.objective):
                message = f"{objective} is not higher than {contract.objective}"
                raise IllegalAction("objective-not-higher", message, RULE)
            return [ev.ObjectiveRaised(seat, objective, raised_value(contract, objective))]
        case Abdicate():
            if seat != contract.declarer or not may_abdicate(state):
                message = "only a declarer of 5 players whose partner raised may abdicate"
                raise IllegalAction("no-abdication", message, RULE)
            return [ev.DeclarerAbdicated(seat, contract.partners[0], seat)]
        case _:
            raise IllegalAction("wrong-phase", "raise the objective, or keep it", RULE)


def _higher(objective: Objective) -> tuple[Objective, ...]:
    return OBJECTIVES[OBJECTIVES.index(objective) + 1 :]
