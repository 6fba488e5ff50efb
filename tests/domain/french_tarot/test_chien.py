"""Chien and écart: who sees what, and what can be laid aside (rules.md, chien and écart)."""

from itertools import combinations
from math import comb

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Bid, Discard, Pass, Play
from domain.french_tarot.view import ChienView, EcartView
from tests.domain.french_tarot import builders

KINGS = "RS RH RD RC"
PIPS = [f"{pip}{suit}" for suit in "SHDC" for pip in range(1, 11)]


def discarding(hand, players=4, **parts):
    """Return a state in which the taker, seat 0, holds a hand with the chien in it."""
    return builders.state(
        players, "discard", held=[hand, *[""] * (players - 1)], contract="garde", turned=True, **parts
    )


def lay_aside(hand, cards, players=4):
    return builders.refusal(discarding(hand, players), 0, Discard(tuple(cards.split())))


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


@pytest.mark.rule("french-tarot", "6", "A king or an oudler cannot be laid aside", "A trump can be laid aside only if")
@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("1S 2S 3S 4S 5S 6S", None),
        ("6S 5S 4S 3S 2S 1S", None),
        ("1S 2S 3S 4S 5S", "wrong-number-of-cards"),
        ("1S 2S 3S 4S 5S 6S DS", "wrong-number-of-cards"),
        ("1S 2S 3S 4S 5S 5S", "wrong-number-of-cards"),
        ("1S 2S 3S 4S 5S 9H", "card-not-held"),
        ("1S 2S 3S 4S 5S RS", "king-in-ecart"),
        ("1S 2S 3S 4S 5S T1", "oudler-in-ecart"),
        ("1S 2S 3S 4S 5S T21", "oudler-in-ecart"),
        ("1S 2S 3S 4S 5S EX", "oudler-in-ecart"),
        ("1S 2S 3S 4S 5S T9", "trump-in-ecart"),
    ],
)
def test_kings_oudlers_and_trumps_stay_in_the_hand(cards, code):
    assert lay_aside("1S 2S 3S 4S 5S 6S DS RS T1 T9 T21 EX", cards) == code


@pytest.mark.rule("french-tarot", "6", "the chien is turned up for all to see", "lays aside as many cards, face down")
def test_queens_and_cards_of_the_chien_can_be_laid_aside():
    assert lay_aside("DS CS VS DH CH VH 1S", "DS CS VS DH CH VH") is None


@pytest.mark.rule("french-tarot", "6", "A king or an oudler cannot be laid aside", "A trump can be laid aside only if")
def test_trumps_are_laid_aside_where_there_is_no_other_way_and_only_as_many_as_must_be():
    hand = f"1S 2S 3S 4S {KINGS} T1 T2 T3 T4 T21 EX"
    assert lay_aside(hand, "1S 2S 3S 4S T2 T3") is None
    assert lay_aside(hand, "1S 2S 3S T2 T3 T4") == "trump-in-ecart"
    assert lay_aside(hand, "1S 2S 3S 4S T1 T2") == "oudler-in-ecart"


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


@pytest.mark.rule("french-tarot", "6", "Trumps laid aside are shown")
def test_an_ecart_without_trumps_shows_nothing():
    events, state = builders.act(discarding("1S 2S 3S 4S 5S 6S T2"), 0, Discard(("1S", "2S", "3S", "4S", "5S", "6S")))
    assert builders.of_kind(events, builders.ev.TrumpsShown) == []
    assert french_tarot.project(state, 1).ecart == EcartView(6, None, ())


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("hand", "players", "count"),
    [
        (" ".join(PIPS[:24]), 4, comb(24, 6)),
        (f"{' '.join(PIPS[:8])} {KINGS} T1 EX", 4, comb(8, 6)),
        (f"1S 2S 3S 4S {KINGS} T1 T2 T3 T4 T21 EX", 4, comb(3, 2)),
        (f"1S 2S 3S 4S 5S 6S {KINGS} T1 T2", 4, 1),
        (f"{KINGS} T1 T21 EX T2 T3 T4 T5", 5, comb(4, 3)),
        (" ".join(PIPS[:18]), 5, comb(18, 3)),
    ],
)
def test_every_ecart_is_listed_once_and_their_number_is_known_before(hand, players, count):
    actions = french_tarot.legal_actions(discarding(hand, players), 0)
    assert len(actions) == len(set(actions)) == count
    assert list(actions) == [actions[number] for number in range(count)]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_is_listed_is_what_is_accepted(players):
    """Tries every set of three cards as an écart of five players, from a hand with something of everything."""
    hand = f"1S 2S {KINGS} T1 T2 T3 T21 EX" if players < 5 else f"1S {KINGS} T1 T2 T3 T21 EX 9C"
    state = discarding(hand, players)
    listed = {frozenset(action.cards) for action in builders.legal(state)}
    size = 3 if players == 5 else 6
    accepted = {
        frozenset(cards)
        for cards in combinations(hand.split(), size)
        if builders.refusal(state, 0, Discard(cards)) is None
    }
    assert listed == accepted


def test_until_the_ecart_is_made_only_the_taker_acts_and_only_lays_aside():
    state = discarding("1S 2S 3S 4S 5S 6S T2")
    assert builders.refusal(state, 0, Play("1S")) == "wrong-phase"
    assert builders.refusal(state, 1, Discard(())) == "not-your-turn"
