"""Sampled worlds agree with the past of a hand: who certainly holds what, who could not follow."""

import random

import pytest

from domain.plute.actions import Play
from domain.plute.deck import PACK, suits
from domain.plute.sampling import sample
from domain.plute.view import project
from tests.domain.plute import builders


def dealt(*starts):
    """Return six hands of nine that hold at least these cards: the whole pack, as strings."""
    named = [card for start in starts for card in start.split()]
    rest = [card for card in PACK if card not in named]
    random.Random(4).shuffle(rest)
    hands = []
    for start in (*starts, *[""] * (6 - len(starts))):
        cards = start.split()
        hands.append(" ".join([*cards, *(rest.pop() for _ in range(9 - len(cards)))]))
    assert not rest
    return hands


def worlds(state, viewer, count=60):
    view, rng = project(state, viewer), random.Random(7)
    drawn = [sample(state.options, viewer, view, rng) for _ in range(count)]
    assert all(project(world, viewer) == view for world in drawn)
    assert len({world.table.held for world in drawn}) > count // 2
    return drawn


def acted(state, *cards):
    for card in cards:
        _, state = builders.act(state, builders.to_act(state), Play(card))
    return state


RED = "2H 3H 4H 5H 6H 7H 8H 9H 10H"


@pytest.mark.parametrize("viewer", [0, 2, 4, None])
def test_a_seat_that_did_not_answer_a_trump_lead_holds_no_trump(viewer):
    state = acted(builders.state("play", held=dealt("3S", RED), trump="S"), "3S", "2H")
    for world in worlds(state, viewer):
        assert not [card for card in world.table.held[1] if suits("S")[card] == "T"]


@pytest.mark.parametrize("viewer", [0, 2, 4, None])
def test_a_seat_that_neither_followed_nor_trumped_holds_none_of_the_suit(viewer):
    held = dealt("3D", f"{RED[:-3]}AS")
    state = acted(builders.state("play", held=held, trump="S"), "3D", "2H")
    holding = [world.table.held[1] for world in worlds(state, viewer)]
    assert not [card for cards in holding for card in cards if suits("S")[card] == "D"]
    assert any(suits("S")[card] == "T" for cards in holding for card in cards)


def test_a_seat_that_trumped_may_still_hold_the_suit():
    state = acted(builders.state("play", held=dealt("3D", "AS 4D 5D"), trump="S"), "3D", "AS")
    assert any(suits("S")[card] == "D" for world in worlds(state, 3) for card in world.table.held[1])


def test_each_seat_was_dealt_what_it_holds_and_what_it_has_played():
    state = acted(builders.state("play", held=dealt("3S", "AS"), trump="S"), "3S", "AS")
    for world in worlds(state, 4):
        assert sorted(card for hand in world.hand.dealt for card in hand) == sorted(PACK)
        assert {"3S"} | {*world.table.held[0]} == {*world.hand.dealt[0]}
        assert {"AS"} | {*world.table.held[1]} == {*world.hand.dealt[1]}


def test_a_viewer_keeps_their_own_hand_in_every_world():
    state = builders.state("bid", held=dealt("3S", "AS"))
    for world in worlds(state, 1):
        assert world.table.held[1] == state.table.held[1]
