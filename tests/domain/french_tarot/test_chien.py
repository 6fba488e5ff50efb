"""Chien and écart: who sees what, and what can be laid aside (rules.md, chien and écart).

An écart can be taken back as long as it has disclosed nothing (rules.md, chien and écart).
Bidding: whose turn it is, what can be bid, who becomes the taker (rules.md, bidding).
"""

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Bid, Discard, NoSlam, Pass, Play
from domain.french_tarot.view import ChienView, EcartView
from domain.game import aggregate
from tests.domain.french_tarot import builders
from tests.support.random_games import playing

KINGS = "RS RH RD RC"


def discarding(hand, players=4, **parts):
    """Return a state in which the taker, seat 0, holds a hand with the chien in it."""
    return builders.state(
        players, "discard", held=[hand, *[""] * (players - 1)], contract="garde", turned=True, **parts
    )


def whole_deal(contract, chien):
    """Deal four hands in deck order around a chien, and let seat 0 bid."""
    pack = [card for card in TAROT_PACK if card not in chien]
    hands = [pack[seat::4] for seat in range(4)]
    state = builders.dealt(hands, chien)
    return builders.acts(state, Bid(contract), Pass(), Pass()), hands


CHIEN = ["1S", "RS", "T1", "EX", "DH", "T20"]


@pytest.mark.rule("french-tarot", "6", "the chien is turned up for all to see", "lays aside as many cards, face down")
@pytest.mark.parametrize("contract", ["petite", "garde"])
def test_in_petite_and_garde_the_chien_is_turned_up_and_taken_in(contract):
    state, hands = whole_deal(contract, CHIEN)
    events, state = builders.act(state, 3, Pass())
    assert events[2:] == [builders.ev.ChienTurned(0, state.deal.chien), builders.ev.PhaseBegan("discard")]
    assert {*state.table.held[0]} == {*hands[0], *CHIEN}
    for viewer in (0, 1, None):
        chien = french_tarot.project(state, viewer).chien
        assert (chien.count, {*chien.cards}) == (0, {*CHIEN})


@pytest.mark.rule("french-tarot", "6", "the chien stays hidden until the end", "belongs to the defence")
@pytest.mark.parametrize("contract", ["garde_sans", "garde_contre"])
def test_in_the_higher_contracts_the_chien_stays_hidden(contract):
    state, hands = whole_deal(contract, CHIEN)
    events, state = builders.act(state, 3, Pass())
    assert events[2:] == [builders.ev.PhaseBegan("slam")]
    assert {*state.table.held[0]} == {*hands[0]}
    for viewer in (0, 1, None):
        assert french_tarot.project(state, viewer).chien == ChienView(6, None)


MIXED = "1S 2S 3S 4S 5S 6S DS RS T1 T9 T21 EX"
FEW = f"1S 2S 3S 4S {KINGS} T1 T2 T3 T4 T21 EX"


@pytest.mark.rule("french-tarot", "6", "A king or an oudler cannot be laid aside", "A trump can be laid aside only if")
@pytest.mark.parametrize(
    ("hand", "cards", "code"),
    [
        (MIXED, "6S 5S 4S 3S 2S 1S", None),
        ("DS CS VS DH CH VH 1S", "DS CS VS DH CH VH", None),
        (MIXED, "1S 2S 3S 4S 5S", "wrong-number-of-cards"),
        (MIXED, "1S 2S 3S 4S 5S 6S DS", "wrong-number-of-cards"),
        (MIXED, "1S 2S 3S 4S 5S 5S", "wrong-number-of-cards"),
        (MIXED, "1S 2S 3S 4S 5S 9H", "card-not-held"),
        (MIXED, "1S 2S 3S 4S 5S RS", "king-in-ecart"),
        (MIXED, "1S 2S 3S 4S 5S T1", "oudler-in-ecart"),
        (MIXED, "1S 2S 3S 4S 5S T21", "oudler-in-ecart"),
        (MIXED, "1S 2S 3S 4S 5S EX", "oudler-in-ecart"),
        (MIXED, "1S 2S 3S 4S 5S T9", "trump-in-ecart"),
        (FEW, "1S 2S 3S 4S T2 T3", None),
        (FEW, "1S 2S 3S T2 T3 T4", "trump-in-ecart"),
        (FEW, "1S 2S 3S 4S T1 T2", "oudler-in-ecart"),
    ],
)
def test_kings_and_oudlers_stay_and_trumps_where_there_is_another_way(hand, cards, code):
    assert builders.refusal(discarding(hand), 0, Discard(tuple(cards.split()))) == code


@pytest.mark.rule("french-tarot", "6", "Trumps laid aside are shown")
def test_trumps_that_were_laid_aside_are_shown_and_nothing_else_is():
    state = discarding(f"1S 2S 3S 4S {KINGS} T2 T3 T4")
    events, state = builders.act(state, 0, Discard(("T4", "4S", "3S", "2S", "1S", "T2")))
    assert events == [
        builders.ev.CardsDiscarded(0, 6, ("1S", "2S", "3S", "4S", "T2", "T4")),
        builders.ev.TrumpsShown(0, ("T2", "T4")),
        builders.ev.PhaseBegan("slam"),
    ]
    ecarts = [french_tarot.project(state, viewer).ecart for viewer in (0, 1, None)]
    assert ecarts[0] == EcartView(6, ("1S", "2S", "3S", "4S", "T2", "T4"), ("T2", "T4"))
    assert ecarts[1] == ecarts[2] == EcartView(6, None, ("T2", "T4"))


def before_an_ecart():
    """Return a random game before an écart without trumps, its taker, and that écart."""
    for seed in range(100):
        for step in playing(french_tarot.id, 4, seed):
            state = step.game.state
            if step.game.status == "active" and state.phase == "discard":
                taker = state.deal.contract.taker
                ecart = french_tarot.legal_actions(state, taker)[0]
                if not any(card[0] == "T" for card in ecart.cards):
                    return step.game, taker, ecart
    raise AssertionError


@pytest.mark.rule("french-tarot", "6", "can be taken back by agreement")
def test_an_ecart_without_trumps_can_be_taken_back_until_the_first_card():
    game, taker, ecart = before_an_ecart()
    assert isinstance(ecart, Discard)
    _, after = aggregate.act(game, taker, ecart)
    _, after = aggregate.act(after, taker, NoSlam())
    assert game.version in [position.version for position in after.positions]
    (seat,) = after.pending
    card = next(action for action in french_tarot.legal_actions(after.state, seat) if hasattr(action, "card"))
    _, played = aggregate.act(after, seat, card)
    assert game.version not in [position.version for position in played.positions]


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
