"""Play: following or trumping, and winning tricks (rules.md, play).

Naming trump by the first lead, and the jokers by playing them (rules.md, trump and the first lead; cards).
"""

import random

import pytest

from domain.plute import RULESET as plute
from domain.plute.actions import Play
from domain.plute.deck import JOKERS, PACK
from domain.plute.events import CardPlayed, JokerNamed, TrickWon, TrumpNamed
from domain.plute.state import team_of
from domain.plute.view import JokersView, TrickView
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


FOUR = ["S", "H", "D", "C"]


def leading(held, *, bidder=2, **options):
    """Return the moment before the first lead."""
    hands = [""] * bidder + [held]
    return builders.state("play", held=hands, bidder=bidder, trump=None, options=options)


@pytest.mark.sampled
@pytest.mark.rule("plute", "4", "makes its printed suit trump", "With `declare_off_jack_lead` (H6)")
@pytest.mark.parametrize("card", [card for card in PACK if card not in JOKERS])
def test_a_suit_card_led_first_makes_its_printed_suit_trump(card):
    events, state = builders.act(leading(card), 2, Play(card))
    assert events == [CardPlayed(2, card), TrumpNamed(2, card[-1])]
    assert plute.project(state, None).trump == card[-1]


OFF_JACK = {"declare_off_jack_lead": True}
LATER = {"trump": "S", "tricks": [(2, "2:3S 3:4S")]}


@pytest.mark.rule(
    "plute", "4", "any of the four suits in `trump`", "Every other card is played without",
    "The bidder leads to the first trick", "makes its printed suit trump", "With `declare_off_jack_lead` (H6)",
)  # fmt: skip
@pytest.mark.parametrize(
    ("held", "parts", "declarable"),
    [
        ("X1 AS", {}, {"X1": "SHDC"}),
        ("X2 JS", {}, {"X2": "SHDC"}),
        ("AS QC 10H X1 JS JC", {"options": OFF_JACK}, {"X1": "SHDC", "JS": "C", "JC": "S"}),
        ("JH JD", {"options": OFF_JACK}, {"JH": "D", "JD": "H"}),
        ("X1 2S", LATER, {}),
        ("X1 JS", LATER | {"options": OFF_JACK}, {}),
    ],
)
def test_a_joker_led_first_declares_any_suit_and_by_the_option_a_jack_the_off_jacks(held, parts, declarable):
    state = builders.state("play", held=["", "", held], bidder=2, **{"trump": None} | parts)
    first = state.table.trump is None
    plain = [] if first else ["X1"]
    expected = {
        Play(card, suit)
        for card in held.split()
        for suit in (*declarable.get(card, ""), *([None] if card not in JOKERS or card in plain else []))
    }
    assert (builders.to_act(state), {*builders.legal(state)}) == (2, expected)
    assert builders.refusal(state, 0, Play("AS")) == "not-your-turn"
    for card in held.split():
        for suit in {*FOUR, None} - {each.trump for each in expected if each.card == card}:
            wrong = "trump-not-declared" if suit is None else "names-its-own-suit" if first else "trump-is-named"
            assert builders.refusal(state, 2, Play(card, suit)) == wrong
    for play in [each for each in expected if each.trump is not None]:
        events, declared = builders.act(state, 2, play)
        named = [JokerNamed(2, play.card, "high")] if play.card in JOKERS else []
        assert events == [CardPlayed(2, play.card), TrumpNamed(2, play.trump), *named]
        assert declared.table.trump == play.trump


@pytest.mark.rule("plute", "4", "The first lead is therefore always a trump")
def test_the_first_trick_is_a_trump_lead_whatever_led_it():
    for card, suit in (("X1", "H"), ("KH", None)):
        _, state = builders.act(leading(card), 2, Play(card, suit))
        state = builders.replaced_hand(state, 3, "2H JD AC")
        assert {action.card for action in builders.legal(state)} == {"2H", "JD"}


@pytest.mark.rule("plute", "2", "the high joker from then on")
def test_the_joker_played_first_in_the_hand_is_the_high_one_wherever_it_falls():
    state = builders.state("play", held=["3H", "X2", "X1"], trick="5:4S", bidder=5)
    _, state = builders.act(state, 0, Play("3H"))
    assert plute.project(state, 1).jokers == JokersView(None, None)
    events, state = builders.act(state, 1, Play("X2"))
    assert events == [CardPlayed(1, "X2"), JokerNamed(1, "X2", "high")]
    assert plute.project(state, None).jokers == JokersView("X2", None)
    events, state = builders.act(state, 2, Play("X1"))
    assert events == [CardPlayed(2, "X1"), JokerNamed(2, "X1", "low")]
    assert plute.project(state, None).jokers == JokersView("X2", "X1")


@pytest.mark.rule("plute", "2", "the high joker from then on", "`X1` is always high")
@pytest.mark.parametrize("jokers", ["X1 X2", "X2 X1"])
@pytest.mark.parametrize(("order", "winner"), [("first_played_high", 0), ("marked", None)])
def test_of_two_jokers_in_one_trick_the_high_one_wins(jokers, order, winner):
    first, second = jokers.split()
    options = {"joker_order": order}
    trick = "2:3H 3:4H 4:5H 5:6H"
    state = builders.state("play", held=[first, second], trick=trick, bidder=2, options=options)
    _, state = builders.act(state, 0, Play(first))
    events, _ = builders.act(state, 1, Play(second))
    high = winner if winner is not None else jokers.split().index("X1")
    assert builders.first(events, TrickWon).winner == high


@pytest.mark.rule("plute", "2", "`X1` is always high")
def test_marked_jokers_have_their_names_from_the_start():
    state = builders.state("play", held=["X2"], trick="5:4S", options={"joker_order": "marked"})
    assert plute.project(state, None).jokers == JokersView("X1", "X2")
    events, state = builders.act(state, 0, Play("X2"))
    assert events == [CardPlayed(0, "X2")]
    assert plute.project(state, None).jokers == JokersView("X1", "X2")
