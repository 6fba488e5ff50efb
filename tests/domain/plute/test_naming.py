"""Naming trump by the first lead, and the jokers by playing them (rules.md, trump and the first lead; cards)."""

import pytest

from domain.plute import RULESET as plute
from domain.plute.actions import Play
from domain.plute.deck import JOKERS, PACK
from domain.plute.events import CardPlayed, JokerNamed, TrickWon, TrumpNamed
from domain.plute.view import JokersView
from tests.domain.plute import builders

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
