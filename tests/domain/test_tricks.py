"""Tricks: following suit and winning, as tables of suits and strengths tell it."""

import pytest

from domain.tricks import TrickCard, following, trick_winner

SUITS = {"S1": "S", "S2": "S", "S9": "S", "H1": "H", "H2": "H", "T1": "T", "T2": "T"}
STRENGTH = {"S1": 1, "S2": 2, "S9": 9, "H1": 1, "H2": 2, "T1": 1, "T2": 2}


@pytest.mark.parametrize(
    ("hand", "led", "expected"),
    [
        ("S1 H1 T1", None, "S1 H1 T1"),
        ("S1 H1 S9 T1", "S", "S1 S9"),
        ("H1 T1 H2 T2", "S", "T1 T2"),
        ("H1 H2", "S", "H1 H2"),
        ("S1 T1", "T", "T1"),
        ("S1 H1", "T", "S1 H1"),
        ("", "S", ""),
    ],
)
def test_suit_then_trump_then_anything(hand, led, expected):
    assert following(hand.split(), led, SUITS, "T") == tuple(expected.split())


def test_a_hand_is_read_once_whatever_it_is():
    assert following(iter(["H1", "T1"]), "S", SUITS, "T") == ("T1",)


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("S1 S9 S2", 1),
        ("S1 H2 H1", 0),
        ("S9 T1 S1", 1),
        ("S9 T1 T2", 2),
        ("T1 T2 S9", 1),
        ("H1 S9 H2", 2),
    ],
)
def test_the_highest_trump_else_the_highest_of_the_suit_led(cards, winner):
    trick = [TrickCard(seat, card) for seat, card in enumerate(cards.split())]
    assert trick_winner(trick, SUITS, STRENGTH, "T") == winner
    turned = [TrickCard((played.seat + 2) % 3, played.card) for played in trick]
    assert trick_winner(turned, SUITS, STRENGTH, "T") == (winner + 2) % 3


def test_a_game_may_play_without_trumps_by_naming_the_suit_led():
    trick = [TrickCard(0, "S1"), TrickCard(1, "T2"), TrickCard(2, "S2")]
    assert trick_winner(trick, SUITS, STRENGTH, "S") == 2
