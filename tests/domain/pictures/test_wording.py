"""Wording: cards in codes, signs and words, seats by number or by name."""

import pytest

from domain.pictures.shown import Shown
from domain.pictures.wording import WRITTEN, drawn, in_words, sentence, spoken, with_sign


@pytest.mark.parametrize(
    ("code", "sign", "words"),
    [("RH", "R♥\ufe0e", "king of hearts"), ("10S", "10♠\ufe0e", "10 of spades"), ("CC", "C♣\ufe0e", "knight of clubs"),
     ("QD", "Q♦\ufe0e", "queen of diamonds"), ("T21", "T21", "trump 21"), ("EX", "EX", "the Excuse"),
     ("X1", "X1", "X1"), ("#4", "#4", "#4"), ("", "", "")],
)  # fmt: skip
def test_a_card_has_a_code_a_sign_and_words(code, sign, words):
    assert (WRITTEN.card(code), with_sign(code), in_words(code)) == (code, sign, words)


def test_scores_and_lists_are_worded_for_the_eye_or_for_the_ear():
    assert [WRITTEN.score(score) for score in (3, 0, -2)] == ["+3", "0", "-2"]
    assert [spoken(Shown()).score(score) for score in (3, 0, -2)] == ["3", "0", "minus 2"]
    assert (WRITTEN.cards(["RH", "T1"]), spoken(Shown()).cards(["RH", "T1"])) == ("RH T1", "king of hearts, trump 1")


def test_a_name_stands_for_its_seat_and_keeps_its_direction_and_its_first_letter():
    for wording in (drawn(Shown({2: "ada"})), spoken(Shown({2: "ada"}))):
        assert [wording.seat(1), wording.seat(2)] == ["seat 1", "\u2068ada\u2069"]
        assert [wording.name(1), wording.name(2)] == ["", "\u2068ada\u2069"]
        assert sentence(f"{wording.seat(1)} plays") == "Seat 1 plays"
        assert sentence(f"{wording.seat(2)} plays") == "\u2068ada\u2069 plays"
