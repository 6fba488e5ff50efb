"""What an auction of French Tarot shows: a bidder was probably dealt a strong hand, a player who passed a weak one.

A hand is counted as for a bid (``contracts``), but card by card, without lengths, so that one card more or less is
quickly added. The probability that a seat has bid is a logistic curve around the line from which ``greedy`` bids.
"""

from collections.abc import Iterator, Mapping
from math import exp
from typing import Final, NamedTuple

from domain.french_tarot.actions import ContractName
from domain.french_tarot.view import View
from domain.table import Seat
from workers.bots.chances import SURE
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import contracts

_ORDER: Final[tuple[ContractName, ...]] = ("petite", "garde", "garde_sans", "garde_contre")
_GARDE: Final = _ORDER.index("garde")

OF_THE_PETIT: Final = 6
"""The value of the petit behind some trumps."""

OF_LENGTHS: Final[Mapping[int, int]] = {3: 12, 4: 6, 5: 5}
"""By players, the average of lengths and marriages in ``contracts`` for a hand on the line."""

SPREAD: Final = 4
"""How many points above the line make a bid e times as likely as a pass; for ``greedy`` alone it would be 3."""

NEVERTHELESS: Final = SURE // 32
"""The minimum probability of any behaviour, because people have reasons of their own."""

FAR: Final = 24
"""The distance from the line in points beyond which probabilities no longer change."""

LIKELY: Final = tuple(
    NEVERTHELESS + round((SURE - NEVERTHELESS) / (1 + exp(-each / SPREAD))) for each in range(-FAR, FAR + 1)
)
"""The probability that a strong hand bids, from ``FAR`` points below the line to ``FAR`` above."""


def _strength_of(number: int) -> int:
    if number < c.PETIT:
        return contracts.OF_COURTS.get(number % c.RANKS, 0)
    if number == c.EXCUSE:
        return contracts.OF_EXCUSE
    is_high = contracts.HIGH_TRUMPS >> number & 1
    own = {c.PETIT: OF_THE_PETIT, c.T21: contracts.OF_T21}.get(number, 0)
    return contracts.OF_A_TRUMP + contracts.OF_A_HIGH_TRUMP * is_high + own


STRENGTH_OF: Final = tuple(_strength_of(number) for number in range(len(c.CARD)))
"""The value of each card."""


class Heard(NamedTuple):
    """What a seat has shown: 1 if its hand is probably above a line, -1 if below."""

    seat: Seat
    shown: int
    line: int


def strength_of(cards: int) -> int:
    """Return the value of some cards."""
    return sum(STRENGTH_OF[number] for number in c.numbers_of(cards))


def heard(view: View) -> Iterator[Heard]:
    """List what seats have shown: by their last bid, or else by the cheapest valuable bid that they did not make."""
    players, next_bid = len(view.players), _GARDE
    said: dict[Seat, Heard] = {}
    for spoken in view.bids:
        if spoken.contract is not None:
            said[spoken.seat] = Heard(spoken.seat, 1, line_of(players, spoken.contract))
            next_bid = max(_ORDER.index(spoken.contract) + 1, _GARDE)
        elif next_bid < len(_ORDER) and spoken.seat not in said:
            said[spoken.seat] = Heard(spoken.seat, -1, line_of(players, _ORDER[next_bid]))
    yield from said.values()


def line_of(players: int, contract: ContractName) -> int:
    """Return the line from which a contract is worth more than the one below, or than a pass."""
    base, slope = contracts.EXPECTED[players][contract]
    below = _ORDER.index(contract) - 1
    if below >= _GARDE:
        less = contracts.EXPECTED[players][_ORDER[below]]
        base, slope = base - less[0], slope - less[1]
    return -base // slope - OF_LENGTHS[players]
