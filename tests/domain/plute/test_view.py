"""The view: what a seat or a spectator is shown (rules.md, the view)."""

from domain.plute import RULESET as plute
from domain.plute.actions import Claim
from domain.plute.events import ContractWon
from domain.plute.scoring import Standing, Standings
from domain.plute.state import Tallies, Tally
from domain.plute.view import TrickView, project
from tests.domain.plute import builders
from tests.support.random_games import played


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold():
    state = builders.state("bid", held=["AS X1", "KH", "10S 2C 3D"])
    for viewer in (0, 2, 5, None):
        hands = project(state, viewer).hands
        assert [hand.seat for hand in hands] == list(range(6))
        assert [hand.count for hand in hands] == [2, 1, 3, 0, 0, 0]
        shown = {hand.seat: hand.cards for hand in hands if hand.cards is not None}
        assert shown == {0: {0: ("AS", "X1")}, 2: {2: ("10S", "3D", "2C")}, 5: {5: ()}, None: {}}[viewer]


def test_the_contract_trump_and_tally_are_shown_to_all():
    state = builders.state("play", bidder=3, bid=5, trump="D", dealer=1, tally=((1, 2), (0, 1)))
    for viewer in (0, 3, None):
        view = project(state, viewer)
        assert view.contract == ContractWon(bidder=3, team="odd", points=5)
        assert (view.trump, view.dealer, view.hand_number, view.phase) == ("D", 1, 1, "play")
        assert view.tally == Tallies(even=Tally(made=1, set=2), odd=Tally(made=0, set=1))


def test_the_trick_is_shown_from_the_end_of_the_bidding_to_the_end_of_the_hand():
    assert project(builders.state("bid"), 0).trick is None
    assert project(builders.state("play", trump=None, bidder=4), 0).trick == TrickView(1, leader=4, cards=())
    state = builders.about_to_end([0] * 8 + [1])
    assert project(state, 0).trick.number == 9
    state = builders.played(state, *plute.decide(state, 5, *builders.legal(state)))
    state = builders.played(state, *plute.settle(state, builders.CHANCE))
    assert (len(state.table.tricks), project(state, 0).trick) == (9, None)
    for phase in ("deal", "over"):
        assert project(builders.state(phase), 0).trick is None


def test_a_view_counts_the_tricks_taken_and_not_the_one_on_the_table():
    tricks = [(1, "0:2S 1:AS 2:10H 3:X2"), (2, "1:3D 2:AD 3:KD")]
    state = builders.state("play", trump="S", jokers="X2", tricks=tricks, trick="2:JS", held=["", "", "JC"])
    for viewer in (2, None):
        assert project(state, viewer).standing == Standings(
            even=Standing(tricks=1, points=("low",), game_value=7),
            odd=Standing(tricks=1, points=("high", "high_joker"), game_value=14),
        )


def test_may_claim_in_a_view_agrees_with_the_legal_actions():
    seen = set()
    for variant in ("", "early_stop=off low=taker dealer_may_steal=true show_points=true win_at=2 lose_at=2"):
        for step in played("plute", 6, 3, variant):
            if step.game.state is not None:
                view = project(step.game.state, None)
                legal = {seat for seat in range(6) if Claim() in plute.legal_actions(step.game.state, seat)}
                assert legal == (set(range(6)) if view.may_claim else set())
                seen.add((variant == "", view.may_claim))
    assert seen == {(True, True), (True, False), (False, False)}
