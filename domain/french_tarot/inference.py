"""What a view shows about cards that its viewer does not see: where each of them can lie.

The view shows who could not follow, trump or overtrump; what lay in the chien; what can be laid aside and called; what
poignées and misères mean; and what the end of a deal makes public.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from domain.cardplay.cards import EXCUSE, SUITS, TAROT_PACK, TRUMP, Card, Suit
from domain.cardplay.tricks import SuitOf, TrickCard
from domain.french_tarot.deck import COURT_RANKS, PETIT, STRENGTH, is_free, is_trump, suits
from domain.french_tarot.options import Options
from domain.french_tarot.view import View
from domain.table import Seat

Place: TypeAlias = tuple[str, int]
"""Where a card can lie unseen: ("held", seat), ("chien", 0), ("ecart", 0)."""

CHIEN: Place = ("chien", 0)
ECART: Place = ("ecart", 0)
_TRUMPLIKE = frozenset(card for card in TAROT_PACK if is_trump(card) or card == EXCUSE)
_COURTS = frozenset(card for card in TAROT_PACK if card[0] in COURT_RANKS)


def allowed_places(options: Options, view: View) -> Callable[[Card, Place], bool]:
    """Return a function that judges which unseen card can lie where, from the past of the deal."""
    only = _bound_cards(options, view)
    excluded = _excluded(view)

    def allowed(card: Card, place: Place) -> bool:
        if card in only and place not in only[card]:
            return False
        if place == ECART:
            return is_free(card)
        return place == CHIEN or card not in excluded.get(place[1], ())

    return allowed


def cards_played(view: View) -> Iterator[TrickCard]:
    """List the cards played in this deal, in order."""
    for trick in _tricks(view):
        yield from trick


def _tricks(view: View) -> Iterator[tuple[TrickCard, ...]]:
    yield from (trick.cards for trick in view.tricks)
    if view.trick:
        yield view.trick.cards


def _bound_cards(options: Options, view: View) -> dict[Card, set[Place]]:
    """Map each card whose place is limited to the places that are left for it."""
    bound: dict[Card, set[Place]] = {}
    if view.petit_imprenable is not None:
        bound[PETIT] = {("held", view.petit_imprenable)}
    if view.contract is None:
        return bound
    with_taker = {("held", view.contract.taker), ECART}
    bound |= dict.fromkeys(view.chien.turned_up, with_taker)
    if view.called:
        called = view.called.card
        higher = COURT_RANKS[: COURT_RANKS.index(called[0])]
        bound |= {rank + suit: with_taker for rank in higher for suit in SUITS}
        if not options.call_self and called not in bound:
            others = {("held", seat) for seat in view.players} - with_taker
            bound[called] = others | {CHIEN}
    return bound


def _excluded(view: View) -> dict[Seat, set[Card]]:
    """Collect the unseen cards that each seat cannot hold now."""
    excluded: dict[Seat, set[Card]] = {seat: set() for seat in view.players}
    for seat, cards in (*_by_tricks(view), *_by_announcements(view), *_by_chien_and_ecart(view)):
        excluded[seat].update(cards)
    return excluded


def _by_tricks(view: View) -> Iterator[tuple[Seat, Iterable[Card]]]:
    """List what each seat lacks that did not follow suit, or did not overtrump."""
    suit_of = suits(imprenable=view.petit_imprenable is not None)
    for trick in _tricks(view):
        led, highest = None, -1
        for played in trick:
            suit, strength = suit_of[played.card], STRENGTH[played.card]
            if led is not None and suit not in (None, led):
                yield played.seat, _of_suit(led, suit_of)
            if led is not None and suit == TRUMP and strength < highest:
                yield played.seat, [card for card in _of_suit(TRUMP, suit_of) if STRENGTH[card] > highest]
            if led is not None and suit not in (None, led, TRUMP):
                yield played.seat, _of_suit(TRUMP, suit_of)
            led = led or suit
            highest = max(highest, strength) if suit == TRUMP else highest


def _by_announcements(view: View) -> Iterator[tuple[Seat, Iterable[Card]]]:
    """List what a seat lacks that showed the Excuse in a poignée, or announced a misère."""
    for poignee in view.poignees:
        if EXCUSE in poignee.cards:
            yield poignee.seat, _TRUMPLIKE.difference(poignee.cards)
    for misere in view.miseres:
        yield misere.seat, _TRUMPLIKE if misere.kind == "no_trumps" else _COURTS


def _by_chien_and_ecart(view: View) -> Iterator[tuple[Seat, Iterable[Card]]]:
    """List what the taker has not kept, and what a seat was not dealt that had the petit alone."""
    taker = view.contract.taker if view.contract else None
    if taker is not None and view.ecart.trumps:
        yield taker, filter(is_free, TAROT_PACK)
    holder = view.petit_imprenable
    if holder is not None:
        taken_in = view.chien.turned_up if holder == taker else ()
        yield holder, _TRUMPLIKE.difference((PETIT, *taken_in))


def _of_suit(suit: Suit, suit_of: SuitOf) -> list[Card]:
    return [card for card in TAROT_PACK if suit_of[card] == suit]
