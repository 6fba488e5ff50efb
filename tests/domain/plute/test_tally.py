"""The tally, the Plute, and the end of the game (rules.md, tally and the end of the game)."""

import pytest

from domain.plute import RULESET as plute
from domain.plute.events import BidMadeGood, PhaseBegan, PluteMade, TeamSet
from domain.plute.state import TEAMS, of_team
from domain.serialization import to_plain
from tests.domain.plute import builders

EVEN_SEATS, ODD_SEATS = (0, 2, 4), (1, 3, 5)
EIGHT_TO_ODD = [1] * 8 + [0]
EIGHT_TO_EVEN = [0] * 8 + [1]


def end_of(winners, **parts):
    """Play the last card of a hand; return the events and the state."""
    state = builders.about_to_end(winners, **parts)
    return builders.act(state, 5, *builders.legal(state))


def tally(state):
    shown = plute.project(state, None).tally
    return [(of_team(shown, team).made, of_team(shown, team).set) for team in TEAMS]


@pytest.mark.rule("plute", "7", "only the bidding team's tally changes")
def test_only_the_bidding_teams_tally_moves_and_by_one():
    before = ((1, 1), (0, 2))
    assert tally(end_of(EIGHT_TO_EVEN, bidder=0, tally=before)[1]) == [(2, 1), (0, 2)]
    assert tally(end_of(EIGHT_TO_ODD, bidder=0, deuce=1, tally=before)[1]) == [(1, 2), (0, 2)]
    assert tally(end_of(EIGHT_TO_ODD, bidder=1, tally=((1, 1), (0, 1)))[1]) == [(1, 1), (1, 1)]


@pytest.mark.rule("plute", "7", "only the bidding team's tally changes")
def test_the_event_holds_the_new_tally():
    events, _ = end_of(EIGHT_TO_EVEN, bidder=2, tally=((1, 0), (0, 0)))
    assert builders.first(events, BidMadeGood) == BidMadeGood("even", 4, 7, 2)
    events, _ = end_of(EIGHT_TO_ODD, bidder=2, deuce=1, tally=((1, 1), (0, 0)))
    assert builders.first(events, TeamSet) == TeamSet("even", 4, 0, 2)


@pytest.mark.rule("plute", "7", "reaches 3 (`win_at`) wins")
def test_the_game_goes_on_while_no_team_has_three():
    events, state = end_of(EIGHT_TO_EVEN, bidder=0, tally=((1, 2), (2, 2)))
    assert events[-1] == PhaseBegan("deal")
    assert plute.outcome(state) is None


@pytest.mark.rule("plute", "7", "reaches 3 (`win_at`) wins", "The reason of the outcome", "Final `scores`")
def test_the_third_made_bid_wins():
    events, state = end_of(EIGHT_TO_EVEN, bidder=0, tally=((2, 2), (2, 2)))
    assert events[-1] == PhaseBegan("over")
    outcome = plute.outcome(state)
    assert (outcome.reason, outcome.winners, outcome.scores) == ("three_made", EVEN_SEATS, (3, 2, 3, 2, 3, 2))
    assert plute.to_act(state) == frozenset()
    assert plute.settle(state, builders.CHANCE) == []


@pytest.mark.rule("plute", "7", "reaches 3 (`win_at`) wins")
def test_the_third_set_loses():
    _, state = end_of(EIGHT_TO_ODD, bidder=0, deuce=1, tally=((2, 2), (0, 0)))
    outcome = plute.outcome(state)
    assert (outcome.reason, outcome.winners, outcome.scores) == ("three_set", ODD_SEATS, (2, 0, 2, 0, 2, 0))


@pytest.mark.rule("plute", "7", "reaches 3 (`win_at`) wins", "The reason of the outcome", "Final `scores`")
@pytest.mark.parametrize(("number", "reason"), [(1, "one_made"), (2, "two_made"), (5, "five_made"), (9, "nine_made")])
def test_the_number_of_made_bids_that_wins_is_an_option(number, reason):
    options = {"win_at": number}
    _, state = end_of(EIGHT_TO_EVEN, bidder=0, tally=((number - 1, 0), (0, 0)), options=options)
    assert plute.outcome(state).reason == reason
    if number > 1:
        _, state = end_of(EIGHT_TO_EVEN, bidder=0, tally=((number - 2, 0), (0, 0)), options=options)
        assert plute.outcome(state) is None


@pytest.mark.rule("plute", "7", "reaches 3 (`win_at`) wins")
@pytest.mark.parametrize(("number", "reason"), [(1, "one_set"), (2, "two_set"), (5, "five_set")])
def test_the_number_of_sets_that_loses_is_an_option(number, reason):
    options = {"lose_at": number}
    _, state = end_of(EIGHT_TO_ODD, bidder=0, deuce=1, tally=((0, number - 1), (0, 0)), options=options)
    assert (plute.outcome(state).reason, plute.outcome(state).winners) == (reason, ODD_SEATS)


@pytest.mark.rule("plute", "7", "takes all nine tricks of a hand wins at once")
@pytest.mark.parametrize("bidder", [0, 1])
@pytest.mark.parametrize("before", [((0, 0), (0, 0)), ((2, 2), (2, 2)), ((0, 2), (2, 0))])
@pytest.mark.parametrize(("winner", "seats"), [(0, EVEN_SEATS), (3, ODD_SEATS)])
def test_a_plute_wins_at_once_whoever_bid_and_whatever_the_tally(bidder, before, winner, seats):
    events, state = end_of([winner] * 9, bidder=bidder, deuce=winner, tally=before)
    assert builders.first(events, PluteMade) == PluteMade(TEAMS[winner % 2])
    outcome = plute.outcome(state)
    assert (outcome.reason, outcome.winners) == ("plute", seats)


@pytest.mark.rule("plute", "7", "takes all nine tricks of a hand wins at once")
def test_partners_make_a_plute_together():
    _, state = end_of([0, 2, 4] * 3, bidder=1, deuce=1)
    assert plute.outcome(state).reason == "plute"


@pytest.mark.rule("plute", "7", "takes all nine tricks of a hand wins at once")
def test_eight_tricks_are_no_plute():
    events, state = end_of(EIGHT_TO_EVEN, bidder=0)
    assert not builders.of_kind(events, PluteMade)
    assert plute.outcome(state) is None


@pytest.mark.rule("plute", "7", "takes all nine tricks of a hand wins at once")
def test_a_plute_wins_even_in_the_hand_that_sets_its_team_for_the_third_time():
    events, state = end_of([0] * 9, bidder=0, bid=7, deuce=1, tally=((0, 2), (2, 0)))
    assert builders.first(events, TeamSet) == TeamSet("even", 7, 6, 3)
    assert tally(state) == [(0, 3), (2, 0)]
    assert (plute.outcome(state).reason, plute.outcome(state).winners) == ("plute", EVEN_SEATS)


@pytest.mark.rule("plute", "7", "The last hand still enters the tally")
def test_the_tally_of_the_last_hand_is_still_written_down():
    _, state = end_of([0] * 9, bidder=2, tally=((1, 0), (0, 0)))
    assert tally(state) == [(2, 0), (0, 0)]


def test_what_came_of_a_hand_stays_in_the_view():
    _, state = end_of(EIGHT_TO_EVEN, bidder=2, bid=6, deuce=1)
    assert to_plain(plute.project(state, None).hand_results) == [
        {
            "hand_number": 1,
            "dealer": 5,
            "contract": {"bidder": 2, "team": "even", "points": 6},
            "trump": "S",
            "tricks": {"even": 8, "odd": 1},
            "stopped": False,
            "points": [
                {
                    "team": "even",
                    "points": ["high", "jack", "off_jack", "high_joker", "low_joker", "game"],
                    "game_value": 80,
                }
            ],
            "made": True,
            "plute": None,
        }
    ]


def test_there_is_no_outcome_before_the_end():
    assert plute.outcome(builders.state("play", tally=((2, 2), (2, 2)))) is None
