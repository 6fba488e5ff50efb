"""Placing the cards that a viewer does not see, for games that draw worlds consistent with a view."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from domain.cardplay.cards import Card
from domain.chance import Rng

Place = TypeVar("Place", bound=Hashable)


def distributed(
    cards: Sequence[Card], room: Mapping[Place, int], allowed: Callable[[Card, Place], bool], rng: Rng
) -> dict[Place, list[Card]]:
    """Place each card, in random order, where it is allowed; if those places are full, move other cards on."""
    lying: dict[Place, list[Card]] = {place: [] for place in room}
    order = list(cards)
    rng.shuffle(order)

    def put(card: Card, tried: set[Place]) -> bool:
        places = [place for place in room if place not in tried and room[place] and allowed(card, place)]
        rng.shuffle(places)
        places.sort(key=lambda place: len(lying[place]) >= room[place])
        for place in places:
            tried.add(place)
            if len(lying[place]) < room[place]:
                lying[place].append(card)
                return True
            for index, other in enumerate(lying[place]):
                if put(other, tried):
                    lying[place][index] = card
                    return True
        return False

    for card in order:
        if not put(card, set()):
            raise AssertionError(f"no place for {card} in this view")
    return lying


def completed(
    pack: Iterable[Card],
    room: Mapping[Place, int],
    known: Mapping[Place, tuple[Card, ...]],
    played: Iterable[Card],
    allowed: Callable[[Card, Place], bool],
    rng: Rng,
) -> dict[Place, tuple[Card, ...]]:
    """Return the cards of each place: those known to lie there, and others of the pack, drawn.

    ``room`` is how many cards each place has; ``played`` are those that lie in no such place.
    """
    seen = {*played}.union(*known.values())
    left = {place: count - len(known.get(place, ())) for place, count in room.items()}
    drawn = distributed([card for card in pack if card not in seen], left, allowed, rng)
    return {place: (*known.get(place, ()), *drawn[place]) for place in room}
