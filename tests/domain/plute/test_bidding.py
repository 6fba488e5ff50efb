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
def test_the_seat_left_of_the_dealer_speaks_first_and_each_seat_once(dealer):
    state, speakers = spoken(dealer=dealer), []
    while state.phase == "bid":
        speakers.append(builders.to_act(state))
        _, state = builders.act(state, speakers[-1], builders.legal(state)[-1])
    assert speakers == [(dealer + 1 + turn) % 6 for turn in range(6)]


STEAL, RAISE = {"dealer_may_steal": True}, {"stuck_dealer_may_raise": True}
ALL_PASSED = [None] * 5


@pytest.mark.rule(
    "plute", "3", "one turn, clockwise, with the dealer last", "the dealer must bid 4",
    "a seat gets its turn even when", "cannot take the contract with an equal bid",
)  # fmt: skip
@pytest.mark.parametrize(
    ("calls", "options", "bids", "can_pass"),
    [
        ([], {}, [4, 5, 6, 7], True),
        ([4], {}, [5, 6, 7], True),
        ([5], {}, [6, 7], True),
        ([4, None, 6], {}, [7], True),
        ([None, 5, None, None], {}, [6, 7], True),
        ([None, None, 4, None, None], {}, [5, 6, 7], True),
        (ALL_PASSED, {}, [4], False),
        (ALL_PASSED, RAISE, [4, 5, 6, 7], False),
        (ALL_PASSED, STEAL, [4], False),
        ([5, *[None] * 4], STEAL, [5, 6, 7], True),
        ([5], STEAL, [6, 7], True),
    ],
)
def test_what_each_seat_can_say(calls, options, bids, can_pass):
    state = spoken(*calls, **options)
    assert choices(state) == (bids, can_pass)
    if not can_pass:
        assert builders.refusal(state, 5, Pass()) == "dealer-must-bid"
        wrong = {5, 6, 7} - {*bids}
        assert all(builders.refusal(state, 5, Bid(points)) == "dealer-bids-four" for points in wrong)


@pytest.mark.rule("plute", "3", "A bid of 7 ends", "The highest bidder's team", "the dealer must bid 4")
@pytest.mark.parametrize(
    ("calls", "options", "won"),
    [
        ([7], {}, ContractWon(0, "even", 7)),
        ([4, 7], {}, ContractWon(1, "odd", 7)),
        ([None, 6, 7], {}, ContractWon(2, "even", 7)),
        ([4, 5, 6, None, None, 7], {}, ContractWon(5, "odd", 7)),
        ([None, 4, None, 6, None, None], {}, ContractWon(3, "odd", 6)),
        ([None, None, 4, None, None, None], {}, ContractWon(2, "even", 4)),
        ([*ALL_PASSED, 4], {}, ContractWon(5, "odd", 4)),
        ([5, *[None] * 4, 5], STEAL, ContractWon(5, "odd", 5)),
    ],
)
def test_the_last_word_or_a_bid_of_7_gives_the_contract_to_the_highest_bidder_who_leads(calls, options, won):
    *before, last = calls
    seat = len(before)
    events, state = builders.act(spoken(*before, **options), seat, Pass() if last is None else Bid(last))
    assert events == [Passed(seat) if last is None else BidMade(seat, last), won, PhaseBegan("play")]
    assert builders.to_act(state) == won.bidder


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
