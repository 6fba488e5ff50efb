"""The tally, the Plute, and the end of the game (rules.md, tally and the end of the game).

The score sheet of Plute states which points each team had, and what became of the bid.
"""

import pytest

from domain.pictures.shown import Shown
from domain.plute import RULESET as plute
from domain.plute.events import BidMadeGood, PhaseBegan, PluteMade, TeamSet
from domain.plute.picture.scenes import page_of
from domain.plute.state import TEAMS, of_team
from domain.plute.view import project
from domain.serialization import to_plain
from tests.domain.plute import builders
from tests.support.random_games import played

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


MADE, SET = {"winners": EIGHT_TO_EVEN, "bidder": 0}, {"winners": EIGHT_TO_ODD, "bidder": 0, "deuce": 1}
ENDINGS = {
    "nobody has three": (MADE, ((1, 2), (2, 2)), {}, None),
    "three made": (MADE, ((2, 2), (2, 2)), {}, ("three_made", EVEN_SEATS)),
    "three set": (SET, ((2, 2), (0, 0)), {}, ("three_set", ODD_SEATS)),
    "one made": (MADE, ((0, 0), (0, 0)), {"win_at": 1}, ("one_made", EVEN_SEATS)),
    "four of five": (MADE, ((3, 0), (0, 0)), {"win_at": 5}, None),
    "nine made": (MADE, ((8, 0), (0, 0)), {"win_at": 9}, ("nine_made", EVEN_SEATS)),
    "five set": (SET, ((0, 4), (0, 0)), {"lose_at": 5}, ("five_set", ODD_SEATS)),
    "a Plute": ({"winners": [3] * 9, "bidder": 0, "deuce": 3}, ((0, 2), (2, 0)), {}, ("plute", ODD_SEATS)),
    "a Plute of partners": ({"winners": [0, 2, 4] * 3, "bidder": 1}, ((0, 0), (0, 0)), {}, ("plute", EVEN_SEATS)),
    "a Plute though set": (
        {"winners": [0] * 9, "bidder": 0, "bid": 7, "deuce": 1}, ((0, 2), (2, 0)), {}, ("plute", EVEN_SEATS)
    ),
}  # fmt: skip


@pytest.mark.rule(
    "plute", "7", "reaches 3 (`win_at`) wins", "The reason of the outcome", "Final `scores`",
    "takes all nine tricks of a hand wins at once", "The last hand still enters the tally",
)  # fmt: skip
@pytest.mark.parametrize(("hand", "before", "options", "expected"), ENDINGS.values(), ids=ENDINGS)
def test_a_game_ends_with_enough_bids_made_or_set_or_a_plute(hand, before, options, expected):
    events, state = end_of(**hand, tally=before, options=options)
    outcome, after = plute.outcome(state), tally(state)
    (entry,) = builders.of_kind(events, BidMadeGood, TeamSet)
    team = TEAMS.index(entry.team)
    assert after[team] == (entry.made, before[team][1]) if type(entry) is BidMadeGood else (before[team][0], entry.set_)
    assert sum(map(sum, after)) == sum(map(sum, before)) + 1
    assert events[-1] == PhaseBegan("deal" if expected is None else "over")
    assert (outcome and (outcome.reason, outcome.winners)) == expected
    assert bool(builders.of_kind(events, PluteMade)) == (expected is not None and expected[0] == "plute")
    if outcome:
        assert outcome.scores == tuple(after[seat % 2][0] for seat in range(6))
        assert plute.to_act(state) == frozenset()


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


def test_a_hand_is_written_down_for_the_team_that_bid():
    view = project(played("plute", 6, 0)[-1].game.state, None)
    scene = page_of(view, Shown())
    first = scene.sheet[0]
    assert first.name == "Hand 1: Team A bid 7, won 1, stopped: set"
    assert first.cells == ("set", "", "set", "", "set", "")
    assert first.steps[0] == "Team A: 1 point, Low Joker; 3 for Game"
    assert first.steps[-1] == "1 of 7 bid: the tally of sets goes up by one"
    assert scene.totals == ("0 ✓ 3 ✗", "0 ✓ 1 ✗") * 3
    assert len(scene.sheet) == len(view.hand_results)
