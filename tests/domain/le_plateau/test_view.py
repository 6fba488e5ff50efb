"""The view: what a seat or a spectator is shown (API contract, section The view; rules, who knows what)."""

import orjson
import pytest

from domain.le_plateau.actions import Pass, Play
from domain.le_plateau.view import DiscardView, TalonView, TrickView, View, project
from domain.serialization import from_plain, to_plain
from tests.domain.le_plateau import builders
from tests.domain.le_plateau.reference_rules import printed_board
from tests.support.random_games import played, playing, starting
from tests.support.sampling import SEATS_OF_LE_PLATEAU


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seats", SEATS_OF_LE_PLATEAU)
@pytest.mark.parametrize("options", [{}, {"edition": "2022"}])
def test_a_view_is_written_as_it_stands_and_read_back_at_every_moment_and_for_every_viewer(seats, options):
    for step in playing("le-plateau", seats, 3, **options):
        if step.game.state is not None:
            for viewer in (*range(seats), None):
                view = project(step.game.state, viewer)
                written = orjson.loads(orjson.dumps(view))
                assert written == to_plain(view)
                assert list(written) == list(to_plain(view))
                assert from_plain(View, written) == view


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold():
    state = builders.state(3, "bid", held=["RS T3", "RH", "10H 10D VC"], talon="T1 T2 T4")
    for viewer in (0, 1, 2, None):
        hands = project(state, viewer).hands
        assert [hand.seat for hand in hands] == [0, 1, 2]
        assert [hand.count for hand in hands] == [2, 1, 3]
        assert [hand.cards for hand in hands] == [
            ("RS", "T3") if viewer == 0 else None,
            ("RH",) if viewer == 1 else None,
            ("10H", "10D", "VC") if viewer == 2 else None,
        ]
        assert all(hand.piles == () for hand in hands)


def test_the_count_of_a_hand_leaves_its_piles_out():
    state = builders.state(2, "play", held=["RS", "DS"], piles=["10H/VH", "T8/VD"], contract=builders.contract(2))
    assert [hand.count for hand in project(state, 0).hands] == [1, 1]


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


@pytest.mark.parametrize("phase", ["deal", "bid", "exchange", "give", "announce", "raise", "over"])
def test_there_is_no_trick_outside_the_play(phase):
    assert project(builders.state(3, phase), 0).trick is None


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


def test_a_game_just_started_shows_the_first_hand_in_the_bidding():
    game = [*starting("le-plateau", 4, 0)][-1].game
    view = project(game.state, 1)
    assert (view.phase, view.hand_number, view.hand_results) == ("bid", 1, ())
    assert [hand.count for hand in view.hands] == [13] * 4
    assert view.talon.count == 3
    assert view.discard == DiscardView(0, None)


def test_results_of_earlier_hands_stay_in_the_view_with_all_they_revealed():
    game = played("le-plateau", 4, 5)[-1].game
    results = project(game.state, None).hand_results
    assert [result.deal_number for result in results] == [1, 2, 3, 4]
    for result in results:
        assert sorted(len(hand.cards) for hand in result.dealt) == [13] * 4
    assert [sum(column) for column in zip(*(r.scores for r in results), strict=True)] == list(game.state.scores)


def test_the_view_of_a_full_deck_shows_its_board_and_its_longer_hands():
    for seats, cards, talon in ((3, 17, 3), (4, 18, 6), (5, 15, 3)):
        game = [*starting("le-plateau", seats, 0, deck="full")][-1].game
        view = project(game.state, 0)
        assert view.board.tokens == printed_board(seats, "full")
        assert [hand.count for hand in view.hands] == [cards] * seats
        assert view.talon.count == talon


def test_six_players_of_2022_hold_thirteen_cards_and_there_is_no_talon():
    game = [*starting("le-plateau", 6, 0, edition="2022")][-1].game
    view = project(game.state, 0)
    assert [hand.count for hand in view.hands] == [13] * 6
    assert view.talon == TalonView(0, cards=None, taken=None, dealt=(), groups=None, chosen=None)
