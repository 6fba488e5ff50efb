"""Tricks: following suit and winning, by tables of suits and strengths."""

import pytest

from domain.cardplay.tricks import TrickCard, following, suit_setter, trick_winner

SUITS = {"S1": "S", "S2": "S", "S9": "S", "H1": "H", "H2": "H", "T1": "T", "T2": "T", "X": None}
STRENGTH = {"S1": 1, "S2": 2, "S9": 9, "H1": 1, "H2": 2, "T1": 1, "T2": 2, "X": 99}


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


def test_a_hand_can_be_an_iterator():
    assert following(iter(["H1", "T1"]), "S", SUITS, "T") == ("T1",)


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("S1 S9 S2", 1), ("S1 H2 H1", 0), ("S9 T1 S1", 1), ("S9 T1 T2", 2), ("T1 T2 S9", 1), ("H1 S9 H2", 2)],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(cards, winner):
    trick = [TrickCard(seat, card) for seat, card in enumerate(cards.split())]
    assert trick_winner(trick, SUITS, STRENGTH, "T") == winner
    turned = [TrickCard((played.seat + 2) % 3, played.card) for played in trick]
    assert trick_winner(turned, SUITS, STRENGTH, "T") == (winner + 2) % 3


def test_a_game_may_play_without_trumps_by_naming_the_suit_led():
    trick = [TrickCard(0, "S1"), TrickCard(1, "T2"), TrickCard(2, "S2")]
    assert trick_winner(trick, SUITS, STRENGTH, "S") == 2


@pytest.mark.parametrize(
    ("hand", "led", "expected"),
    [
        ("S1 H1 X", "S", "S1 X"),
        ("H1 T1 X", "S", "T1 X"),
        ("H1 X", "S", "H1 X"),
        ("X", "S", "X"),
        ("S1 T1 X", "T", "T1 X"),
        ("S1 X", None, "S1 X"),
    ],
)
def test_a_card_of_no_suit_can_be_played_to_any_trick_and_frees_no_other_card(hand, led, expected):
    assert following(hand.split(), led, SUITS, "T") == tuple(expected.split())


@pytest.mark.parametrize(
    ("cards", "winner"), [("S1 X S2", 2), ("X S1 H2", 1), ("X H1 T1", 2), ("S9 H2 X", 0), ("T1 X S9", 0)]
)
def test_a_card_of_no_suit_never_wins(cards, winner):
    trick = [TrickCard(seat, card) for seat, card in enumerate(cards.split())]
    assert trick_winner(trick, SUITS, STRENGTH, "T") == winner


@pytest.mark.parametrize(
    ("cards", "setter"), [("", None), ("X", None), ("X H1 S1", "H1"), ("S1 X", "S1"), ("T1", "T1")]
)
def test_the_first_card_with_a_suit_sets_the_suit(cards, setter):
    trick = [TrickCard(seat, card) for seat, card in enumerate(cards.split())]
    assert suit_setter(trick, SUITS) == setter
