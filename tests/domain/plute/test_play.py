"""Play: following or trumping, and winning tricks (rules.md, play)."""

import random

import pytest

from domain.plute import RULESET as plute
from domain.plute.actions import Play
from domain.plute.deck import PACK
from domain.plute.events import TrickWon
from domain.plute.state import team_of
from domain.plute.view import TrickView
from tests.domain.plute import builders


@pytest.mark.rule("plute", "5", "follow it or play a trump")
@pytest.mark.parametrize(
    ("lead", "hand", "card", "code"),
    [
        ("9H", "4H 3S KD", "KD", "must-follow-suit"),
        ("3S", "4S KD", "KD", "must-follow-suit"),
        ("X1", "JC KD", "KD", "must-follow-suit"),
        ("9H", "4H", "3S", "card-not-held"),
        ("9H", "4H", "X1", "card-not-held"),
        ("9H", "4H", "EX", "malformed-action"),
    ],
)
def test_a_forbidden_card_is_refused_with_its_reason(lead, hand, card, code):
    assert builders.refusal(builders.state("play", held=["", hand], trick=f"0:{lead}"), 1, Play(card)) == code


@pytest.mark.rule("plute", "2", "does not belong to its printed suit")
@pytest.mark.rule(
    "plute", "5", "If a trump is led", "follow it or play a trump", "You never have to trump or to beat a card",
    "The winner leads any card to the next trick",
)  # fmt: skip
@pytest.mark.parametrize(
    ("trick", "hand", "expected"),
    [
        ("", "AH KS X1 JC", "AH KS X1 JC"),
        ("3S", "4S 2H AC", "4S"),
        ("JC", "JS 2H AC", "JS"),
        ("X2", "X1 KS AS 2H", "X1 KS AS"),
        ("3S", "JC 2H AC", "JC"),
        ("X2", "2H AC JH", "2H AC JH"),
        ("9H", "4H 10H 3S X1 JC KD 2C", "4H 10H 3S X1 JC"),
        ("9H", "3S X1 KD 2C", "3S X1 KD 2C"),
        ("9H", "KD 2C", "KD 2C"),
        ("9C", "JC 2H", "JC 2H"),
        ("9C", "JC 4C 2H", "JC 4C"),
        ("9H 10S", "AS 2S 3H AH", "AS 2S 3H AH"),
    ],
)
def test_a_trump_lead_asks_for_a_trump_and_a_plain_one_for_its_suit_or_a_trump(trick, hand, expected):
    """Spades are trumps, with the jack of clubs."""
    led = " ".join(f"{seat}:{card}" for seat, card in enumerate(trick.split()))
    tricks = [] if trick else [(0, "0:3S")]
    state = builders.state("play", held=[""] * len(trick.split()) + [hand], trick=led, tricks=tricks)
    assert {action.card for action in builders.legal(state)} == {*expected.split()}


@pytest.mark.rule("plute", "1", "Seats 0 to 5 sit clockwise", "Partners sit at every other seat")
@pytest.mark.rule("plute", "5", "The winner leads any card to the next trick")
@pytest.mark.parametrize("leader", range(6))
def test_the_trick_goes_round_clockwise_and_its_winner_leads_the_next(leader):
    seats = [(leader + turn) % 6 for turn in range(6)]
    cards = dict(zip(seats, ["3H", "KH", "4C", "5H", "QH", "2D"], strict=True))
    held = [f"{cards[seat]} {4 + seat}S" for seat in range(6)]
    state = builders.state("play", held=held, tricks=[(leader, "0:3S")], trick="")
    order = []
    for _ in range(6):
        order.append(builders.to_act(state))
        events, state = builders.act(state, order[-1], Play(cards[order[-1]]))
    assert order == seats
    won = builders.first(events, TrickWon)
    assert (won.number, won.winner, won.team) == (2, seats[1], team_of(seats[1]))
    assert won.cards == builders.trick(" ".join(f"{seat}:{cards[seat]}" for seat in seats))
    assert builders.to_act(state) == seats[1]


def naive_winner(cards, trump, high):
    """Find the winner by a list of all cards from the best to the worst for this trick."""
    off = {"S": "C", "C": "S", "H": "D", "D": "H"}[trump]
    low = {"X1": "X2", "X2": "X1"}[high]
    best = [
        *(f"{rank}{trump}" for rank in "AKQJ"),
        f"J{off}",
        *(f"{pip}{trump}" for pip in range(10, 1, -1)),
        high,
        low,
    ]
    best += [f"{rank}{cards[0][-1]}" for rank in ["A", "K", "Q", "J", *range(10, 1, -1)]]
    return min(range(6), key=lambda index: best.index(cards[index]) if cards[index] in best else 99)


@pytest.mark.rule("plute", "5", "The highest trump wins")
def test_any_six_cards_are_won_by_the_highest_trump_else_of_the_suit_led():
    rng = random.Random(6)
    for _ in range(600):
        cards = rng.sample(PACK, 6)
        trump, order = rng.choice("SHDC"), rng.choice(["marked", "first_played_high"])
        first_joker = next((card for card in cards if card in ("X1", "X2")), "X1")
        high = "X1" if order == "marked" else first_joker
        trick = " ".join(f"{seat}:{card}" for seat, card in enumerate(cards[:5]))
        jokers = " ".join(card for card in cards[:5] if card in ("X1", "X2")) if order != "marked" else ""
        options = {"joker_order": order}
        state = builders.state(
            "play", trump=trump, trick=trick, held=[""] * 5 + [cards[5]], jokers=jokers, options=options
        )
        events, _ = builders.act(state, 5, Play(cards[5]))
        assert builders.first(events, TrickWon).winner == naive_winner(cards, trump, high), (cards, trump, high)


@pytest.mark.rule("plute", "5", "all players can see the tricks taken")
def test_the_trick_and_those_taken_are_open_to_all():
    state = builders.state("play", held=["", "", "4H"], trick="0:3H 1:9H", tricks=[(3, "3:2S 4:3S")], bidder=3)
    for viewer in (0, 5, None):
        shown = plute.project(state, viewer)
        assert shown.trick == TrickView(2, leader=0, cards=builders.trick("0:3H 1:9H"))
        assert shown.tricks == (TrickWon(1, winner=3, team="odd", cards=builders.trick("3:2S 4:3S")),)
