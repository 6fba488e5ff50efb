"""Plute in text: which card of a deal goes where (docs/notation.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from domain.notation.deals import CardCodes, Deals, Place, hand_of
from domain.plute.deck import CODES, PACK, Card, in_pack_order
from domain.plute.events import HandDealt
from domain.plute.state import State


def _places(deal: HandDealt) -> dict[Card, Place]:
    return {card: hand_of(hand.seat) for hand in deal.hands for card in hand.cards}


def _filled(deal: HandDealt, placed: Mapping[Place, Sequence[Card]]) -> HandDealt:
    hands = (replace(hand, cards=in_pack_order(placed[hand_of(hand.seat)])) for hand in deal.hands)
    return replace(deal, hands=tuple(hands))


DEALS: Deals[State, HandDealt] = Deals(
    rule="1. Table and deal",
    cards=CardCodes(PACK, CODES, "2. Cards"),
    next_number=lambda state: state.hand.number + 1,
    places=_places,
    filled=_filled,
)
