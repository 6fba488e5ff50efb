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


@pytest.mark.rule("plute", "4", "makes its printed suit trump", "With `declare_off_jack_lead` (H6)")
@pytest.mark.parametrize("card", [card for card in PACK if card not in JOKERS])
def test_a_suit_card_led_first_makes_its_printed_suit_trump(card):
    events, state = builders.act(leading(card), 2, Play(card))
    assert events == [CardPlayed(2, card), TrumpNamed(2, card[-1])]
    assert plute.project(state, None).trump == card[-1]


@pytest.mark.rule("plute", "4", "any of the four suits in `trump`")
@pytest.mark.parametrize("joker", JOKERS)
@pytest.mark.parametrize("suit", FOUR)
def test_a_joker_led_first_declares_any_suit_held_or_not(joker, suit):
    state = leading(f"{joker} AS")
    assert [action for action in builders.legal(state) if action.card == joker] == [Play(joker, each) for each in FOUR]
    events, state = builders.act(state, 2, Play(joker, suit))
    assert events == [CardPlayed(2, joker), TrumpNamed(2, suit), JokerNamed(2, joker, "high")]
    assert state.table.trump == suit


@pytest.mark.rule("plute", "4", "any of the four suits in `trump`")
def test_a_joker_cannot_lead_first_without_a_declaration():
    assert builders.refusal(leading("X1 AS"), 2, Play("X1")) == "trump-not-declared"


@pytest.mark.rule("plute", "4", "Every other card is played without")
@pytest.mark.parametrize("suit", FOUR)
def test_a_card_that_names_its_own_suit_declares_none(suit):
    assert builders.refusal(leading("X1 AS"), 2, Play("AS", suit)) == "names-its-own-suit"
    assert builders.refusal(leading("JS"), 2, Play("JS", suit)) == "names-its-own-suit"


@pytest.mark.rule("plute", "4", "Every other card is played without")
def test_after_the_first_lead_nothing_is_declared():
    later = builders.state("play", held=["X1 2S"], tricks=[(0, "0:3S 1:4S")])
    assert builders.refusal(later, 0, Play("X1", "S")) == "trump-is-named"
    assert builders.refusal(later, 0, Play("2S", "S")) == "trump-is-named"
    assert builders.legal(later) == [Play("2S"), Play("X1")]
    following = builders.state("play", held=["", "X1"], trick="0:3S")
    assert builders.refusal(following, 1, Play("X1", "H")) == "trump-is-named"


@pytest.mark.rule("plute", "4", "The bidder leads to the first trick")
def test_only_the_bidder_leads_first():
    state = leading("AS", bidder=4)
    assert builders.to_act(state) == 4
    assert builders.refusal(state, 0, Play("AS")) == "not-your-turn"


@pytest.mark.rule("plute", "4", "The first lead is therefore always a trump")
def test_the_first_trick_is_a_trump_lead_whatever_led_it():
    for card, suit in (("X1", "H"), ("KH", None)):
        _, state = builders.act(leading(card), 2, Play(card, suit))
        state = builders.replaced_hand(state, 3, "2H JD AC")
        assert {action.card for action in builders.legal(state)} == {"2H", "JD"}


@pytest.mark.rule("plute", "4", "makes its printed suit trump", "With `declare_off_jack_lead` (H6)")
@pytest.mark.parametrize(("jack", "other"), [("JS", "C"), ("JC", "S"), ("JH", "D"), ("JD", "H")])
def test_a_jack_may_be_declared_the_off_jack_by_the_option(jack, other):
    state = leading(jack, declare_off_jack_lead=True)
    assert builders.legal(state) == [Play(jack), Play(jack, other)]
    _, plain = builders.act(state, 2, Play(jack))
    assert plain.table.trump == jack[-1]
    _, declared = builders.act(state, 2, Play(jack, other))
    assert declared.table.trump == other
    for suit in set(FOUR) - {other}:
        assert builders.refusal(state, 2, Play(jack, suit)) == "names-its-own-suit"


@pytest.mark.rule("plute", "4", "makes its printed suit trump", "With `declare_off_jack_lead` (H6)")
def test_no_other_card_declares_anything_by_that_option():
    state = leading("AS QC 10H X1", declare_off_jack_lead=True)
    assert builders.legal(state) == [Play("AS"), Play("10H"), Play("QC"), *(Play("X1", suit) for suit in FOUR)]


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
def test_marked_jokers_have_their_names_from_the_start_and_are_not_named_by_playing():
    state = builders.state("play", held=["X2"], trick="5:4S", options={"joker_order": "marked"})
    assert plute.project(state, None).jokers == JokersView("X1", "X2")
    events, state = builders.act(state, 0, Play("X2"))
    assert events == [CardPlayed(0, "X2")]
    assert plute.project(state, None).jokers == JokersView("X1", "X2")
