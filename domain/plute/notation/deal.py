"""Plute in text: reading a deal, and checking that it is a possible one (docs/notation.md).

A deal is a fact that only the text can tell; how many cards go where, and which, is for the rules to say.
"""

from dataclasses import replace

from domain.notation.deals import check_numbers, read_cards, read_dealer
from domain.notation.lexer import Word, Words
from domain.notation.replay import Replay, unshuffled
from domain.plute import events as ev
from domain.plute.deck import PACK, Card, in_pack_order

RULE = "1. Table and deal"


def read_deal(number: Word, replay: Replay, words: Words) -> None:
    """Read a deal, whose number is taken already, and record it."""
    dealer, seat = read_dealer(words, RULE)
    form, *more = replay.drawn(unshuffled(seat))
    true = replay.drawn(replay.chance)[0] if replay.chance else None
    dealers = (form.dealer, true.dealer) if true else (form.dealer,)
    check_numbers(number, form.hand_number, dealer, dealers, len(form.hands), RULE)
    sizes = {str(hand.seat): hand.count for hand in form.hands}
    placed = read_cards(words, sizes, _places(true) if true else {}, PACK, RULE)
    hands = tuple(
        replace(hand, cards=in_pack_order(card for card, where in placed.items() if where == str(hand.seat)))
        for hand in form.hands
    )
    replay.record([replace(form, hands=hands), *more])


def _places(deal: ev.HandDealt) -> dict[Card, str]:
    return {card: str(hand.seat) for hand in deal.hands for card in hand.cards}
