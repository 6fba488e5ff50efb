"""Hidden cards dealt to places that allow them."""

import random

import pytest

from domain.cardplay.placement import distributed
from tests.domain.cardplay.placing import all_ways
from tests.support.fair import expect_fair
from tests.support.sampling import part

CARDS = list("abcdef")


def anywhere(_card, _place):
    return True


def laid(room, allowed, seed=0, cards=CARDS):
    return distributed(cards, room, allowed, random.Random(seed))


def test_every_card_gets_a_place_and_every_place_its_number_of_cards():
    for seed in range(50):
        lying = laid({0: 1, 1: 3, "talon": 2, 3: 0}, anywhere, seed)
        assert {place: len(cards) for place, cards in lying.items()} == {0: 1, 1: 3, "talon": 2, 3: 0}
        assert sorted(card for cards in lying.values() for card in cards) == CARDS


def test_a_card_is_placed_only_where_it_is_allowed_even_if_others_must_move():
    places = {"a": "x", "b": "xy", "c": "xyz", "d": "z", "e": "y", "f": "yz"}
    for seed in range(50):
        lying = laid({"x": 2, "y": 2, "z": 2}, lambda card, place: place in places[card], seed)
        assert all(place in places[card] for place, cards in lying.items() for card in cards)


def test_all_distributions_occur():
    ways = {tuple(sorted(laid({0: 3, 1: 3}, anywhere, seed)[0])) for seed in range(300)}
    assert len(ways) == 20


def test_the_same_seed_places_the_cards_alike():
    assert laid({0: 3, 1: 3}, anywhere, 5) == laid({0: 3, 1: 3}, anywhere, 5)


def test_a_card_without_a_place_is_an_error():
    with pytest.raises(AssertionError, match="no place for"):
        laid({0: 3, 1: 3}, lambda card, place: card != "a" and place in (0, 1))
    with pytest.raises(AssertionError, match="no place for"):
        laid({0: 5}, anywhere)


def as_pairs(lying):
    return frozenset((card, place) for place, cards in lying.items() for card in cards)


@pytest.mark.parametrize("seed", range(part(60)))
def test_every_way_to_lay_the_cards_is_equally_likely(seed):
    rng = random.Random(seed)
    cards = CARDS + ["g"] * rng.randrange(2)
    room = dict.fromkeys(range(rng.choice((2, 3, 4))), 1)
    while sum(room.values()) < len(cards):
        room[rng.choice(list(room))] += 1
    kinds = [[place for place in room if rng.random() < 0.7] for _ in range(3)]
    kind = {card: rng.choice(kinds) for card in cards}
    found = all_ways(room, lambda card, place: place in kind[card], cards)
    if not found:
        with pytest.raises(AssertionError, match="no place for"):
            laid(room, lambda card, place: place in kind[card], cards=cards)
        return
    drawn = (distributed(cards, room, lambda card, place: place in kind[card], rng) for _ in range(15 * len(found)))
    expect_fair(map(as_pairs, drawn), dict.fromkeys(found, 1))


def test_cards_whose_places_form_a_ring_are_laid_in_both_ways():
    """No swap of two cards leads from one to the other."""
    places = {"a": "xy", "b": "yz", "c": "zx"}
    drawn = [as_pairs(laid(dict.fromkeys("xyz", 1), lambda c, p: p in places[c], seed, "abc")) for seed in range(60)]
    expect_fair(drawn, dict.fromkeys(all_ways(dict.fromkeys("xyz", 1), lambda c, p: p in places[c], "abc"), 1))
