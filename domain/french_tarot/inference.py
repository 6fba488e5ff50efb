"""What a view tells about cards that its viewer does not see: where each of them can lie.

Who could not follow, trump or overtrump; what lay in the chien; what may be laid aside and called; what poignées and
misères say; and what the end of a deal makes public.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from domain.cardplay.cards import EXCUSE, SUITS, TAROT_PACK, TRUMP, Card
from domain.cardplay.tricks import SuitOf
from domain.french_tarot.deck import COURT_RANKS, PETIT, STRENGTH, is_free, is_trump, suits
from domain.french_tarot.options import Options
from domain.serialization import Plain
from domain.table import Seat

View: TypeAlias = Mapping[str, Plain]
Place: TypeAlias = tuple[str, int]
"""Where a card can lie unseen: ("held", seat), ("chien", 0), ("ecart", 0)."""

CHIEN: Place = ("chien", 0)
ECART: Place = ("ecart", 0)


def allowed_places(options: Options, view: View) -> Callable[[Card, Place], bool]:
    """Say which unseen card may lie where, by what the past of the deal tells."""
    only = _bound_cards(options, view)
    excluded = _excluded(view)

    def allowed(card: Card, place: Place) -> bool:
        if card in only and place not in only[card]:
            return False
        if place == ECART:
            return is_free(card)
        return place == CHIEN or card not in excluded.get(place[1], ())

    return allowed


def tricks_of(view: View) -> list[View]:
    """List the tricks of the deal, the one on the table too."""
    return [*view["tricks"], *([view["trick"]] if view["trick"] else [])]


def _bound_cards(options: Options, view: View) -> dict[Card, set[Place]]:
    """Map cards whose place is limited to the places that are left for them."""
    bound: dict[Card, set[Place]] = {}
    holder = view["petit_imprenable"]
    if holder is not None:
        bound[PETIT] = {("held", holder)}
    if view["contract"] is None:
        return bound
    with_taker = {("held", view["contract"]["taker"]), ECART}
    bound |= dict.fromkeys(view["chien"]["cards"] or (), with_taker)
    if view["called"]:
        called = view["called"]["card"]
        higher = COURT_RANKS[: COURT_RANKS.index(called[0])]
        bound |= {rank + suit: with_taker for rank in higher for suit in SUITS}
        if not options.call_self and called not in bound:
            others = {("held", seat) for seat in view["players"]} - with_taker
            bound[called] = others | {CHIEN}
    return bound


def _excluded(view: View) -> dict[Seat, set[Card]]:
    """Collect the unseen cards that a seat cannot hold now."""
    excluded: dict[Seat, set[Card]] = {seat: set() for seat in view["players"]}
    for seat, cards in (*_by_tricks(view), *_by_announcements(view), *_by_chien_and_ecart(view)):
        excluded[seat].update(cards)
    return excluded


def _by_tricks(view: View) -> Iterator[tuple[Seat, Iterable[Card]]]:
    """Tell what each card says that did not follow suit, or did not overtrump."""
    suit_of = suits(imprenable=view["petit_imprenable"] is not None)
    for trick in tricks_of(view):
        led, highest = None, -1
        for played in trick["cards"]:
            suit, strength = suit_of[played["card"]], STRENGTH[played["card"]]
            if led is not None and suit not in (None, led):
                yield played["seat"], _of_suit(led, suit_of)
            if led is not None and suit == TRUMP and strength < highest:
                yield played["seat"], [card for card in _of_suit(TRUMP, suit_of) if STRENGTH[card] > highest]
            if led is not None and suit not in (None, led, TRUMP):
                yield played["seat"], _of_suit(TRUMP, suit_of)
            led = led or suit
            highest = max(highest, strength) if suit == TRUMP else highest


def _by_announcements(view: View) -> Iterator[tuple[Seat, Iterable[Card]]]:
    """Tell what is not held by who showed the Excuse in a poignée, or announced a misère."""
    for poignee in view["poignees"]:
        if EXCUSE in poignee["cards"]:
            yield poignee["seat"], [card for card in TAROT_PACK if is_trump(card) and card not in poignee["cards"]]
    for misere in view["miseres"]:
        trumps = misere["kind"] == "no_trumps"
        yield misere["seat"], [card for card in TAROT_PACK if (_is_trumplike if trumps else _is_court)(card)]


def _by_chien_and_ecart(view: View) -> Iterator[tuple[Seat, Iterable[Card]]]:
    """Tell what the taker has not kept, and what a seat with the petit alone was not dealt."""
    taken_in = view["chien"]["cards"] or ()
    if view["ecart"]["trumps"]:
        yield view["contract"]["taker"], filter(is_free, TAROT_PACK)
    holder = view["petit_imprenable"]
    if holder is not None:
        trumps = {card for card in TAROT_PACK if _is_trumplike(card)} - {PETIT}
        yield holder, trumps - {*(taken_in if _is_taker(view, holder) else ())}


def _is_taker(view: View, seat: Seat) -> bool:
    return view["contract"] is not None and bool(view["contract"]["taker"] == seat)


def _of_suit(suit: Any, suit_of: SuitOf) -> list[Card]:
    return [card for card in TAROT_PACK if suit_of[card] == suit]


def _is_trumplike(card: Card) -> bool:
    return is_trump(card) or card == EXCUSE


def _is_court(card: Card) -> bool:
    return card[0] in COURT_RANKS
