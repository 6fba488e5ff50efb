"""Plute in text: reading a deal, and checking that it is a possible one (docs/notation.md).

A deal is a fact that only the text can tell; how many cards go where, and which, is for the rules to say.
"""

import re
from dataclasses import replace

from domain.plute import events as ev
from domain.plute.deck import PACK, PLAYERS, Card, in_pack_order
from domain.replay import Replay, unshuffled
from domain.ruleset import Seat
from domain.words import Word, Words

RULE = "1. Table and deal"


def read_deal(number: Word, replay: Replay, words: Words) -> None:
    """Read a deal, whose number is taken already, and record it."""
    dealer = words.take()
    if not re.fullmatch("d[0-9]", dealer.text, re.IGNORECASE):
        raise dealer.wrong(f"the dealer is missing, such as d0; here stands {dealer}", RULE)
    told = int(dealer.text[1:])
    form, *more = replay.drawn(unshuffled(told))
    true = replay.drawn(replay.chance)[0] if replay.chance else None
    _check_numbers(number, dealer, told, form)
    if true and told != true.dealer:
        raise dealer.wrong(f"by the seeds seat {true.dealer} deals, not seat {told}", RULE)
    placed = _read_hands(words, form, _places(true) if true else {})
    hands = tuple(
        replace(hand, cards=in_pack_order(card for card, seat in placed.items() if seat == hand.seat))
        for hand in form.hands
    )
    replay.record([replace(form, hands=hands), *more])


def _check_numbers(number: Word, dealer: Word, told: int, form: ev.HandDealt) -> None:
    if number.text != f"{form.hand_number}.":
        raise number.wrong(f"hand {form.hand_number} is next, not {number}", RULE)
    if told >= PLAYERS:
        raise dealer.wrong(f"there is no seat {told} with {PLAYERS} players", RULE)
    if told != form.dealer:
        raise dealer.wrong(f"seat {form.dealer} deals, not seat {told}", RULE)


def _read_hands(words: Words, form: ev.HandDealt, true: dict[Card, Seat]) -> dict[Card, Seat]:
    """Read the hands, in any order, until every card has its seat."""
    missing = {f"{hand.seat}:": hand for hand in form.hands}
    placed: dict[Card, Seat] = {}
    while missing:
        label = words.take()
        hand = missing.pop(label.text, None)
        if hand is None:
            raise label.wrong(f"the deal goes on with {' or '.join(missing)} and cards, not with {label}", RULE)
        for number in range(hand.count):
            word = words.take()
            if word.is_label or not word.text:
                message = f"card {number + 1} of {hand.count} of seat {hand.seat} is missing: here stands {word}"
                raise word.wrong(message, RULE)
            card = _card(word, placed)
            if true.get(card, hand.seat) != hand.seat:
                raise word.wrong(f"by the seeds {card} goes to seat {true[card]}, not to seat {hand.seat}", RULE)
            placed[card] = hand.seat
    return placed


def _card(word: Word, placed: dict[Card, Seat]) -> Card:
    card = word.text.upper()
    if card not in PACK:
        raise word.wrong(f"{word} is no card", RULE)
    if card in placed:
        raise word.wrong(f"{card} is dealt twice: seat {placed[card]} has it", RULE)
    return card


def _places(deal: ev.HandDealt) -> dict[Card, Seat]:
    return {card: hand.seat for hand in deal.hands for card in hand.cards}
