"""The view: what a seat or a spectator is shown (API contract, section The view; rules, who knows what)."""

import pytest

from domain.le_plateau.actions import Pass, Play
from domain.le_plateau.view import TrickView, project
from domain.serialization import to_plain
from tests.domain.le_plateau import builders
from tests.domain.le_plateau.reference_rules import printed_board


def test_the_bids_are_shown_in_order_with_their_values():
    state = builders.acts(builders.state(4, "bid", dealer=3), Pass(), builders.bid("y.x.duo"), builders.bid("y.duo"))
    assert to_plain(project(state, None).bids) == [
        {"seat": 0, "bid": None, "value": None},
        {"seat": 1, "bid": {"exchange": True, "objective": "y", "team": "duo"}, "value": 3},
        {"seat": 2, "bid": {"exchange": False, "objective": "y", "team": "duo"}, "value": 4},
    ]
    assert project(state, None).contract is None


def test_the_contract_names_declarer_partners_exchanger_and_value():
    contract = builders.contract(5, 2, "fork", "duo", exchange=True, partners=(4,))
    assert to_plain(project(builders.state(5, "play", contract=contract), None).contract) == {
        "declarer": 2,
        "partners": [4],
        "exchanger": 2,
        "exchange": True,
        "objective": "fork",
        "team": "duo",
        "value": 5,
    }


def test_the_trick_is_shown_during_the_play_with_number_and_leader():
    state = builders.state(3, "play", held=["RS", "RH", "RD"], contract=builders.contract(3, 1, "six_sides"), dealer=0)
    assert project(state, None).trick == TrickView(1, 1, ())
    _, state = builders.act(state, 1, Play("RH"))
    assert project(state, None).trick == TrickView(1, 1, builders.trick("1:RH"))
    _, state = builders.act(state, 2, Play("RD"))
    _, state = builders.act(state, 0, Play("RS"))
    assert project(state, None).trick == TrickView(2, 1, ())


@pytest.mark.rule("le-plateau", "2", "lists its tokens in rings", "3-6 players rim T1 #1 #2", "2 players rim T1 #1 #2")
def test_the_board_shows_its_tokens_and_who_owns_which_space():
    board = project(builders.state(4, "play", contract=builders.contract(4), mine="#1 RH", theirs="T1 EX"), 2).board
    assert board.tokens == printed_board(4)
    assert board.owners == {"#1": "declarer", "RH": "declarer", "T1": "opposing", "EX": "opposing"}
    assert list(board.owners) == ["T1", "#1", "EX", "RH"]


def test_dealer_hand_numbers_and_scores_are_shown_to_all():
    state = builders.state(4, "bid", dealer=2, scores=(3, -1, -1, -1), options={"hands": 8})
    for viewer in (0, 3, None):
        view = project(state, viewer)
        assert (view.dealer, view.hand_number, view.deal_number, view.hands_total) == (2, 1, 1, 8)
        assert view.scores == (3, -1, -1, -1)
