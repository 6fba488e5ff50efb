"""What auction and play have shown: where a card is more or less likely (``signs``)."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from domain.plute.bidding import LOWEST
from domain.plute.deck import TRUMP_SUITS, TrumpSuit
from domain.plute.view import View
from domain.table import Seat
from workers.bots.plute import cards as c
from workers.bots.signs import Pack, Sign, Weights, of_tricks, weighed

WEIGHTS: Final[Weights] = {
    Sign.PIP_BELOW: -18,
    Sign.GIFT_KEPT: -4,
    Sign.WINNER_KEPT: -7,
    Sign.COURT_ABOVE: -6,
    Sign.BELOW_A_LOSS: -10,
    Sign.TRUMP_BELOW: -7,
    Sign.TRUMP_BELOW_A_LOSS: -24,
    Sign.WINNING_TRUMP_KEPT: -9,
    Sign.PRIZE_NOT_GIVEN: -8,
    Sign.PIP_BELOW_THROWN: -24,
    Sign.COURT_NOT_THROWN: -6,
    Sign.PIP_BELOW_LEAD: -15,
    Sign.PIP_ABOVE_LEAD: 3,
    Sign.ABOVE_COURT_LED: -3,
    Sign.ABOVE_TRUMP_LED: 10,
    Sign.TRUMP_BELOW_LEAD: 4,
    Sign.HIGHEST_NOT_LED: -4,
    Sign.BIDDER_HIGH: 14,
    Sign.BIDDER_TRUMP: 7,
    Sign.BIDDER_ACE: -7,
    Sign.OUTBID_TRUMP: 3,
    Sign.OUTBID_COURT: 3,
}

_ACES = sum(1 << c.RANKS * suit + c.ACE for suit in range(4))
_COURTS = sum(0b11111 << c.RANKS * suit + c.TEN for suit in range(4))
"""The cards that count for Game."""


def leanings(view: View, seat: Seat, unseen: int) -> Mapping[tuple[Seat, int], int]:
    """Return how much likelier some unseen cards, given as bits, are in a hand, by seat and card."""
    return weighed(signs(view, seat), WEIGHTS, unseen)


def signs(view: View, seat: Seat) -> Iterator[tuple[Seat, Sign, int]]:
    """List what others have shown to a seat once trump is named: the seat, the sign, and its cards."""
    if view.trump is None or view.contract is None:
        return
    pack, bidder = _pack(view.trump), view.contract.bidder
    tricks = [*(won.cards for won in view.tricks), view.trick.cards if view.trick else ()]
    numbered = [[(played.seat, c.NUMBER[played.card]) for played in cards] for cards in tricks]
    for who, sign, of in of_tricks(pack, numbered, lambda one, other: (one - other) % 2 == 0):
        if who != seat:
            yield who, sign, of
    for who in _willing(view):
        if who != seat:
            of_bid = _of_bidder(pack, view.trump) if who == bidder else _of_outbid(pack)
            yield from ((who, sign, of) for sign, of in of_bid)


def _willing(view: View) -> Iterator[Seat]:
    """List the seats that bid, except a dealer who had to: all others left the lowest bid to them."""
    bids = [spoken for spoken in view.bids if spoken.points]
    for spoken in bids:
        if spoken.seat != view.dealer or len(bids) > 1 or spoken.points != LOWEST:
            yield spoken.seat


def _of_bidder(pack: Pack, trump: TrumpSuit) -> Iterator[tuple[Sign, int]]:
    yield Sign.BIDDER_TRUMP, pack.cards[c.TRUMP]
    yield Sign.BIDDER_HIGH, 1 << c.RANKS * TRUMP_SUITS.index(trump) + c.ACE
    yield Sign.BIDDER_ACE, _ACES & pack.courts


def _of_outbid(pack: Pack) -> Iterator[tuple[Sign, int]]:
    yield Sign.OUTBID_TRUMP, pack.cards[c.TRUMP]
    yield Sign.OUTBID_COURT, pack.courts


@cache
def _pack(trump: TrumpSuit) -> Pack:
    """Return the cards under a trump suit; of the jokers, none is higher here."""
    order = c.ORDERS[TRUMP_SUITS.index(trump)]
    return Pack(order.suit, order.above, order.cards, _COURTS & ~order.cards[c.TRUMP], order.points)
