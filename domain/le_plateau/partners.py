"""Partner, raise and abdication (rules.md, partner, objective, abdication)."""

from collections.abc import Sequence

from domain.cardplay.cards import RANKS, SUITS, Card
from domain.cardplay.tricks import only
from domain.errors import Refusals
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Abdicate, Action, Announce, Keep, RaiseObjective
from domain.le_plateau.bidding import raised_value
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.state import State, contract_of, shape_of
from domain.le_plateau.turns import next_raiser
from domain.sentences import message as msg
from domain.table import Seat

RULE = "6. Partner, objective, abdication"
_refuse = Refusals(__package__)
_PARTNERS_WANTED = {"solo": 0, "duo": 1, "trio": 2}


def is_complete(state: State) -> bool:
    """Return whether the declarer has the partners that the contract asks for."""
    contract = contract_of(state)
    return len(contract.partners) == _PARTNERS_WANTED[contract.team]


def announcers(state: State) -> frozenset[Seat]:
    """Return the declarer while a partner is wanted and no announcement awaits its answer."""
    waiting = state.hand.announced and not state.hand.announced[-1].answered
    return only(None if waiting or is_complete(state) else contract_of(state).declarer)


def announceable(state: State, seat: Seat) -> tuple[Card, ...]:
    """List the cards of the highest rank of which one is neither held nor announced, in deck order of suits."""
    out = {*state.table.held[seat], *(announced.card for announced in state.hand.announced)}
    deck = shape_of(state).deck
    for rank in reversed(RANKS):
        cards = tuple(rank + suit for suit in SUITS if rank + suit in deck and rank + suit not in out)
        if cards:
            return cards
    return ()


def legal_announcements(state: State, seat: Seat) -> Sequence[Action]:
    """List the cards that can be announced."""
    return tuple(map(Announce, announceable(state, seat)))


def announce(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Announce a card."""
    if not isinstance(action, Announce):
        raise _refuse("wrong-phase.announce", RULE)
    allowed = announceable(state, seat)
    if action.card not in allowed:
        possible = msg.Items(tuple(map(msg.Card, allowed)))
        raise _refuse("card-not-announceable", RULE, card=msg.Card(action.card), allowed=possible)
    return [ev.CardAnnounced(seat, action.card)]


def answer(state: State) -> list[ev.Event]:
    """Return the answer to the last announcement, if it awaits one: the holder joins, unless it joined before."""
    if not state.hand.announced or state.hand.announced[-1].answered:
        return []
    card = state.hand.announced[-1].card
    holder = next((seat for seat, hand in enumerate(state.table.held) if card in hand), None)
    answered = ev.AnnouncementAnswered(card, holder)
    if holder is None or holder in contract_of(state).partners:
        return [answered]
    return [answered, ev.PartnerFound(holder)]


def raisers(state: State) -> frozenset[Seat]:
    """Return the next seat to raise or keep, or to abdicate where that alone is left."""
    contract = contract_of(state)
    seat = next_raiser(contract, state.hand.raises, state.seats)
    can_speak = seat is not None and (_higher(contract.objective) or _can_abdicate(state, seat))
    return only(seat if can_speak else None)


def _can_abdicate(state: State, seat: Seat) -> bool:
    """Return whether a seat is the declarer and can abdicate: 5 players, the option on, and the only partner raised."""
    contract = contract_of(state)
    return (
        seat == contract.declarer
        and state.options.abdication == "on"
        and contract.team == "duo"
        and any(raised.objective for raised in state.hand.raises)
    )


def legal_raises(state: State, seat: Seat) -> Sequence[Action]:
    """List keeping, each higher objective, and abdicating where it is allowed."""
    abdications = (Abdicate(),) if _can_abdicate(state, seat) else ()
    return (Keep(), *map(RaiseObjective, _higher(contract_of(state).objective)), *abdications)


def raise_or_keep(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Raise the objective, keep it, or abdicate."""
    contract = contract_of(state)
    match action:
        case Keep():
            return [ev.ObjectiveKept(seat)]
        case RaiseObjective(objective):
            if objective not in _higher(contract.objective):
                wanted, now = msg.Message(f"objective.{objective}"), msg.Message(f"objective.{contract.objective}")
                raise _refuse("objective-not-higher", RULE, wanted=wanted, now=now)
            return [ev.ObjectiveRaised(seat, objective, raised_value(contract, objective))]
        case Abdicate():
            if not _can_abdicate(state, seat):
                raise _refuse("no-abdication", RULE)
            return [ev.DeclarerAbdicated(seat, contract.partners[0], seat)]
        case _:
            raise _refuse("wrong-phase.raise", RULE)


def _higher(objective: Objective) -> tuple[Objective, ...]:
    return OBJECTIVES[OBJECTIVES.index(objective) + 1 :]
