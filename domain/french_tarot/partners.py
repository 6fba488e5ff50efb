"""The called card of five players: what may be called, and who plays for which side (rules.md, called card)."""

from collections.abc import Sequence
from typing import Any

from domain.cardplay.cards import SUITS, Card
from domain.errors import IllegalAction
from domain.french_tarot import events as ev
from domain.french_tarot.actions import Action, Call
from domain.french_tarot.calculation import Side
from domain.french_tarot.deck import COURT_RANKS
from domain.french_tarot.state import State, contract_of
from domain.table import Seat

RULE = "5. Called card"


def is_called(state: State) -> bool:
    """Say whether a card is called in this deal: where five play."""
    return len(state.deal.players) == 5


def actors(state: State) -> frozenset[Seat]:
    """Give the taker, until a card is called."""
    return frozenset() if state.deal.called else frozenset({contract_of(state).taker})


def callable_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """Give the cards that may be called: kings, and each lower rank if all cards of the higher ones are in hand."""
    hand = state.table.held[seat]
    cards: tuple[Card, ...] = ()
    for rank in COURT_RANKS:
        of_rank = tuple(rank + suit for suit in SUITS)
        cards = (*cards, *of_rank)
        if not {*of_rank} <= {*hand}:
            break
    return cards if state.options.call_self else tuple(card for card in cards if card not in hand)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List the cards that may be called."""
    return tuple(map(Call, callable_cards(state, seat)))


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Call a card."""
    if not isinstance(action, Call):
        raise IllegalAction("wrong-phase", "the taker must call a card", RULE)
    allowed = callable_cards(state, seat)
    if action.card not in allowed:
        message = f"{action.card} cannot be called from your hand; you may call {' '.join(allowed)}"
        raise IllegalAction("card-not-callable", message, RULE)
    return [ev.CardCalled(seat, action.card)]


def in_turned_chien(state: State) -> list[Any]:
    """Reveal that the taker is alone, if the chien that is turned up has the called card."""
    called = state.deal.called
    return [ev.PartnerRevealed(called, None)] if called and called in state.deal.chien else []


def fallen(state: State) -> list[Any]:
    """Reveal the partner, if the called card has just been played."""
    called = state.deal.called
    if called is None or state.deal.revealed or all(played.card != called for played in state.table.trick):
        return []
    return [ev.PartnerRevealed(called, partner_of(state))]


def partner_of(state: State) -> Seat | None:
    """Give the seat that was dealt the called card; None if that is the taker, or the chien has it, or none is called.

    A secret until the card falls: nothing that a viewer is told may depend on it before.
    """
    called = state.deal.called
    if called is None:
        return None
    holder = next((seat for seat, hand in enumerate(state.deal.dealt) if called in hand), None)
    return None if holder == contract_of(state).taker else holder


def side_of(state: State, seat: Seat) -> Side:
    """Say for which side a seat plays; as secret as the partner."""
    return "attack" if seat in (contract_of(state).taker, partner_of(state)) else "defence"
