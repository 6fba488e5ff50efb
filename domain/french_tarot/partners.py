"""The called card of five players: which cards can be called, and who plays for which side (rules.md, called card)."""

from collections.abc import Sequence

from domain.cardplay.cards import SUITS, Card
from domain.cardplay.tricks import only
from domain.errors import Refusals
from domain.french_tarot import events as ev
from domain.french_tarot.actions import Action, Call
from domain.french_tarot.calculation import Side
from domain.french_tarot.deck import COURT_RANKS
from domain.french_tarot.state import State, contract_of
from domain.sentences import message as msg
from domain.table import Seat

RULE = "5. Called card"
_refuse = Refusals(__package__)
CALLING = 5
"""The number of players in a deal in which the taker calls a card."""


def actors(state: State) -> frozenset[Seat]:
    """Return the taker, until a card is called."""
    return only(None if state.deal.called else contract_of(state).taker)


def callable_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that can be called: kings, and each lower rank if all cards of the higher ones are in hand."""
    hand = state.table.held[seat]
    cards: tuple[Card, ...] = ()
    for rank in COURT_RANKS:
        of_rank = tuple(rank + suit for suit in SUITS)
        cards = (*cards, *of_rank)
        if not {*of_rank} <= {*hand}:
            break
    return cards if state.options.call_self else tuple(card for card in cards if card not in hand)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List the cards that can be called."""
    return tuple(map(Call, callable_cards(state, seat)))


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Call a card."""
    if not isinstance(action, Call):
        raise _refuse("wrong-phase.call", RULE)
    allowed = callable_cards(state, seat)
    if action.card not in allowed:
        callable_ones = msg.Items(tuple(map(msg.Card, allowed)))
        raise _refuse("card-not-callable", RULE, card=msg.Card(action.card), allowed=callable_ones)
    return [ev.CardCalled(seat, action.card)]


def in_turned_chien(state: State) -> list[ev.PartnerRevealed]:
    """Reveal that the taker is alone, if the chien that is turned up has the called card."""
    called = state.deal.called
    return [ev.PartnerRevealed(called.card, None)] if called and called.card in state.deal.chien else []


def fallen(state: State) -> list[ev.PartnerRevealed]:
    """Reveal the partner, if the called card has just been played."""
    called = state.deal.called
    if called is None or called.revealed or all(played.card != called.card for played in state.table.trick):
        return []
    return [ev.PartnerRevealed(called.card, partner_of(state))]


def partner_of(state: State) -> Seat | None:
    """Return the seat that was dealt the called card; None if that is the taker, the chien has it, or none is called.

    This is secret until the card falls: until then, nothing that a viewer can see depends on it.
    """
    called = state.deal.called
    if called is None:
        return None
    holder = next((seat for seat, hand in enumerate(state.deal.dealt) if called.card in hand), None)
    return None if holder == contract_of(state).taker else holder


def side_of(state: State, seat: Seat) -> Side:
    """Return the side that a seat plays for; as secret as the partner."""
    return "attack" if seat in (contract_of(state).taker, partner_of(state)) else "defence"
