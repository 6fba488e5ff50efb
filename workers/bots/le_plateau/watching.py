"""What auction, exchange and play have shown: where a card is more or less likely (``signs``)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from domain.cardplay.cards import TRUMPS
from domain.le_plateau.board import Space
from domain.le_plateau.inference import DISCARD, Place, cards_in_tricks
from domain.le_plateau.options import Options
from domain.le_plateau.view import View
from domain.table import Seat
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.loader import FIRST_TRUMP, number_of
from workers.bots.signs import Pack, Sign, Weights, of_tricks, weighed

WEIGHTS: Final[Weights] = {
    Sign.PIP_BELOW: -32,
    Sign.GIFT_KEPT: -11,
    Sign.WINNER_KEPT: -18,
    Sign.COURT_ABOVE: -5,
    Sign.BELOW_A_LOSS: -17,
    Sign.TRUMP_BELOW: -11,
    Sign.TRUMP_BELOW_A_LOSS: -32,
    Sign.WINNING_TRUMP_KEPT: -11,
    Sign.PRIZE_KEPT: -8,
    Sign.PRIZE_NOT_GIVEN: -11,
    Sign.PIP_BELOW_THROWN: -32,
    Sign.PIP_BELOW_LEAD: -32,
    Sign.PIP_ABOVE_LEAD: 12,
    Sign.TRUMP_BELOW_LEAD: -2,
    Sign.BIDDER_HIGH: 7,
    Sign.BIDDER_TRUMP: 10,
    Sign.BIDDER_PIP: -14,
    Sign.OUTBID_TRUMP: 11,
    Sign.PASSED_HIGH: -5,
    Sign.COURT_ASIDE: -32,
    Sign.TRUMP_ASIDE: -32,
    Sign.SUIT_LACKED: 4,
}

_TRUMP = 4
EXCUSE: Final = k.FRENCH_EXCUSE << FIRST_TRUMP
"""An excuse without a suit, as a bit."""

_SUITS = (*(k.LOWEST_SUIT << k.SUIT * suit for suit in range(4)), k.TRUMPS_ALL << FIRST_TRUMP)
_SUIT_OF = (*(number // k.SUIT for number in range(FIRST_TRUMP)), *[_TRUMP] * k.TRUMPS_ALL.bit_length())
_ABOVE = tuple(_SUITS[suit] & -(2 << number) for number, suit in enumerate(_SUIT_OF))
_EXCUSE_AS_TRUMP = (k.TRUMPS_ALL + 1 >> 1) << FIRST_TRUMP
_COURTS = sum(0b1111 << k.SUIT * suit + 10 for suit in range(4))
_HIGH = k.TRUMPS_ALL >> 16 << FIRST_TRUMP + 16
"""T17 and higher."""


def leanings(options: Options, view: View, seat: Seat, unseen: int) -> Mapping[tuple[Place, int], int]:
    """Return how much likelier some unseen cards, given as bits, are in a place, by place and card."""
    return weighed(signs(options, view, seat), WEIGHTS, unseen)


def signs(options: Options, view: View, seat: Seat) -> Iterator[tuple[Place, Sign, int]]:
    """List what others have shown to a seat: the place, the sign, and its cards, as bits.

    Before there is a contract, and while it can be raised, nothing is listed: there, the results of playouts are
    calibrated with equally likely worlds.
    """
    contract = view.contract
    if contract is None or view.phase == "raise":
        return
    attack = (contract.declarer, *contract.partners)
    tricks = [[(each.seat, number_of(each.card, options)) for each in cards] for cards in cards_in_tricks(view)]
    pack = _pack(options, view.board.tokens)
    played = of_tricks(pack, tricks, lambda one, other: (one in attack) == (other in attack), EXCUSE)
    for who, sign, of in chain(played, _of_auction(view)):
        if who != seat:
            yield ("held", who, 0), sign, of
    if view.discard.count and view.discard.cards is None:
        yield from ((DISCARD, sign, of) for sign, of in _aside(tricks, contract.exchanger))


def _of_auction(view: View) -> Iterator[tuple[Seat, Sign, int]]:
    trumps, bidders = _SUITS[_TRUMP], [spoken.seat for spoken in view.bids if spoken.bid]
    highest = bidders[-1]
    yield highest, Sign.BIDDER_TRUMP, trumps
    yield highest, Sign.BIDDER_HIGH, _HIGH
    yield highest, Sign.BIDDER_PIP, sum(_SUITS[:_TRUMP]) & ~_COURTS
    yield from ((who, Sign.OUTBID_TRUMP, trumps) for who in dict.fromkeys(bidders) if who != highest)
    yield from ((hand.seat, Sign.PASSED_HIGH, _HIGH) for hand in view.hands if hand.seat not in bidders)


def _aside(tricks: Iterable[Sequence[tuple[Seat, int]]], exchanger: Seat | None) -> Iterator[tuple[Sign, int]]:
    yield Sign.COURT_ASIDE, _COURTS
    yield Sign.TRUMP_ASIDE, _SUITS[_TRUMP]
    for cards in tricks:
        suits = [(who, _SUIT_OF[number]) for who, number in cards if not EXCUSE >> number & 1]
        led = suits[0][1] if suits else _TRUMP
        if led != _TRUMP:
            yield from ((Sign.SUIT_LACKED, _SUITS[led]) for who, suit in suits if who == exchanger and suit != led)


def _pack(options: Options, tokens: tuple[Space, ...]) -> Pack:
    """Return the cards with their roles on a board: the low trumps that have a space on it are prizes."""
    prizes = sum(1 << FIRST_TRUMP + number for number, card in enumerate(TRUMPS[:6]) if card in tokens)
    trumps = _SUITS[_TRUMP] if options.excuse == "trump" else _SUITS[_TRUMP] & ~_EXCUSE_AS_TRUMP
    return Pack(_SUIT_OF, _ABOVE, (*_SUITS[:_TRUMP], trumps), _COURTS, prizes)
