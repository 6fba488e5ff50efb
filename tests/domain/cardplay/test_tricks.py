"""Tricks: following suit and winning, by tables of suits and strengths.

Hands of cards.
The ranking by points.
Turns at a card table, shared by the card games.
"""

import pytest

from domain.cardplay.cards import without
from domain.cardplay.ranking import best_seats
from domain.cardplay.tricks import TrickCard, following, next_bidder, next_to_play, only, suit_setter, trick_winner

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


def test_one_hand_loses_cards_and_keeps_its_order():
    assert without((("RH", "1S", "T1"), ("DH",)), 0, ("1S",)) == (("RH", "T1"), ("DH",))


@pytest.mark.parametrize(
    ("scores", "best", "positive"),
    [
        ((3, 5, 1), (1,), (0, 1, 2)),
        ((5, -8, 5, -2), (0, 2), (0, 2)),
        ((4, 1, -5), (0,), (0, 1)),
        ((0, 0), (0, 1), (0, 1)),
        ((-2, 0, -1), (1,), (1,)),
    ],
)
def test_the_highest_score_wins_and_ties_share(scores, best, positive):
    assert best_seats(scores) == best
    assert best_seats(scores, every_positive=True) == positive


def test_one_seat_is_a_set_and_no_seat_is_the_empty_set():
    assert only(0) == {0}
    assert only(None) == frozenset()


@pytest.mark.parametrize(
    ("spoken", "passed", "turn"),
    [
        ([], [], 2),
        ([2], [], 3),
        ([2, 3], [3], 0),
        ([2, 3, 0], [3], 2),
        ([2, 3], [2, 3], 0),
        ([2, 3, 0], [2, 3], None),
        ([2, 3, 0], [3, 0], None),
        ([2, 3, 0], [2, 3, 0], None),
    ],
)
def test_bidding_goes_around_until_only_the_highest_bidder_or_no_player_is_left(spoken, passed, turn):
    assert next_bidder((2, 3, 0), spoken, passed) == turn


@pytest.mark.parametrize(("leader", "played", "turn"), [(0, 0, 0), (2, 1, 3), (3, 2, 1), (1, 4, None)])
def test_a_trick_goes_around_from_its_leader_until_it_is_full(leader, played, turn):
    assert next_to_play(range(4), leader, "x" * played) == turn


def test_a_player_who_sits_out_has_no_turn_in_a_trick():
    assert [next_to_play((3, 4, 0, 1), 4, "x" * played) for played in range(5)] == [4, 0, 1, 3, None]
