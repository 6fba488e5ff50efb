"""What exchange and play have shown: where a card is more or less likely, because it was not played (``signs``)."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from domain.cardplay.tricks import TrickCard
from domain.french_tarot.inference import ECART, Place
from domain.french_tarot.view import View
from domain.table import Seat
from workers.bots.french_tarot import cards as c
from workers.bots.signs import Pack, Sign, Weights, of_tricks, weighed

WEIGHTS: Final[Weights] = {
    Sign.PIP_BELOW: -16,
    Sign.GIFT_KEPT: -4,
    Sign.WINNER_KEPT: -6,
    Sign.COURT_ABOVE: -6,
    Sign.BELOW_A_LOSS: -13,
    Sign.TRUMP_BELOW: -12,
    Sign.TRUMP_BELOW_A_LOSS: -12,
    Sign.PRIZE_KEPT: -8,
    Sign.COURT_NOT_LED: -4,
    Sign.PIP_BELOW_LEAD: -10,
    Sign.PIP_ABOVE_LEAD: 4,
    Sign.MASTER_NOT_LED: -4,
    Sign.COURT_ASIDE: 14,
    Sign.SUIT_KEPT: -10,
}

_COURTS = sum(0b1111 << c.RANKS * suit + c.JACK for suit in range(4))
_PACK = Pack(
    suit=[*map(c.suit_of, range(len(c.CARD)))],
    above=[*map(c.above, range(c.EXCUSE)), 0],
    cards=(*c.SUITS, c.TRUMPS),
    courts=_COURTS,
    prizes=1 << c.PETIT,
)


def leanings(view: View, seat: Seat, unseen: int) -> Mapping[tuple[Place, int], int]:
    """Return how much likelier some unseen cards, given as bits, are in a place, by place and card."""
    return weighed(signs(view, seat), WEIGHTS, unseen)


def signs(view: View, seat: Seat) -> Iterator[tuple[Place, Sign, int]]:
    """List what others have shown to a seat: the place, the sign, and its cards, as bits."""
    tricks = [*(won.cards for won in view.tricks), view.trick.cards if view.trick else ()]
    attack = _attack(view)
    loose = 1 << c.EXCUSE | (1 << c.PETIT if view.petit_imprenable is not None else 0)
    numbered = [[(played.seat, c.NUMBER[played.card]) for played in cards] for cards in tricks]
    for who, sign, of in of_tricks(_PACK, numbered, lambda one, other: (one in attack) == (other in attack), loose):
        if who != seat:
            yield ("held", who), sign, of
    if view.ecart.count > 0 and seat not in attack[:1]:
        yield from ((ECART, sign, of) for sign, of in _aside(chain(*tricks), attack[0]))


def _aside(played: Iterator[TrickCard], taker: Seat) -> Iterator[tuple[Sign, int]]:
    yield Sign.COURT_ASIDE, _COURTS
    for each in played:
        number = c.NUMBER[each.card]
        if each.seat == taker and number < c.PETIT:
            yield Sign.SUIT_KEPT, c.SUITS[c.suit_of(number)]


def _attack(view: View) -> tuple[Seat, ...]:
    """Return the taker, and the partner if all know who that is."""
    taker = view.contract.taker if view.contract else None
    partner = view.called.partner if view.called and view.called.revealed else None
    return tuple(each for each in (taker, partner) if each is not None)
