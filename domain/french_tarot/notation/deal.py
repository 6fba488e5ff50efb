"""French Tarot in text: which card of a deal goes where (docs/notation.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from domain.cardplay.cards import CODES, TAROT_PACK, Card, in_deck_order
from domain.french_tarot.events import CardsDealt
from domain.french_tarot.hands import begin_bidding
from domain.french_tarot.state import State
from domain.notation.deals import CardCodes, Deals, Place, hand_of

_CHIEN = Place("chien", "the chien")


def _places(deal: CardsDealt) -> dict[Card, Place]:
    places = {card: hand_of(hand.seat) for hand in deal.hands for card in hand.cards}
    return places | dict.fromkeys(deal.chien.cards, _CHIEN)


def _filled(deal: CardsDealt, placed: Mapping[Place, Sequence[Card]]) -> CardsDealt:
    hands = (replace(hand, cards=in_deck_order(placed[hand_of(hand.seat)])) for hand in deal.hands)
    chien = replace(deal.chien, cards=in_deck_order(placed[_CHIEN]))
    return replace(deal, hands=tuple(hands), chien=chien)


DEALS: Deals[State, CardsDealt] = Deals(
    rule="2. Deal",
    cards=CardCodes(TAROT_PACK, CODES, "1. Cards"),
    next_number=lambda state: state.deal.number + 1,
    places=_places,
    filled=_filled,
    after_deal=lambda state, deal: begin_bidding(state, [hand.cards for hand in deal.hands]),
)
