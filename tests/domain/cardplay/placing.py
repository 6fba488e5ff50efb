"""Where cards can lie, found by trying."""

from itertools import permutations


def all_ways(room, allowed, cards):
    """Find every way to lay the cards by trying all orders."""
    places = [place for place, count in room.items() for _ in range(count)]
    return {
        frozenset(zip(cards, order, strict=True))
        for order in set(permutations(places))
        if all(allowed(card, place) for card, place in zip(cards, order, strict=True))
    }
