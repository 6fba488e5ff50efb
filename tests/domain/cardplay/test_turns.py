"""Turns at a card table, shared by the card games."""

import pytest

from domain.cardplay.turns import next_bidder, next_to_play, only


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
