"""Chien and écart: who sees what, and what can be laid aside (rules.md, chien and écart).

An écart can be taken back as long as it has disclosed nothing (rules.md, chien and écart).
"""

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Bid, Discard, NoSlam, Pass
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
