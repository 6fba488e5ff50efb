"""What a seat knows in the play of Plute, in numbers: unseen cards, and who can hold them."""

from collections.abc import Iterator
from dataclasses import dataclass

from domain.plute.deck import PLAYERS, TrickCard
from domain.plute.options import Options
from domain.plute.view import View
from domain.table import Seat
from workers.bots.chances import miss
from workers.bots.knowledge import CardsKnown
from workers.bots.plute import cards as c


@dataclass(frozen=True, slots=True)
class Known(CardsKnown):
    """The play as one seat sees it, with a trump suit."""

    order: c.Order
    low_is_taken: bool
    """Whether Low counts for the player who takes the deuce, not for the one who was dealt it."""

    def is_ally(self, seat: Seat) -> bool:
        """Return whether a seat plays for the same team."""
        return (seat - self.seat) % 2 == 0


def known_of(options: Options, view: View, seat: Seat, trump: int) -> Known:
    """Collect what a seat knows from its view, if trump is, or will be, this suit."""
    order = c.ORDERS[trump]
    hand = c.mask_of(view.hands[seat].cards or ())
    played = c.mask_of(card.card for cards in _tricks(view) for card in cards)
    unseen = c.PACK & ~(hand | played)
    lacks = _lacks(view, order)
    may = [0 if each == seat else unseen & ~lacks[each] for each in range(PLAYERS)]
    trick = tuple((card.seat, c.NUMBER[card.card]) for card in (view.trick.cards if view.trick else ()))
    others = tuple((seat + turn) % PLAYERS for turn in range(1, PLAYERS))
    return Known(
        seat=seat,
        order=order,
        hand=hand,
        unseen=unseen,
        may=may,
        miss=[miss(held.count, mask) for held, mask in zip(view.hands, may, strict=True)],
        trick=trick,
        after=others[: PLAYERS - 1 - len(trick)],
        others=others,
        low_is_taken=options.low == "taker",
    )


def _tricks(view: View) -> Iterator[tuple[TrickCard, ...]]:
    yield from (won.cards for won in view.tricks)
    if view.trick:
        yield view.trick.cards


def _lacks(view: View, order: c.Order) -> list[int]:
    """Return the cards that each seat cannot hold, because it neither followed suit nor trumped."""
    lacks = [0] * PLAYERS
    for cards in _tricks(view):
        led = order.suit[c.NUMBER[cards[0].card]] if cards else c.TRUMP
        for card in cards:
            if order.suit[c.NUMBER[card.card]] not in (led, c.TRUMP):
                lacks[card.seat] |= order.cards[led]
    return lacks
