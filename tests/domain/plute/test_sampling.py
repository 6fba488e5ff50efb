"""Sampled worlds agree with the past of a hand: who certainly holds what, who could not follow."""

import random

import pytest

from domain.plute.actions import Play
from domain.plute.deck import PACK, suits
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


def acted(state, *cards):
    for card in cards:
        _, state = builders.act(state, builders.to_act(state), Play(card))
    return state


RED = "2H 3H 4H 5H 6H 7H 8H 9H 10H"


def test_each_seat_was_dealt_what_it_holds_and_what_it_has_played():
    state = acted(builders.state("play", held=dealt("3S", "AS"), trump="S"), "3S", "AS")
    for world in builders.MOVES.worlds(state, 4):
        assert sorted(card for hand in world.hand.dealt for card in hand) == sorted(PACK)
        assert {"3S"} | {*world.table.held[0]} == {*world.hand.dealt[0]}
        assert {"AS"} | {*world.table.held[1]} == {*world.hand.dealt[1]}


def of(suit):
    return " ".join(card for card, other in suits("S").items() if other == suit)


def played(*hands, cards):
    return acted(builders.state("play", held=dealt(*hands), trump="S"), *cards.split())


@pytest.mark.parametrize(
    ("state", "viewers", "seat", "holds"),
    [
        (played("3S", RED, cards="3S 2H"), (0, 2, 4, None), 1, {"never": of("T")}),
        (played("3D", f"{RED[:-3]}AS", cards="3D 2H"), (0, 2, 4, None), 1, {"never": of("D"), "maybe": "AS"}),
        (played("3D", "AS 4D 5D", cards="3D AS"), (3,), 1, {"maybe": "4D"}),
        (builders.state("bid", held=dealt("3S", "AS")), (1,), 1, {"always": dealt("3S", "AS")[1]}),
    ],
)
def test_a_hand_is_what_was_played(state, viewers, seat, holds):
    """Who neither follows nor trumps has nothing to do so; who trumps may hold the suit."""
    builders.MOVES.check_hand(state, viewers, seat, **holds)
