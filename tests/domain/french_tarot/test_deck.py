"""The pack: what cards are worth, and what they count as (rules.md, cards)."""

from collections import Counter

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.french_tarot.deck import HALF_POINTS, OUDLERS, SHAPES, as_written, half_points, is_free, suits


@pytest.mark.rule(
    "french-tarot", "1", "suits / `S` spades", "ranks, high to low", "rank, then suit", "trumps, and the Excuse",
    "91 in all",
)  # fmt: skip
def test_the_pack_holds_91_points():
    assert half_points(TAROT_PACK) == 182
    assert Counter(HALF_POINTS.values()) == {9: 7, 7: 4, 5: 4, 3: 4, 1: 59}


@pytest.mark.rule("french-tarot", "1", "91 in all")
@pytest.mark.parametrize(
    ("cards", "halves"), [("T1 T21 EX", 9), ("RS RH RD RC", 9), ("DS", 7), ("CD", 5), ("VC", 3), ("10H 1S T2 T20", 1)]
)
def test_a_card_is_worth_what_the_table_says(cards, halves):
    assert {HALF_POINTS[card] for card in cards.split()} == {halves}


@pytest.mark.rule("french-tarot", "1", "counts halves (83 is 41.5)")
@pytest.mark.parametrize(("halves", "written"), [(0, "0"), (1, "0.5"), (83, "41.5"), (182, "91"), (-1, "-0.5")])
def test_half_points_are_written_as_decimals(halves, written):
    assert as_written(halves) == written


@pytest.mark.rule("french-tarot", "1", "The Excuse is not a trump")
def test_the_excuse_counts_as_no_suit_and_a_petit_imprenable_neither():
    usual, imprenable = suits(imprenable=False), suits(imprenable=True)
    assert [card for card in TAROT_PACK if usual[card] is None] == ["EX"]
    assert [card for card in TAROT_PACK if imprenable[card] is None] == ["T1", "EX"]
    assert [card for card in TAROT_PACK if usual[card] == "T"] == [f"T{n}" for n in range(1, 22)]
    assert (usual["10S"], usual["RC"]) == ("S", "C")


def test_a_free_card_is_not_a_king_a_trump_or_the_excuse():
    assert len([card for card in TAROT_PACK if is_free(card)]) == 56 - 4
    assert not [card for card in (*OUDLERS, "T5", "RD") if is_free(card)]


@pytest.mark.rule(
    "french-tarot", "1", "suits / `S` spades", "ranks, high to low", "rank, then suit", "trumps, and the Excuse"
)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_card_is_dealt(players):
    assert players * SHAPES[players].hand + SHAPES[players].chien == 78
