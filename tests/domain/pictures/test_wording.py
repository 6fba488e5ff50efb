"""Wording: cards in codes, signs and words, seats by number or by name."""

import pytest

from domain.pictures.shown import Shown
from domain.pictures.wording import DRAWN, PRINTED, WRITTEN, with_sign, wording
from domain.sentences.message import AtSeat, Card, Items, Score, message

PACKAGE = "domain.french_tarot"


@pytest.mark.parametrize(
    ("code", "sign", "words"),
    [("RH", "R♥\ufe0e", "king of hearts"), ("10S", "10♠\ufe0e", "10 of spades"), ("CC", "C♣\ufe0e", "knight of clubs"),
     ("QD", "Q♦\ufe0e", "queen of diamonds"), ("T21", "T21", "trump 21"), ("EX", "EX", "the Excuse"),
     ("#4", "#4", "#4")],
)  # fmt: skip
def test_a_card_has_a_code_a_sign_and_words(code, sign, words):
    said = message("list.one", item=Card(code))
    assert [wording(PACKAGE, style).phrase(said) for style in (WRITTEN, DRAWN)] == [code, sign]
    assert (with_sign(code), wording(PACKAGE, PRINTED).card(code)) == (sign, words)


def test_a_thing_is_named_by_its_ruleset():
    assert wording("domain.plute").card("X1") == "first joker"
    assert [wording("domain.plateau").card(kind) for kind in ("A", "TW", "hidden")] == [
        "Ace",
        "Twister",
        "a hidden piece",
    ]


def test_scores_and_lists_are_worded_for_a_terminal_or_as_in_a_sentence():
    said = message("scene.scored", scores=Items((Score(3), Score(0), Score(-2))))
    assert wording(PACKAGE).sentence(said) == "It scored, by seat: +3 0 -2"
    assert wording(PACKAGE, PRINTED).sentence(said) == "It scored, by seat: +3, 0 and \N{MINUS SIGN}2"
    cards = message("list.one", item=Items((Card("RH"), Card("T2"))))
    assert wording(PACKAGE).phrase(cards) == "RH T2"
    assert wording(PACKAGE, PRINTED).phrase(cards) == "the king of hearts and trump 2"


def test_a_name_stands_for_its_seat_and_keeps_its_direction_and_its_first_letter():
    for style in (DRAWN, PRINTED):
        said = wording(PACKAGE, style, Shown({2: "ada"}))
        assert [said.seat(1), said.seat(2)] == ["seat 2", "\u2068ada\u2069"]
        assert [said.name(1), said.name(2)] == ["", "\u2068ada\u2069"]
        assert said.sentence(message("scene.turn.play", seat=AtSeat(1))) == "Seat 2 is to play"
        assert said.sentence(message("scene.turn.play", seat=AtSeat(2))) == "\u2068ada\u2069 is to play"
