"""What a view tells about cards that its viewer does not see: where each of them can lie.

Who could not follow suit, who answered an announcement, which higher cards a declarer must have held, what was taken in
everyone's sight, and all that the end of a hand makes public.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from domain.cardplay.cards import RANKS, SUITS, TRUMP, Card, Suit
from domain.cardplay.tricks import SuitOf
from domain.le_plateau.deck import SUIT_OF, deal_for
from domain.le_plateau.options import Options
from domain.serialization import Plain
from domain.table import Seat

View: TypeAlias = Mapping[str, Plain]
Place: TypeAlias = tuple[str, int, int]
"""Where a card can lie unseen: ("held", seat, 0), ("under", seat, pile), ("talon", 0, 0), ("discard", 0, 0)."""

Allowed: TypeAlias = Callable[[Card, Place], bool]


def revealed(view: View) -> View | None:
    """Give what the end of this very hand made public, if it has ended."""
    last = view["hand_results"][-1] if view["hand_results"] else None
    return last if last and last["deal_number"] == view["deal_number"] else None


def allowed_places(options: Options, view: View) -> Allowed:
    """Say which unseen card may lie where, by what the past of the hand tells."""
    end = revealed(view)
    if end is not None:
        return _as_revealed(end)
    suit_of = SUIT_OF[options.excuse]
    voids = _voids(view, suit_of)
    holder = _holders(view, deal_for(len(view["scores"]), options.deck, options.edition).deck)
    taken = _taken_in_sight(view)

    def allowed(card: Card, place: Place) -> bool:
        kind, seat, _ = place
        if card in taken and place not in taken[card]:
            return False
        if card in holder:
            return kind == "held" and holder[card] == seat if holder[card] is not None else kind != "held"
        return kind != "held" or (seat, suit_of[card]) not in voids

    return allowed


def _as_revealed(end: View) -> Allowed:
    where: dict[Card, Place] = dict.fromkeys(end["discard"], ("discard", 0, 0))
    where |= {card: ("held", shown["seat"], 0) for shown in end["unplayed"] for card in shown["cards"]}
    where |= {
        pile["under"]: ("under", shown["seat"], index)
        for shown in end["piles"]
        for index, pile in enumerate(shown["piles"])
    }
    return lambda card, place: where.get(card, ("talon", 0, 0)) == place


def _taken_in_sight(view: View) -> dict[Card, tuple[Place, Place]]:
    """Map the cards that the exchanger took in everyone's sight to where they can lie unseen: the hand, the discard."""
    chosen = view["talon"]["chosen"]
    if chosen is None:
        return {}
    places: tuple[Place, Place] = (("held", view["contract"]["exchanger"], 0), ("discard", 0, 0))
    return dict.fromkeys(view["talon"]["groups"][chosen], places)


def _voids(view: View, suit_of: SuitOf) -> set[tuple[Seat, Suit | None]]:
    """Collect (seat, suit) where a seat did not follow suit, and so holds none of it in the hand."""
    voids: set[tuple[Seat, Suit | None]] = set()
    for trick in [*view["tricks"], *([view["trick"]] if view["trick"] else [])]:
        suits = [(played["seat"], suit_of[played["card"]]) for played in trick["cards"]]
        led = next((suit for _, suit in suits if suit), None)
        for seat, suit in suits:
            if suit not in (led, None):
                voids.add((seat, led))
                if suit != TRUMP:
                    voids.add((seat, TRUMP))
    return voids


def _holders(view: View, deck: Sequence[Card]) -> dict[Card, Seat | None]:
    """Give the seat that certainly held a card when the partner was sought; None for a card that nobody held."""
    holders: dict[Card, Seat | None] = dict(view["holders"])
    if not view["announced"]:
        return holders
    declarer = next(spoken["seat"] for spoken in reversed(view["bids"]) if spoken["bid"])
    lowest = min(RANKS.index(card[:-1]) for card in view["announced"])
    for rank in RANKS[lowest + 1 :]:
        for card in (rank + suit for suit in SUITS):
            if card in deck and card not in holders:
                holders[card] = declarer
    return holders
