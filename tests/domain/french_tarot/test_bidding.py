"""Bidding: whose turn it is, what can be bid, who becomes the taker (rules.md, bidding)."""

import pytest

from domain.french_tarot.actions import Bid, Pass, Play
from tests.domain.french_tarot import builders

CONTRACTS = ("petite", "garde", "garde_sans", "garde_contre")


def bidding(players=4, dealer=None, **options):
    """Return a state at the beginning of the bidding."""
    return builders.state(players, "bid", dealer=dealer, held=[""] * players, options=options)


def can_bid(state):
    return [action.contract for action in builders.legal(state) if isinstance(action, Bid)]


def spoken(text):
    """Read bids: "petite pass garde"."""
    return [Pass() if word == "pass" else Bid(word) for word in text.split()]


def after(text, players=4, **options):
    return builders.acts(bidding(players, **options), *spoken(text))


@pytest.mark.rule("french-tarot", "4", "each player speaks once")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_player_after_the_dealer_speaks_first_and_the_dealer_last(players):
    state = bidding(players, dealer=1)
    order = []
    for _ in range(players):
        order.append(builders.to_act(state))
        _, state = builders.act(state, order[-1], Pass())
    assert order == [(2 + turn) % players for turn in range(players)]


@pytest.mark.rule("french-tarot", "4", "each player speaks once")
def test_the_first_player_can_bid_any_contract_or_pass():
    assert can_bid(bidding()) == [*CONTRACTS]
    assert builders.legal(bidding())[-1] == Pass()


@pytest.mark.rule("french-tarot", "1", "contracts, low to high")
@pytest.mark.rule("french-tarot", "4", "each player speaks once")
@pytest.mark.parametrize("bid", CONTRACTS)
def test_a_bid_is_higher_than_every_earlier_one(bid):
    state = after(f"{bid} pass")
    higher = CONTRACTS[CONTRACTS.index(bid) + 1 :]
    assert can_bid(state) == [*higher]
    for lower in CONTRACTS[: CONTRACTS.index(bid) + 1]:
        assert builders.refusal(state, 2, Bid(lower)) == "bid-too-low"


@pytest.mark.rule("french-tarot", "4", "A `garde_contre` cannot be overbid")
@pytest.mark.parametrize("options", [{}, {"bidding": "open"}])
def test_nothing_tops_a_garde_contre(options):
    state = after("garde_contre", **options)
    assert builders.legal(state) == [Pass()]


@pytest.mark.rule("french-tarot", "4", "can rule out the `petite`")
def test_a_minimum_contract_rules_out_the_petite():
    state = bidding(minimum_contract="garde")
    assert can_bid(state) == [*CONTRACTS[1:]]
    assert builders.refusal(state, 0, Bid("petite")) == "bid-too-low"


@pytest.mark.rule("french-tarot", "4", "The highest bidder is the taker")
@pytest.mark.parametrize(
    ("bids", "taker", "contract", "multiplier"),
    [
        ("petite pass pass pass", 0, "petite", 1),
        ("pass petite garde pass", 2, "garde", 2),
        ("pass pass pass garde_sans", 3, "garde_sans", 4),
        ("petite garde garde_sans garde_contre", 3, "garde_contre", 6),
    ],
)
def test_the_highest_bidder_takes_after_one_round(bids, taker, contract, multiplier):
    *before, last = spoken(bids)
    state = builders.acts(bidding(), *before)
    events, _ = builders.act(state, builders.to_act(state), last)
    assert builders.of_kind(events, builders.ev.ContractWon) == [builders.ev.ContractWon(taker, contract, multiplier)]


@pytest.mark.rule("french-tarot", "4", "The highest bidder is the taker")
@pytest.mark.parametrize("options", [{}, {"bidding": "open"}])
def test_a_deal_that_all_pass_is_thrown_in(options):
    state = after("pass pass pass", **options)
    events, state = builders.act(state, 3, Pass())
    assert builders.of_kind(events, builders.ev.DealThrownIn) == [builders.ev.DealThrownIn("all_passed")]
    assert (state.phase, state.results, state.scores) == ("deal", (), (0, 0, 0, 0))


@pytest.mark.rule("french-tarot", "4", "until all but one have passed")
def test_open_bidding_goes_on_until_all_but_one_have_passed_for_good():
    state = after("petite pass garde pass", bidding="open")
    assert builders.to_act(state) == 0
    state = builders.acts(state, Bid("garde_sans"))
    assert builders.to_act(state) == 2
    events, _ = builders.act(state, 2, Pass())
    assert builders.of_kind(events, builders.ev.ContractWon) == [builders.ev.ContractWon(0, "garde_sans", 4)]


@pytest.mark.rule("french-tarot", "4", "until all but one have passed")
def test_in_open_bidding_the_last_player_has_a_turn_after_three_passes():
    state = after("pass pass pass", bidding="open")
    assert builders.to_act(state) == 3
    assert can_bid(state) == [*CONTRACTS]
    events, _ = builders.act(state, 3, Bid("petite"))
    assert builders.of_kind(events, builders.ev.ContractWon)


@pytest.mark.rule("french-tarot", "4", "each player speaks once")
def test_any_action_but_a_bid_or_a_pass_is_rejected():
    assert builders.refusal(bidding(), 0, Play("RH")) == "wrong-phase"
    assert builders.refusal(bidding(), 1, Pass()) == "not-your-turn"
