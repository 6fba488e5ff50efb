"""French Tarot in text: reading a deal, and checking that it is a possible one (docs/notation.md).

A deal is a fact that only the text can tell; how many cards go where is for the rules to say.
"""

from collections.abc import Mapping
from dataclasses import replace

from domain.cardplay.cards import TAROT_PACK, Card, in_deck_order
from domain.french_tarot import events as ev
from domain.french_tarot.hands import begin_bidding
from domain.notation.deals import check_numbers, read_cards, read_dealer
from domain.notation.lexer import Word, Words
from domain.notation.replay import Replay, unshuffled

RULE = "2. Deal"
_CHIEN = "chien"


def read_deal(number: Word, replay: Replay, words: Words) -> list[ev.CardsDealt]:
    """Read a deal, whose number is taken already, and record it with what it brings about."""
    dealer, seat = read_dealer(words, RULE)
    form: ev.CardsDealt = replay.drawn(unshuffled(seat))[0]
    true: ev.CardsDealt | None = replay.drawn(replay.chance)[0] if replay.chance else None
    dealers = (form.dealer, true.dealer) if true else (form.dealer,)
    check_numbers(number, form.deal_number, dealer, dealers, len(form.hands), RULE)
    sizes = {str(hand.seat): hand.count for hand in form.hands} | {_CHIEN: form.chien.count}
    placed = read_cards(words, sizes, _places(true) if true else {}, TAROT_PACK, RULE)
    hands = tuple(replace(hand, cards=_at(placed, str(hand.seat))) for hand in form.hands)
    dealt = replace(form, hands=hands, chien=replace(form.chien, cards=_at(placed, _CHIEN)))
    return replay.record([dealt, *begin_bidding(replay.state, [hand.cards for hand in hands])])


def _places(deal: ev.CardsDealt) -> dict[Card, str]:
    """Map each card of a deal to its place: a seat, or the chien."""
    places = {card: str(hand.seat) for hand in deal.hands for card in hand.cards}
    return places | dict.fromkeys(deal.chien.cards, _CHIEN)


def _at(placed: Mapping[Card, str], where: str) -> tuple[Card, ...]:
    return in_deck_order(card for card, place in placed.items() if place == where)
