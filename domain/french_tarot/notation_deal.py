"""French Tarot in text: reading a deal, and checking that it is a possible one (docs/notation.md).

A deal is a fact that only the text can tell; how many cards go where is for the rules to say.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from domain.cards import TAROT_PACK, Card, in_deck_order
from domain.french_tarot import events as ev
from domain.french_tarot.hands import opening
from domain.replay import Replay, unshuffled
from domain.words import Word, Words

RULE = "2. Deal"
_CHIEN = "chien"


def read_deal(number: Word, replay: Replay, words: Words) -> list[ev.CardsDealt]:
    """Read a deal, whose number is taken already, and record it with what it brings about."""
    dealer = words.take()
    if not re.fullmatch("d[0-9]", dealer.text, re.IGNORECASE):
        raise dealer.wrong(f"the dealer is missing, such as d0; here stands {dealer}", RULE)
    form: ev.CardsDealt = replay.drawn(unshuffled(int(dealer.text[1:])))[0]
    true: ev.CardsDealt | None = replay.drawn(replay.chance)[0] if replay.chance else None
    _check_numbers(number, dealer, form, true)
    placed = _read_cards(words, form, _places(true) if true else {})
    hands = tuple(replace(hand, cards=_at(placed, str(hand.seat))) for hand in form.hands)
    dealt = replace(form, hands=hands, chien=replace(form.chien, cards=_at(placed, _CHIEN)))
    return replay.record([dealt, *opening(replay.state, [hand.cards for hand in hands])])


def card_of(word: Word, rule: str) -> Card:
    """Read a card's code."""
    card = word.text.upper()
    if card not in TAROT_PACK:
        raise word.wrong(f"{word} is no card", rule)
    return card


def _check_numbers(number: Word, dealer: Word, form: ev.CardsDealt, true: ev.CardsDealt | None) -> None:
    """Refuse another number than the deal's, and another dealer than the one whose turn it is."""
    told = int(dealer.text[1:])
    if number.text != f"{form.deal_number}.":
        raise number.wrong(f"deal {form.deal_number} is next, not {number}", RULE)
    if told >= len(form.hands):
        raise dealer.wrong(f"there is no seat {told} with {len(form.hands)} players", RULE)
    if told != form.dealer:
        raise dealer.wrong(f"seat {form.dealer} deals, not seat {told}", RULE)
    if true and told != true.dealer:
        raise dealer.wrong(f"by the seeds seat {true.dealer} deals, not seat {told}", RULE)


def _places(deal: ev.CardsDealt) -> dict[Card, str]:
    """Map each card of a deal to its place: a seat, or the chien."""
    places = {card: str(hand.seat) for hand in deal.hands for card in hand.cards}
    return places | dict.fromkeys(deal.chien.cards, _CHIEN)


def _at(placed: Mapping[Card, str], where: str) -> tuple[Card, ...]:
    return in_deck_order(card for card, place in placed.items() if place == where)


def _read_cards(words: Words, form: ev.CardsDealt, true: Mapping[Card, str]) -> dict[Card, str]:
    """Read the hands and the chien, in any order, until every card has its place."""
    missing = {f"{hand.seat}:": hand.count for hand in form.hands if hand.count} | {f"{_CHIEN}:": form.chien.count}
    placed: dict[Card, str] = {}
    while missing:
        label = words.take()
        count = missing.pop(label.text.lower(), None)
        if count is None:
            raise label.wrong(f"the deal goes on with {' or '.join(missing)} and cards, not with {label}", RULE)
        where = label.text.lower().removesuffix(":")
        for number in range(count):
            word = words.take()
            if word.is_label or not word.text:
                message = f"card {number + 1} of {count} of {_named(where)} is missing: here stands {word}"
                raise word.wrong(message, RULE)
            card = card_of(word, RULE)
            if card in placed:
                raise word.wrong(f"{card} is dealt twice: {_named(placed[card])} has it", RULE)
            if true.get(card, where) != where:
                raise word.wrong(f"by the seeds {card} goes to {_named(true[card])}, not to {_named(where)}", RULE)
            placed[card] = where
    return placed


def _named(where: str) -> str:
    return "the chien" if where == _CHIEN else f"seat {where}"
