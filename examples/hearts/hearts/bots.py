"""Two bots. One gives away dangerous cards, ducks under tricks, and throws points on those of others; one errs."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from domain.cardplay.cards import TRUMP
from domain.cardplay.tricks import winning_so_far
from hearts.deck import PASSED, PLAYERS, QUEEN_OF_SPADES, STRENGTH, SUIT_OF, Card, in_pack_order, points_of
from hearts.nouns import TrickCard
from workers.bots import uniform
from workers.bots.policy import Asked, Thought

_SAFE_SPADES = 4
"""With as many spades below the queen, the high ones can stay: others will have to play theirs first."""

_ERRS = 1 / 3
"""The part of the moves that the weaker bot makes at random."""


def think_carelessly(asked: Asked) -> Thought:
    """Make one move in three at random, and the others with care."""
    return uniform.think(asked) if random.Random(asked.seed).random() < _ERRS else think(asked)


def think(asked: Asked) -> Thought:
    """Choose three cards to pass, or a card to play."""
    view: Any = asked.view
    state, seat = view["state"], view["viewer"]["seat"]
    hand = next(hand["cards"] for hand in state["hands"] if hand["seat"] == seat)
    if state["phase"] == "pass":
        dangerous = sorted(hand, key=lambda card: (_danger(card, hand), card), reverse=True)
        return Thought({"type": "pass", "cards": [*in_pack_order(dangerous[:PASSED])]})
    legal = [action["card"] for action in view["legal_actions"]["actions"]]
    trick = [TrickCard(played["seat"], played["card"]) for played in state["trick"]["cards"]]
    return Thought({"type": "play", "card": _followed(legal, trick) if trick else _led(legal, hand, state)})


def _danger(card: Card, hand: Sequence[Card]) -> int:
    """Return how gladly a card is given away: a high spade among few, then what takes tricks, and short suits."""
    suit = [other for other in hand if SUIT_OF[other] == SUIT_OF[card]]
    if SUIT_OF[card] == "S":
        low = sum(STRENGTH[other] < STRENGTH[QUEEN_OF_SPADES] for other in suit)
        return 100 if card in (QUEEN_OF_SPADES, "KS", "AS") and low < _SAFE_SPADES else 0
    return 3 * STRENGTH[card] + (PLAYERS if SUIT_OF[card] == "H" else 0) - 2 * len(suit)


def _followed(legal: Sequence[Card], trick: Sequence[TrickCard]) -> Card:
    """Play the highest card below the winning one; if the trick is taken anyway, the highest; off suit, the worst."""
    winner = winning_so_far(trick, SUIT_OF, STRENGTH, TRUMP)
    if SUIT_OF[legal[0]] != SUIT_OF[trick[0].card]:
        return max(legal, key=lambda card: (points_of(card), STRENGTH[card]))
    best = max(STRENGTH[played.card] for played in trick if played.seat == winner)
    below = [card for card in legal if STRENGTH[card] < best]
    if QUEEN_OF_SPADES in below:
        return QUEEN_OF_SPADES
    is_last, has_points = len(trick) == PLAYERS - 1, any(points_of(played.card) for played in trick)
    if below and (has_points or not is_last):
        return _highest(below)
    others = [card for card in legal if card != QUEEN_OF_SPADES] or legal
    return _highest(others) if is_last else _lowest(others)


def _led(legal: Sequence[Card], hand: Sequence[Card], state: Any) -> Card:
    """Lead low, spades first while another player has the queen."""
    gone = {played["card"] for trick in state["tricks"] for played in trick["cards"]}
    is_hunting = QUEEN_OF_SPADES not in gone and not {QUEEN_OF_SPADES, "KS", "AS"} & {*hand}
    spades = [card for card in legal if SUIT_OF[card] == "S"]
    return _lowest(spades if is_hunting and spades else legal)


def _highest(cards: Iterable[Card]) -> Card:
    return max(cards, key=lambda card: (STRENGTH[card], card))


def _lowest(cards: Iterable[Card]) -> Card:
    return min(cards, key=lambda card: (card == QUEEN_OF_SPADES, STRENGTH[card], card))
