"""Signs: what a played card, or a bid, shows about the unseen cards, in all games of tricks.

A player who follows with a worthless card seldom has a lower one; a player who could have won mostly did. So each card
played makes others more or less likely to be in the same hand, by a weight for each sign. Each game has its own weights
(``watching``), counted in games (``bench/README.md``).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp
from typing import Final, TypeAlias, TypeVar

from domain.table import Seat
from workers.bots.chances import SURE


class Sign(Enum):
    """What a seat did, and the cards in its hand for which that is a sign.

    A court card is a card of a suit that scores for the player who takes it; a pip does not. A prize is a trump that is
    more often taken than takes.
    """

    PIP_BELOW = "below a pip that followed suit"
    GIFT_KEPT = "a court card, where a friend was ahead and got a pip"
    WINNER_KEPT = "a court card that would have been ahead, where an opponent got a pip"
    COURT_ABOVE = "above a court card that followed suit to a friend's trick, or went ahead"
    BELOW_A_LOSS = "below a court card that followed suit to an opponent's trick"
    TRUMP_BELOW = "below a trump that went ahead, and high enough to do so"
    TRUMP_BELOW_A_LOSS = "below a trump that did not go ahead"
    WINNING_TRUMP_KEPT = "a trump that would have been ahead, where an opponent got a lower one"
    PRIZE_KEPT = "a prize, where another trump was played"
    PRIZE_NOT_GIVEN = "a prize, where a friend was ahead and got another trump"
    PIP_BELOW_THROWN = "below a pip that was thrown away"
    COURT_NOT_THROWN = "a court card, where a friend was ahead and a pip was thrown away"
    COURT_NOT_LED = "a court card of a suit of which a pip was led"
    PIP_BELOW_LEAD = "below a pip that was led"
    PIP_ABOVE_LEAD = "above a pip that was led"
    ABOVE_COURT_LED = "above a court card that was led"
    MASTER_NOT_LED = "the highest card left of a suit, where another suit was led"
    ABOVE_TRUMP_LED = "above a trump that was led"
    TRUMP_BELOW_LEAD = "below a trump that was led"
    HIGHEST_NOT_LED = "the highest trump left, where a suit was led"
    BIDDER_HIGH = "one of the highest trumps, of who won the auction"
    BIDDER_TRUMP = "a trump, of who won the auction"
    BIDDER_PIP = "a pip, of who won the auction"
    BIDDER_ACE = "the ace of another suit, of who won the auction"
    OUTBID_TRUMP = "a trump, of who bid and was outbid"
    OUTBID_COURT = "a court card, of who bid and was outbid"
    PASSED_HIGH = "one of the highest trumps, of who passed at once"
    COURT_ASIDE = "a court card, laid aside"
    TRUMP_ASIDE = "a trump, laid aside"
    SUIT_KEPT = "laid aside, of a suit of which the same player played a card; once for each card"
    SUIT_LACKED = "laid aside, of a suit that the same player turned out to lack; once for each time"


Weights: TypeAlias = Mapping[Sign, int]
"""How much likelier each sign makes a card there; missing signs have no weight."""

NAT: Final = 16
"""Weights are natural logarithms of probabilities, in parts of one."""

MOST: Final = 2 * NAT
"""The most that all signs together count for a card in a place, because people have reasons of their own."""

CHANCE: Final = tuple(round(SURE * exp(-less / NAT)) for less in range(4 * MOST + 1))
"""The probability of making a swap that makes a world less likely by so much."""

FRESH_EVERY: Final = 32
"""After so many worlds, one is sampled by the rules again: swaps cannot lead from any world to any other."""

PASSES: Final = 8
"""How many swaps of each unseen card a sampled world goes through before its use; later worlds take one.

Then all but 3 % of the effect of 40 swaps is there; after one swap, half of it was missing.
"""

Place = TypeVar("Place")

Signs: TypeAlias = Iterator[tuple[Sign, int]]
"""Signs, each with its cards, as bits."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The cards by number: the suit of each, the cards of its suit that are higher, and the cards of each suit."""

    suit: Sequence[int]
    above: Sequence[int]
    cards: Sequence[int]
    """The cards of each suit, the trumps last."""
    courts: int
    prizes: int

    @property
    def trump(self) -> int:
        """Return the number of the trumps among the suits."""
        return len(self.cards) - 1

    @property
    def trumps(self) -> int:
        """Return all trumps."""
        return self.cards[-1]

    def below(self, number: int) -> int:
        """Return the cards of the same suit that are lower."""
        return self.cards[self.suit[number]] & ~self.above[number] & ~(1 << number)

    def ahead_of(self, best: int) -> int:
        """Return the cards that go ahead of the best one of a trick."""
        return self.above[best] | (self.trumps if self.suit[best] != self.trump else 0)


@dataclass(slots=True)
class _Trick:
    """A trick so far: the cards gone before it, the suit led, the best card, and its player."""

    pack: Pack
    gone: int
    led: int = -1
    best: int = -1
    winner: Seat = -1

    def add(self, number: int, seat: Seat) -> None:
        if self.led < 0:
            self.led = self.pack.suit[number]
        if self.best < 0 or self.pack.ahead_of(self.best) >> number & 1:
            self.best, self.winner = number, seat


def weighed(signs: Iterable[tuple[Place, Sign, int]], weights: Weights, unseen: int) -> Mapping[tuple[Place, int], int]:
    """Return how much likelier some unseen cards, given as bits, are in a place, by place and card."""
    found: Counter[tuple[Place, int]] = Counter()
    for place, sign, of in signs:
        weight, cards = weights.get(sign, 0), of & unseen
        while cards and weight:
            found[place, (cards & -cards).bit_length() - 1] += weight
            cards &= cards - 1
    return {where: min(max(lean, -MOST), MOST) for where, lean in found.items()}


def of_tricks(
    pack: Pack, tricks: Iterable[Iterable[tuple[Seat, int]]], are_friends: Callable[[Seat, Seat], bool], loose: int = 0
) -> Iterator[tuple[Seat, Sign, int]]:
    """List what the cards of tricks have shown: the player, the sign, and its cards, as bits.

    ``loose`` are cards that are played for other reasons: they are not signs, and no sign concerns them.
    """
    gone = 0
    for cards in tricks:
        trick = _Trick(pack, gone)
        for seat, number in cards:
            gone |= 1 << number
            if loose >> number & 1:
                continue
            is_ours = trick.winner >= 0 and are_friends(seat, trick.winner)
            for sign, of in _of_card(trick, number, is_ours=is_ours):
                yield seat, sign, of & ~loose
            trick.add(number, seat)


def _of_card(trick: _Trick, number: int, *, is_ours: bool) -> Signs:
    is_trump = trick.pack.suit[number] == trick.pack.trump
    if trick.led < 0:
        return _of_trump_led(trick, number) if is_trump else _of_lead(trick, number)
    if is_trump:
        return _of_trump(trick, number, is_ours=is_ours)
    follows = trick.pack.suit[number] == trick.led
    return (_of_follower if follows else _of_thrown)(trick, number, is_ours=is_ours)


def _of_lead(trick: _Trick, number: int) -> Signs:
    pack = trick.pack
    suit = pack.cards[pack.suit[number]]
    if pack.courts >> number & 1:
        yield Sign.ABOVE_COURT_LED, pack.above[number]
    else:
        yield Sign.COURT_NOT_LED, suit & pack.courts
        yield Sign.PIP_BELOW_LEAD, pack.below(number)
        yield Sign.PIP_ABOVE_LEAD, pack.above[number] & ~pack.courts
    yield Sign.MASTER_NOT_LED, sum(_highest(pack, other & ~trick.gone) for other in pack.cards[:-1] if other != suit)
    yield Sign.HIGHEST_NOT_LED, _highest(pack, pack.trumps & ~trick.gone)


def _of_trump_led(trick: _Trick, number: int) -> Signs:
    yield Sign.ABOVE_TRUMP_LED, trick.pack.above[number]
    yield Sign.TRUMP_BELOW_LEAD, trick.pack.below(number)


def _highest(pack: Pack, cards: int) -> int:
    """Return the highest of some cards of a suit, as a bit."""
    while cards and (higher := pack.above[(cards & -cards).bit_length() - 1] & cards):
        cards = higher
    return cards


def _of_trump(trick: _Trick, number: int, *, is_ours: bool) -> Signs:
    pack = trick.pack
    if pack.prizes >> number & 1:
        return
    ahead = pack.ahead_of(trick.best) & pack.trumps
    wins = ahead >> number & 1
    could = pack.below(number) & (ahead if wins else pack.trumps)
    yield Sign.TRUMP_BELOW if wins else Sign.TRUMP_BELOW_A_LOSS, could & ~pack.prizes
    yield Sign.PRIZE_KEPT, could & pack.prizes
    if is_ours:
        yield Sign.PRIZE_NOT_GIVEN, pack.prizes
    elif not wins:
        yield Sign.WINNING_TRUMP_KEPT, ahead


def _of_follower(trick: _Trick, number: int, *, is_ours: bool) -> Signs:
    pack = trick.pack
    courts, ahead = pack.cards[trick.led] & pack.courts, pack.ahead_of(trick.best)
    if not pack.courts >> number & 1:
        yield Sign.PIP_BELOW, pack.below(number)
        yield (Sign.GIFT_KEPT, courts) if is_ours else (Sign.WINNER_KEPT, courts & ahead)
    elif is_ours or ahead >> number & 1:
        yield Sign.COURT_ABOVE, pack.above[number]
    else:
        yield Sign.BELOW_A_LOSS, pack.below(number)


def _of_thrown(trick: _Trick, number: int, *, is_ours: bool) -> Signs:
    pack = trick.pack
    if pack.courts >> number & 1:
        return
    yield Sign.PIP_BELOW_THROWN, pack.below(number)
    if is_ours:
        yield Sign.COURT_NOT_THROWN, pack.courts
