"""Hands of cards."""

from domain.cardplay.cards import without


def test_one_hand_loses_cards_and_keeps_its_order():
    assert without((("RH", "1S", "T1"), ("DH",)), 0, ("1S",)) == (("RH", "T1"), ("DH",))
