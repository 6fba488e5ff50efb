"""Hidden cards dealt to places that allow them."""

import random

import pytest

from domain.cardplay.placement import distributed

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
