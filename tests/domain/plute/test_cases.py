"""The case file, run whole: each kind of case by the part of the rules that answers it.

Whole random games of Plute, with every option, watched by a referee.
"""

import json
from pathlib import Path

import pytest

from domain.plute import RULESET as plute
from domain.plute import events as ev
from domain.plute.actions import Bid, Pass, Play
from domain.plute.deck import JOKERS, PACK, PLAYERS, TRICKS, TRUMP_SUITS, game_value, suits
from domain.plute.events import TrickWon
from domain.plute.scoring import TO_WIN_GAME, Standing, is_made, points_won, verdict
from domain.plute.state import TEAMS, team_of
from domain.serialization import to_plain
from tests.domain.laws.facts import variants
from tests.domain.plute import builders
from tests.domain.plute.referee import judge_game
from tests.support.random_games import played

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]


def of_kind(kind):
    cases = [case for case in CASES if case["kind"] == kind]
    assert cases
    return pytest.mark.parametrize(
        ("asked", "expected"), [pytest.param(case["input"], case["expect"], id=case["id"]) for case in cases]
    )


def on_table(cards):
    return " ".join(f"{seat}:{card}" for seat, card in enumerate(cards))


def team(number):
    return None if number is None else TEAMS[number]


def test_every_kind_of_case_has_its_test():
    assert {case["kind"] for case in CASES} == {
        "winner", "legal", "first_lead", "bidding", "points", "bid_result", "game_end", "early_stop", "shape",
    }  # fmt: skip
    assert len({case["id"] for case in CASES}) == len(CASES) == 35


@pytest.mark.rule("plute", "2", "16 cards are trumps, high to low")
@of_kind("winner")
def test_the_winner_of_a_trick(asked, expected):
    *earlier, last = asked["trick"]
    named = " ".join(card for card in earlier if card in JOKERS)
    state = builders.state("play", trump=asked["trump"], trick=on_table(earlier), held=[""] * 5 + [last], jokers=named)
    events, _ = builders.act(state, 5, Play(last))
    assert builders.first(events, TrickWon).winner == expected["winner_index"]


@of_kind("legal")
def test_the_cards_that_may_be_played(asked, expected):
    seat = len(asked["trick"])
    held = [""] * seat + [" ".join(asked["hand"])]
    state = builders.state("play", trump=asked["trump"], trick=on_table(asked["trick"]), held=held)
    assert builders.to_act(state) == seat
    assert sorted(action.card for action in builders.legal(state)) == sorted(expected["legal"])
    for card in set(PACK) - set(expected["legal"]):
        assert builders.refusal(state, seat, Play(card)) in ("card-not-held", "must-follow-suit")


@of_kind("first_lead")
def test_the_first_lead(asked, expected):
    state = builders.state("play", trump=None, held=[asked["card"]])
    action = Play(asked["card"], asked["declared"])
    assert (builders.refusal(state, 0, action) is None) == (action in builders.legal(state)) == expected["legal"]
    if expected["legal"]:
        _, state = builders.act(state, 0, action)
        assert state.table.trump == expected["trump"]


@of_kind("bidding")
def test_the_bidding(asked, expected):
    state = builders.state("bid", dealer=asked["dealer"])
    for call in asked["calls"]:
        _, state = builders.act(state, builders.to_act(state), Pass() if call == "pass" else Bid(call))
    contract = state.hand.contract
    assert (contract is not None) == expected.get("over", False)
    if contract is not None:
        assert (contract.bidder, contract.points) == (expected["bidder"], expected["bid"])
        assert builders.to_act(state) == expected["first_leader"]
        return
    assert builders.to_act(state) == expected["next"]
    listed = ["pass" if isinstance(action, Pass) else action.points for action in builders.legal(state)]
    assert sorted(map(str, listed)) == sorted(map(str, expected["legal"]))


@pytest.mark.rule("plute", "6", "High / `high`", "Jack / `jack`", "Off-Jack / `off_jack`", "High Joker", "Low Joker")
@of_kind("points")
def test_the_seven_points(asked, expected):
    mine = asked["team0_cards"]
    cards = {"even": mine, "odd": [card for card in PACK if card not in mine]}
    high = asked["high_joker"]
    jokers = (high, next(card for card in JOKERS if card != high))
    won = points_won(cards, asked["trump"], jokers, team(asked["low_dealt_to_team"]))
    assert won == {point: team(expected[point]) for point in won}
    for number, name in enumerate(TEAMS):
        assert sum(game_value(card) for card in cards[name]) == expected["game_values"][str(number)]
        assert sum(winner == name for winner in won.values()) == expected["totals"][str(number)]


@pytest.mark.rule("plute", "7", "at least as many points as it bid", "The margin and the other")
@of_kind("bid_result")
def test_whether_a_bid_is_made(asked, expected):
    assert is_made(asked["bid"], asked["bidding_team_points"]) == expected["made"]


@of_kind("game_end")
def test_the_tally_and_the_end_of_the_game(asked, expected):
    bidder, bid = asked["bidding_team"], 4
    winners = [bidder if asked["made"] else 1 - bidder] * 8 + [1 - bidder if asked["made"] else bidder]
    deuce = winners[0]
    if asked["all_tricks_team"] is not None:
        winners = [asked["all_tricks_team"]] * 9
        if asked["all_tricks_team"] == bidder and not asked["made"]:
            bid, deuce = 7, 1 - bidder
    tally = [(asked["tally"][number]["made"], asked["tally"][number]["set"]) for number in "01"]
    state = builders.about_to_end(winners, deuce=deuce, bidder=bidder, bid=bid, tally=tally)
    _, state = builders.act(state, 5, *builders.legal(state))
    after = to_plain(plute.project(state, None).tally)
    assert {"0": after["even"], "1": after["odd"]} == expected["tally"]
    outcome = plute.outcome(state)
    assert (outcome is None) == (expected["winner"] is None)
    if outcome is not None:
        assert outcome.reason == expected["reason"]
        assert outcome.winners == tuple(seat for seat in range(6) if seat % 2 == expected["winner"])


@pytest.mark.rule("plute", "8", "a hand can stop if each team has taken a trick")
@of_kind("early_stop")
def test_whether_a_hand_may_stop_early(asked, expected):
    number = asked["bidding_team"]
    tricks = {"bidding": asked["tricks"][str(number)], "other": asked["tricks"][str(1 - number)]}
    sides = {
        side: Standing(
            tricks[side],
            ("high", "low", "jack", "off_jack", "high_joker", "low_joker")[: asked["secured_without_game"][side]]
            + (("game",) if asked["game_values"][side] >= TO_WIN_GAME else ()),
            asked["game_values"][side],
        )
        for side in tricks
    }
    made = verdict(asked["bid"], sides["bidding"], sides["other"])
    assert (made is not None and all(tricks.values())) == expected["may_stop"]
    assert made == expected["made"]


@pytest.mark.rule("plute", "1", "Seats 0 to 5 sit clockwise", "Partners sit at every other seat")
@of_kind("shape")
def test_the_shape_of_the_game(asked, expected):
    assert list(plute.seats) == [PLAYERS] == [asked["players"]]
    assert (len(PACK), len(PACK) // PLAYERS, TRICKS) == (expected["deck"], expected["hand"], expected["tricks"])
    for trump in TRUMP_SUITS:
        assert list(suits(trump).values()).count("T") == expected["trumps"]
    for number, seats in expected["teams"].items():
        assert [seat for seat in range(6) if team_of(seat) == team(int(number))] == seats


VARIANTS = ["", *variants("plute", 6), "early_stop=off", "win_at=9 lose_at=9"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_referee_who_keeps_the_score_by_pencil_comes_to_the_same(variant):
    for seed in range(3):
        judge_game(seed, variant)
    games = [played("plute", 6, seed, variant) for seed in range(3)]
    kinds = {type(event) for steps in games for step in steps for event in step.events}
    options = games[0][0].game.options
    assert (ev.HandClaimed in kinds) == (options.early_stop == "claim")
    assert (ev.HandStopped in kinds) == (options.early_stop != "off")
    assert (ev.JokerNamed in kinds) == (options.joker_order != "marked")
    assert {ev.TeamSet, ev.TrumpNamed, ev.TrickWon} <= kinds
