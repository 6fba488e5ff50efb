"""Bidding: whose turn it is, what can be bid, who becomes the taker (rules.md, bidding)."""

import pytest

from domain.french_tarot.actions import Bid, Pass, Play
from tests.domain.french_tarot import builders

CONTRACTS = ("petite", "garde", "garde_sans", "garde_contre")


def bidding(players=4, dealer=None, **options):
    """Return a state at the beginning of the bidding."""
    return builders.state(players, "bid", dealer=dealer, held=[""] * players, options=options)


def spoken(text):
    """Read bids: "petite pass garde"."""
    return [Pass() if word == "pass" else Bid(word) for word in text.split()]


@pytest.mark.rule("french-tarot", "4", "each player speaks once")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_player_after_the_dealer_speaks_first_and_the_dealer_last(players):
    state = bidding(players, dealer=1)
    order = []
    for _ in range(players):
        order.append(builders.to_act(state))
        _, state = builders.act(state, order[-1], Pass())
    assert order == [(2 + turn) % players for turn in range(players)]


OPEN = {"bidding": "open"}


@pytest.mark.rule("french-tarot", "1", "contracts, low to high")
@pytest.mark.rule(
    "french-tarot", "4", "each player speaks once", "A `garde_contre` cannot be overbid", "can rule out the `petite`",
    "until all but one have passed",
)  # fmt: skip
@pytest.mark.parametrize(
    ("bids", "options", "seat", "lowest"),
    [
        ("", {}, 0, 0),
        ("petite pass", {}, 2, 1),
        ("garde pass", {}, 2, 2),
        ("garde_sans pass", {}, 2, 3),
        ("garde_contre pass", {}, 2, 4),
        ("", {"minimum_contract": "garde"}, 0, 1),
        ("garde_contre", OPEN, 1, 4),
        ("pass pass pass", OPEN, 3, 0),
        ("petite pass garde pass", OPEN, 0, 2),
        ("petite pass garde pass garde_sans", OPEN, 2, 3),
    ],
)
def test_a_bid_is_higher_than_every_earlier_one(bids, options, seat, lowest):
    state = builders.acts(bidding(**options), *spoken(bids))
    assert (builders.to_act(state), builders.legal(state)) == (seat, [*map(Bid, CONTRACTS[lowest:]), Pass()])
    assert {builders.refusal(state, seat, Bid(lower)) for lower in CONTRACTS[:lowest]} <= {"bid-too-low"}


@pytest.mark.rule("french-tarot", "4", "The highest bidder is the taker", "until all but one have passed")
@pytest.mark.parametrize(
    ("bids", "options", "won"),
    [
        ("petite pass pass pass", {}, (0, "petite", 1)),
        ("pass petite garde pass", {}, (2, "garde", 2)),
        ("pass pass pass garde_sans", {}, (3, "garde_sans", 4)),
        ("petite garde garde_sans garde_contre", {}, (3, "garde_contre", 6)),
        ("pass pass pass pass", {}, None),
        ("pass pass pass pass", OPEN, None),
        ("pass pass pass petite", OPEN, (3, "petite", 1)),
        ("petite pass garde pass garde_sans pass", OPEN, (0, "garde_sans", 4)),
    ],
)
def test_the_highest_bidder_takes_and_a_deal_that_all_pass_is_thrown_in(bids, options, won):
    *earlier, last = spoken(bids)
    state = builders.acts(bidding(**options), *earlier)
    events, state = builders.act(state, builders.to_act(state), last)
    assert builders.of_kind(events, builders.ev.ContractWon) == ([builders.ev.ContractWon(*won)] if won else [])
    thrown_in = builders.of_kind(events, builders.ev.DealThrownIn)
    assert thrown_in == ([] if won else [builders.ev.DealThrownIn("all_passed")])
    assert won or (state.phase, state.results, state.scores) == ("deal", (), (0, 0, 0, 0))


@pytest.mark.rule("french-tarot", "4", "each player speaks once")
def test_any_action_but_a_bid_or_a_pass_is_rejected():
    assert builders.refusal(bidding(), 0, Play("RH")) == "wrong-phase"
    assert builders.refusal(bidding(), 1, Pass()) == "not-your-turn"
