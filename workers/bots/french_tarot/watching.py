"""What exchange and play have shown: where a card lies more or less likely, since a seat did not play it.

Each card that somebody plays is a sign of others that the same hand could hold: who follows with a pip seldom has a
lower one. The weights of signs were counted in games (``python -m bench.tarot_signs``).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import exp
from typing import Final, TypeAlias

from domain.french_tarot.inference import ECART, Place
from domain.french_tarot.view import View
from domain.table import Seat
from workers.bots.chances import SURE
from workers.bots.french_tarot import cards as c


class Sign(Enum):
    """What a card that was played says of another one that its player may hold, or of one that may lie aside."""

    PIP_BELOW = "below a pip that followed suit"
    GIFT_KEPT = "a court card, where a friend was ahead and got a pip"
    WINNER_KEPT = "a court card that would have been ahead, where an opponent got a pip"
    COURT_ABOVE = "above a court card that followed suit to a friend's trick, or went ahead"
    BELOW_A_LOSS = "below a court card that followed suit to an opponent's trick"
    TRUMP_BELOW = "below a trump, and high enough for the trick"
    PETIT_KEPT = "the petit, where another trump was played"
    COURT_NOT_LED = "a court card of a suit of which a pip was led"
    PIP_BELOW_LEAD = "below a pip that was led"
    PIP_ABOVE_LEAD = "above a pip that was led"
    MASTER_NOT_LED = "the highest card left of a suit, where another suit was led"
    COURT_ASIDE = "a court card, in the écart"
    SUIT_KEPT = "of a suit of which the taker played a card, in the écart; once for each card"


NAT: Final = 16
"""Weights are natural logarithms of chances, in parts of one."""

WEIGHTS: Final[Mapping[Sign, int]] = {
    Sign.PIP_BELOW: -16,
    Sign.GIFT_KEPT: -4,
    Sign.WINNER_KEPT: -6,
    Sign.COURT_ABOVE: -6,
    Sign.BELOW_A_LOSS: -13,
    Sign.TRUMP_BELOW: -12,
    Sign.PETIT_KEPT: -8,
    Sign.COURT_NOT_LED: -4,
    Sign.PIP_BELOW_LEAD: -10,
    Sign.PIP_ABOVE_LEAD: 4,
    Sign.MASTER_NOT_LED: -4,
    Sign.COURT_ASIDE: 14,
    Sign.SUIT_KEPT: -10,
}
"""How much likelier each sign makes it that a card lies there."""

MOST: Final = 2 * NAT
"""What all signs together say at most of a card in a place: people have reasons of their own."""

CHANCE: Final = tuple(round(SURE * exp(-less / NAT)) for less in range(4 * MOST + 1))
"""The chance to make a swap that makes a world less likely by so much."""

_PIPS = sum(((1 << c.JACK) - 1) << c.RANKS * suit for suit in range(4))
_COURTS = sum(c.SUITS) & ~_PIPS

Signs: TypeAlias = Iterator[tuple[Sign, int]]
"""Signs, each with the cards that it is of, as bits."""


@dataclass(slots=True)
class _Trick:
    """A trick as far as it has come: the cards gone before it, the suit led, the best card, and who played it."""

    gone: int
    led: int = c.NO_SUIT
    best: int = -1
    winner: Seat = -1

    def add(self, number: int, seat: Seat) -> None:
        """Add a card that is not played as an Excuse."""
        suit = c.suit_of(number)
        if self.led == c.NO_SUIT:
            self.led = suit
        if self.best < 0 or c.above(self.best) >> number & 1 or (suit == c.TRUMP and self.best < c.PETIT):
            self.best, self.winner = number, seat


def leanings(view: View, seat: Seat, unseen: int) -> Mapping[tuple[Place, int], int]:
    """Return by how much some unseen cards, given as bits, are likelier to lie in a place, by place and card."""
    found: Counter[tuple[Place, int]] = Counter()
    for place, sign, of in signs(view, seat):
        for card in c.numbers_of(of & unseen):
            found[place, card] += WEIGHTS[sign]
    return {where: min(max(lean, -MOST), MOST) for where, lean in found.items()}


def signs(view: View, seat: Seat) -> Iterator[tuple[Place, Sign, int]]:
    """List what others have shown to a seat: the place, the sign, and the cards that it is of, as bits."""
    attack = _attack(view)
    is_aside_hidden = view.ecart.count > 0 and seat not in attack[:1]
    loose, gone = 1 << c.EXCUSE | (1 << c.PETIT if view.petit_imprenable is not None else 0), 0
    if is_aside_hidden:
        yield ECART, Sign.COURT_ASIDE, _COURTS
    for cards in (*(won.cards for won in view.tricks), view.trick.cards if view.trick else ()):
        trick = _Trick(gone)
        for played in cards:
            number = c.NUMBER[played.card]
            gone |= 1 << number
            if loose >> number & 1:
                continue
            if played.seat != seat:
                is_ours = (played.seat in attack) == (trick.winner in attack)
                for sign, of in _of_card(trick, number, is_ours=is_ours):
                    yield ("held", played.seat), sign, of & ~loose
            if is_aside_hidden and number < c.PETIT and played.seat == attack[0]:
                yield ECART, Sign.SUIT_KEPT, c.SUITS[c.suit_of(number)]
            trick.add(number, played.seat)


def _attack(view: View) -> tuple[Seat, ...]:
    """Return the taker, and the partner if all know who that is."""
    taker = view.contract.taker if view.contract else None
    partner = view.called.partner if view.called and view.called.revealed else None
    return tuple(each for each in (taker, partner) if each is not None)


def _of_card(trick: _Trick, number: int, *, is_ours: bool) -> Signs:
    if trick.led == c.NO_SUIT:
        return _of_lead(trick, number)
    if number >= c.PETIT:
        return _of_trump(trick, number)
    return _of_follower(trick, number, is_ours=is_ours) if c.suit_of(number) == trick.led else iter(())


def _of_lead(trick: _Trick, number: int) -> Signs:
    if number >= c.PETIT:
        return
    suit, below = c.SUITS[c.suit_of(number)], (1 << number) - 1
    if _PIPS >> number & 1:
        yield Sign.COURT_NOT_LED, suit & _COURTS
        yield Sign.PIP_BELOW_LEAD, suit & below
        yield Sign.PIP_ABOVE_LEAD, suit & _PIPS & ~below
    left = (other & ~trick.gone for other in c.SUITS if other != suit)
    yield Sign.MASTER_NOT_LED, sum(1 << cards.bit_length() - 1 for cards in left if cards)


def _of_trump(trick: _Trick, number: int) -> Signs:
    if number == c.PETIT:
        return
    needed = c.above(trick.best) if c.PETIT <= trick.best < number else c.TRUMPS
    yield Sign.TRUMP_BELOW, needed & (1 << number) - 1 & ~(1 << c.PETIT)
    yield Sign.PETIT_KEPT, needed & 1 << c.PETIT


def _of_follower(trick: _Trick, number: int, *, is_ours: bool) -> Signs:
    suit, below = c.SUITS[trick.led], (1 << number) - 1
    ahead = suit & c.above(trick.best) if trick.best < c.PETIT else 0
    if _PIPS >> number & 1:
        yield Sign.PIP_BELOW, suit & below
        yield (Sign.GIFT_KEPT, suit & _COURTS) if is_ours else (Sign.WINNER_KEPT, ahead & _COURTS)
    elif is_ours or ahead >> number & 1:
        yield Sign.COURT_ABOVE, suit & ~below
    else:
        yield Sign.BELOW_A_LOSS, suit & below
