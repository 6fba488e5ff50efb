"""Bidding (rules.md, bidding)."""

import pytest

from domain.plute.actions import Bid, Claim, Pass, Play
from domain.plute.events import BidMade, ContractWon, Passed, PhaseBegan
from tests.domain.plute import builders


def spoken(*calls, dealer=5, **options):
    """Let the seats in turn bid a number, or pass (None)."""
    state = builders.state("bid", dealer=dealer, options=options, held=["AS"] * 6)
    for call in calls:
        _, state = builders.act(state, builders.to_act(state), Pass() if call is None else Bid(call))
    return state


def choices(state):
    """Return the points that can be bid, and whether the seat can pass."""
    listed = builders.legal(state)
    return [action.points for action in listed if isinstance(action, Bid)], Pass() in listed


@pytest.mark.rule("plute", "3", "one turn, clockwise, with the dealer last")
@pytest.mark.parametrize("dealer", range(6))
def test_the_seat_to_the_dealers_left_speaks_first_and_the_dealer_last_one_turn_each(dealer):
    state, speakers = spoken(dealer=dealer), []
    while state.phase == "bid":
        speakers.append(builders.to_act(state))
        _, state = builders.act(state, speakers[-1], builders.legal(state)[-1])
    assert speakers == [(dealer + 1 + turn) % 6 for turn in range(6)]


@pytest.mark.rule("plute", "3", "one turn, clockwise, with the dealer last")
def test_a_first_bid_is_4_to_7_or_a_pass():
    assert choices(spoken()) == ([4, 5, 6, 7], True)
    events, _ = builders.act(spoken(), 0, Bid(5))
    assert events == [BidMade(0, 5)]
    assert builders.act(spoken(), 0, Pass())[0] == [Passed(0)]


@pytest.mark.rule("plute", "3", "one turn, clockwise, with the dealer last")
@pytest.mark.parametrize(
    ("calls", "bids"), [([4], [5, 6, 7]), ([5], [6, 7]), ([4, None, 6], [7]), ([None, 5, None, None], [6, 7])]
)
def test_a_bid_exceeds_every_earlier_one(calls, bids):
    assert choices(spoken(*calls)) == (bids, True)


@pytest.mark.rule("plute", "3", "A bid of 7 ends")
@pytest.mark.parametrize("before", [[], [4], [None, 6], [4, 5, 6, None, None]])
def test_a_bid_of_7_ends_the_bidding_at_once(before):
    seat = len(before)
    events, state = builders.act(spoken(*before), seat, Bid(7))
    assert events == [BidMade(seat, 7), ContractWon(seat, ["even", "odd"][seat % 2], 7), PhaseBegan("play")]
    assert builders.to_act(state) == seat


@pytest.mark.rule("plute", "3", "The highest bidder's team")
def test_the_highest_bidder_wins_the_contract_for_the_team_and_leads():
    events, state = builders.act(spoken(None, 4, None, 6, None), 5, Pass())
    assert events == [Passed(5), ContractWon(3, "odd", 6), PhaseBegan("play")]
    assert builders.to_act(state) == 3


@pytest.mark.rule("plute", "3", "the dealer must bid 4")
def test_the_dealer_may_pass_once_there_is_a_bid():
    state = spoken(None, None, 4, None, None)
    assert choices(state) == ([5, 6, 7], True)
    assert builders.act(state, 5, Pass())[0][-2] == ContractWon(2, "even", 4)


@pytest.mark.rule("plute", "3", "the dealer must bid 4", "a seat gets its turn even when")
def test_a_dealer_to_whom_all_passed_must_bid_4():
    state = spoken(*[None] * 5)
    assert choices(state) == ([4], False)
    assert builders.refusal(state, 5, Pass()) == "dealer-must-bid"
    assert [builders.refusal(state, 5, Bid(points)) for points in (5, 6, 7)] == ["dealer-bids-four"] * 3
    assert builders.act(state, 5, Bid(4))[0][-2] == ContractWon(5, "odd", 4)


@pytest.mark.rule("plute", "3", "the dealer must bid 4")
def test_a_stuck_dealer_may_raise_by_the_option_but_not_pass():
    state = spoken(*[None] * 5, stuck_dealer_may_raise=True)
    assert choices(state) == ([4, 5, 6, 7], False)
    assert builders.refusal(state, 5, Pass()) == "dealer-must-bid"


@pytest.mark.rule("plute", "3", "cannot take the contract with an equal bid")
def test_only_the_dealer_may_steal_and_only_by_the_option():
    state = spoken(5, *[None] * 4, dealer_may_steal=True)
    assert choices(state) == ([5, 6, 7], True)
    assert builders.act(state, 5, Bid(5))[0][-2] == ContractWon(5, "odd", 5)
    assert choices(spoken(5, dealer_may_steal=True)) == ([6, 7], True)
    assert choices(spoken(*[None] * 5, dealer_may_steal=True)) == ([4], False)


@pytest.mark.parametrize(
    ("calls", "points", "code"),
    [([], 3, "no-such-bid"), ([], 8, "no-such-bid"), ([], 0, "no-such-bid"), ([5], 4, "bid-too-low"),
     ([5], 5, "bid-too-low"), ([6], 8, "no-such-bid")],
)  # fmt: skip
def test_a_bid_that_is_none_or_too_low_is_refused(calls, points, code):
    state = spoken(*calls)
    assert builders.refusal(state, builders.to_act(state), Bid(points)) == code


def test_only_the_seat_in_turn_speaks_and_it_bids_or_passes():
    state = spoken(4)
    assert builders.refusal(state, 0, Bid(5)) == "not-your-turn"
    assert builders.refusal(state, 2, Pass()) == "not-your-turn"
    assert builders.refusal(state, 1, Play("AS")) == "wrong-phase"
    assert builders.refusal(state, 1, Claim()) == "wrong-phase"
    assert builders.legal(state, 2) == []
