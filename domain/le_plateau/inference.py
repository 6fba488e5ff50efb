"""Where the cards that a viewer does not see can lie, by what the view shows.

A view shows who could not follow suit, who held an announced card, which higher cards a declarer must have held, which
cards were taken face up, and all that the end of a hand makes public.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from domain.cardplay.cards import RANKS, SUITS, TRUMP, Card, Suit
from domain.cardplay.tricks import SuitOf, TrickCard
from domain.le_plateau.deck import SUIT_OF, shape_for
from domain.le_plateau.options import Options
from domain.le_plateau.state import HandResult
from domain.le_plateau.view import View, result_of
from domain.table import Seat

Place: TypeAlias = tuple[str, int, int]
"""Where a card can lie unseen: ("held", seat, 0), ("under", seat, pile), or one of the two below."""

TALON: Place = ("talon", 0, 0)
DISCARD: Place = ("discard", 0, 0)

Allowed: TypeAlias = Callable[[Card, Place], bool]


def allowed_places(options: Options, view: View) -> Allowed:
    """Return a test of whether an unseen card can lie in a place."""
    end = result_of(view)
    if end is not None:
        return _as_revealed(end)
    suit_of = SUIT_OF[options.excuse]
    voids = _voids(view, suit_of)
    holder = _holders(view, shape_for(len(view.scores), options.deck, options.edition).deck)
    taken = _taken_in_sight(view)

    def allowed(card: Card, place: Place) -> bool:
        kind, seat, _ = place
        if card in taken and place not in taken[card]:
            return False
        if card in holder:
            return kind == "held" and holder[card] == seat if holder[card] is not None else kind != "held"
        return kind != "held" or (seat, suit_of[card]) not in voids

    return allowed


def cards_in_tricks(view: View) -> list[tuple[TrickCard, ...]]:
    """List the cards of every trick of the hand, the one on the table last."""
    tricks = [trick.cards for trick in view.tricks]
    return [*tricks, view.trick.cards] if view.trick else tricks


def _as_revealed(end: HandResult) -> Allowed:
    where: dict[Card, Place] = dict.fromkeys(end.discard, DISCARD)
    where |= {card: ("held", shown.seat, 0) for shown in end.unplayed for card in shown.cards}
    where |= {pile.under: ("under", shown.seat, i) for shown in end.piles for i, pile in enumerate(shown.piles)}
    return lambda card, place: where.get(card, TALON) == place


def _taken_in_sight(view: View) -> dict[Card, tuple[Place, Place]]:
    """Map the cards that the exchanger took face up to where they can lie unseen: the hand, the discard."""
    talon, contract = view.talon, view.contract
    if talon.chosen is None or talon.groups is None or contract is None or contract.exchanger is None:
        return {}
    return dict.fromkeys(talon.groups[talon.chosen], (("held", contract.exchanger, 0), DISCARD))


def _voids(view: View, suit_of: SuitOf) -> set[tuple[Seat, Suit | None]]:
    """Collect (seat, suit) where a seat did not follow suit, and so holds none of it in the hand."""
    voids: set[tuple[Seat, Suit | None]] = set()
    for cards in cards_in_tricks(view):
        suits = [(played.seat, suit_of[played.card]) for played in cards]
        led = next((suit for _, suit in suits if suit), None)
        for seat, suit in suits:
            if suit not in (led, None):
                voids.add((seat, led))
                if suit != TRUMP:
                    voids.add((seat, TRUMP))
    return voids


def _holders(view: View, deck: Sequence[Card]) -> dict[Card, Seat | None]:
    """Map cards to the seat that certainly held them when the partner was sought; None where no hand had the card."""
    holders: dict[Card, Seat | None] = dict(view.holders)
    if not view.announced:
        return holders
    declarer = next(spoken.seat for spoken in reversed(view.bids) if spoken.bid)
    lowest = min(RANKS.index(card[:-1]) for card in view.announced)
    for rank in RANKS[lowest + 1 :]:
        for card in (rank + suit for suit in SUITS):
            if card in deck and card not in holders:
                holders[card] = declarer
    return holders
