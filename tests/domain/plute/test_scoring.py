"""The seven points, and whether a bid is made (rules.md, the seven points; tally).

The law of what a scene of Plute says that a team has for certain: it has that at the end of the hand, too.
"""

import pytest

from domain.plute import RULESET as plute
from domain.plute.deck import PACK
from domain.plute.events import BidMadeGood, PointsCounted, TeamSet
from domain.plute.scoring import Standing, Standings, points_won, standings, verdict
from domain.plute.state import TEAMS, of_team, other_team
from tests.domain.plute import builders
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS, seeds

POINTS = ["high", "low", "jack", "off_jack", "high_joker", "low_joker", "game"]


def won(even, trump="S", low="even"):
    """Return which team has each point if ``even`` took these cards and ``odd`` all others, X2 being the high joker."""
    taken = even.split()
    cards = {"even": taken, "odd": [card for card in PACK if card not in taken]}
    return points_won(cards, trump, ("X2", "X1"), low)


@pytest.mark.rule("plute", "6", "High / `high`", "Jack / `jack`", "Off-Jack / `off_jack`", "High Joker", "Low Joker")
@pytest.mark.parametrize(
    ("trump", "cards"),
    [
        ("S", {"high": "AS", "jack": "JS", "off_jack": "JC", "high_joker": "X2", "low_joker": "X1"}),
        ("H", {"high": "AH", "jack": "JH", "off_jack": "JD", "high_joker": "X2", "low_joker": "X1"}),
        ("D", {"high": "AD", "jack": "JD", "off_jack": "JH", "high_joker": "X2", "low_joker": "X1"}),
        ("C", {"high": "AC", "jack": "JC", "off_jack": "JS", "high_joker": "X2", "low_joker": "X1"}),
    ],
)
def test_a_point_card_gives_its_point_to_the_team_that_takes_it(trump, cards):
    for point, card in cards.items():
        expected = dict.fromkeys(POINTS, "odd") | {"low": "odd", point: "even"}
        assert won(card, trump, low="odd") == expected


@pytest.mark.rule("plute", "6", "Game / `game`")
@pytest.mark.parametrize(
    ("cards", "value", "game"),
    [
        ("10S 10H 10D 10C JS", 41, "even"),
        ("10S 10H 10D 10C", 40, None),
        ("10S 10H 10D AS AH JS", 39, "odd"),
        ("AS AH AD AC KS KH KD KC QS QH QD QC JS JH JD JC", 40, None),
        ("AS AH AD AC KS KH KD KC QS QH QD QC JS JH JD JC X1 X2 9S 2H", 40, None),
        ("", 0, "odd"),
    ],
)
def test_game_takes_41_of_80_and_at_40_each_no_team_has_it(cards, value, game):
    points = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
    assert sum(points.get(card[:-1], 0) for card in cards.split()) == value
    assert won(cards)["game"] == game


@pytest.mark.rule("plute", "6", "Low / `low`")
@pytest.mark.parametrize(("low", "team"), [("holder", "odd"), ("taker", "even")])
def test_whose_low_is_in_a_hand_depends_on_the_option(low, team):
    state = builders.state("play", tricks=[(0, "0:AS 1:2S 2:3S")], options={"low": low})
    assert "low" in of_team(standings(state), team).points
    assert "low" not in of_team(standings(state), other_team(team)).points


def standing(points, value=0):
    return Standing(1, tuple(POINTS[:points]) + (("game",) if value >= 41 else ()), value)


@pytest.mark.parametrize(
    ("bid", "mine", "theirs", "made"),
    [
        (4, (4, 0), (0, 0), True),
        (4, (3, 41), (0, 0), True),
        (4, (3, 40), (0, 0), None),
        (4, (0, 0), (4, 0), False),
        (4, (0, 0), (3, 40), False),
        (4, (0, 0), (3, 41), False),
        (4, (0, 0), (3, 39), None),
        (7, (0, 0), (1, 0), False),
        (7, (0, 0), (0, 40), False),
        (7, (6, 40), (0, 39), None),
        (7, (6, 41), (0, 39), True),
        (5, (3, 30), (2, 30), None),
    ],
)
def test_a_bid_is_decided_when_nothing_open_could_change_it(bid, mine, theirs, made):
    assert verdict(bid, standing(*mine), standing(*theirs)) is made


def end_of(winners, **parts):
    """Play the last card of a hand; return the events."""
    state = builders.about_to_end(winners, **parts)
    events, _ = builders.act(state, 5, *builders.legal(state))
    return events


@pytest.mark.rule("plute", "7", "at least as many points as it bid", "The margin and the other")
@pytest.mark.parametrize(("bid", "made"), [(4, True), (5, True), (6, True), (7, False)])
def test_the_bid_is_made_with_as_many_points_and_the_margin_is_of_no_account(bid, made):
    events = end_of([1] * 8 + [0], bidder=3, bid=bid, deuce=0)
    counted = builders.first(events, PointsCounted)
    assert counted == PointsCounted("odd", ("high", "jack", "off_jack", "high_joker", "low_joker", "game"), 80)
    expected = BidMadeGood("odd", bid, 6, 1) if made else TeamSet("odd", bid, 6, 1)
    assert builders.of_kind(events, BidMadeGood, TeamSet) == [expected]


@pytest.mark.rule("plute", "Options", "`show_points` / false")
def test_the_points_of_the_other_team_are_recorded_by_the_option_alone():
    silent = builders.of_kind(end_of([1] * 8 + [0], bidder=0, deuce=2), PointsCounted)
    assert [counted.team for counted in silent] == ["even"]
    shown = builders.of_kind(end_of([1] * 8 + [0], bidder=0, deuce=2, options={"show_points": True}), PointsCounted)
    assert [(counted.team, len(counted.points), counted.game_value) for counted in shown] == [
        ("even", 1, 0),
        ("odd", 6, 80),
    ]


def test_a_view_counts_the_tricks_taken_and_not_the_one_on_the_table():
    tricks = [(1, "0:2S 1:AS 2:10H 3:X2"), (2, "1:3D 2:AD 3:KD")]
    state = builders.state("play", trump="S", jokers="X2", tricks=tricks, trick="2:JS", held=["", "", "JC"])
    for viewer in (2, None):
        assert plute.project(state, viewer).standing == Standings(
            even=Standing(tricks=1, points=("low",), game_value=7),
            odd=Standing(tricks=1, points=("high", "high_joker"), game_value=14),
        )


TABLES = [(seats, variant) for ruleset, seats, variant in VARIANTS if ruleset == plute.id]


@pytest.mark.parametrize(("seats", "variant"), TABLES)
@pytest.mark.parametrize("seed", seeds(4))
def test_a_team_has_at_the_end_of_the_hand_what_it_was_told_to_have_for_certain(seats, variant, seed):
    states = [step.game.state for step in playing(plute.id, seats, seed, variant) if step.game.state]
    counted = {
        (result.hand_number, points.team): points
        for result in plute.project(states[-1], None).hand_results
        for points in result.points
    }
    assert counted
    views = [plute.project(state, viewer) for state in states for viewer in (None, *range(seats))]
    for view in (view for view in views if view.phase == "play"):
        for team in TEAMS:
            standing, final = of_team(view.standing, team), counted.get((view.hand_number, team))
            assert final is None or {*standing.points} <= {*final.points}
            assert final is None or standing.game_value <= final.game_value
