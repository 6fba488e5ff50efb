"""Plute in text: which card of a deal goes where (docs/notation.md)."""

from collections.abc import Mapping
from dataclasses import replace

from domain.notation.deals import Deals, Place, cards_at, hand_of
from domain.plute.deck import PACK, Card, in_pack_order
from domain.plute.events import HandDealt
from domain.plute.state import State


def _places(deal: HandDealt) -> dict[Card, Place]:
    return {card: hand_of(hand.seat) for hand in deal.hands for card in hand.cards}


def _filled(deal: HandDealt, placed: Mapping[Card, Place]) -> HandDealt:
    hands = (replace(hand, cards=in_pack_order(cards_at(placed, hand_of(hand.seat)))) for hand in deal.hands)
    return replace(deal, hands=tuple(hands))


DEALS: Deals[State, HandDealt] = Deals(
    rule="1. Table and deal",
    pack=PACK,
    next_number=lambda state: state.hand.number + 1,
    places=_places,
    filled=_filled,
)
