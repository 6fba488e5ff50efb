"""The bot greedy for French Tarot plays as people who know the game expect."""

import pytest

from workers.bots.chances import SURE
from workers.bots.french_tarot import announcing, contracts, ecart
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot.knowledge import Known
from workers.bots.french_tarot.playing import value_of


def known(hand, trick=(), *, seat=0, taker=1, allies=(2, 3), unseen=None):
    """Return what a defender of four knows, to whom any unseen card can be anywhere."""
    mine, table = c.mask_of(hand.split()), tuple((seat, c.NUMBER[card]) for seat, card in trick)
    out = c.PACK & ~mine & ~sum(1 << number for _, number in table) if unseen is None else c.mask_of(unseen.split())
    others = tuple((seat + turn) % 4 for turn in (1, 2, 3))
    return Known(
        seat=seat,
        taker=taker,
        is_attack=taker == seat,
        hand=mine,
        unseen=out,
        may=[0 if each == seat else out for each in range(4)],
        surely=[0] * 4,
        miss=[SURE * 2 // 3] * 4,
        ally=[SURE if each == seat or each in allies else 0 for each in range(4)],
        trick=table,
        after=others[: 3 - len(table)],
        others=others,
        loose=1 << c.EXCUSE,
        completes_slam=False,
    )


def best(known, *cards):
    """Return the best of these cards to play."""
    return max(cards, key=lambda card: value_of(known, c.NUMBER[card]))


def test_it_gives_points_to_a_sure_winner_of_its_own_side_only():
    hand = "DS 2S 3H"
    assert best(known(hand, ((1, "5S"), (2, "RS"), (3, "6S"))), "DS", "2S") == "DS"
    assert best(known(hand, ((1, "RS"), (2, "5S"), (3, "6S"))), "DS", "2S") == "2S"


def test_it_takes_a_trick_with_the_lowest_card_that_does():
    assert best(known("T12 T15 T19 3H", ((1, "5S"), (2, "4S"), (3, "T9"))), "T12", "T15", "T19") == "T12"


def test_it_saves_the_petit_when_nobody_can_take_it_and_not_when_somebody_can():
    hand = "T1 T9 3H 4H"
    assert best(known(hand, ((1, "5S"), (2, "4S"), (3, "6S"))), "T1", "T9") == "T1"
    in_danger = known(hand, ((3, "5S"),), allies=(3,), unseen="T2 T4 T5 T10 T12 T15 T20 3C 4C")
    assert best(in_danger, "T1", "T9") == "T9"
    assert best(known(hand, ((3, "4S"), (1, "T12"), (2, "6S"))), "T1", "T9") == "T9"


def test_it_keeps_the_petit_for_the_last_trick_once_all_other_trumps_are_out():
    assert best(known("T1 T5", unseen="3H 4H 5H 6H 7H 8H"), "T1", "T5") == "T5"


def test_it_takes_the_petit():
    assert best(known("T8 T20 3H 4H", ((2, "5S"), (3, "9S"), (1, "T1"))), "T8", "T20") == "T8"


def test_it_plays_the_excuse_before_the_last_trick():
    assert best(known("EX RS", ((1, "5S"), (2, "4S"), (3, "6S"))), "EX", "RS") == "EX"
    assert best(known("EX 2S 3S 4S 5S 6S", ((1, "RS"), (2, "7S"), (3, "8S"))), "EX", "2S") == "2S"


def test_hands_count_as_the_books_count_them():
    assert contracts.points_of(c.mask_of(["T21", "EX", "T1", "T2", "T3"])) == 10 + 8 + 4 * 2 + 2 + 5 + 4 * 6
    assert contracts.points_of(c.mask_of(["RS", "DS", "CS", "VS", "5S"])) == 10 + 2 + 1 + 5 + 3 * 6


@pytest.mark.parametrize("players", [3, 4, 5])
def test_more_points_bid_higher(players):
    def best_contract(points):
        worth = {name: contracts.worth_of(players, name, points) for name in contracts.EXPECTED[players]}
        name = max(worth, key=worth.__getitem__)
        return name if worth[name] > 0 else "pass"

    bids = list(dict.fromkeys(best_contract(points) for points in range(10, 120)))
    assert bids[0] == "pass"
    assert bids[1:] == sorted(bids[1:], key=list(contracts.EXPECTED[players]).index)
    assert bids[-1] == "garde_contre"


def test_the_ecart_empties_short_suits_and_keeps_kings_with_their_queens():
    hand = "RS DS 9S 8S 2S 3H 7H DC RD 9D 8D 7D 6D 5D T3 T9 T12 T14 T15 T17 T18 T19 T20 T21"
    aside = c.cards_of(ecart.chosen(c.mask_of(hand.split()), 6))
    assert {"3H", "7H", "DC"} <= {*aside}
    assert not {"RS", "DS", "RD"} & {*aside}
    assert len(aside) == 6


def test_the_ecart_has_trumps_only_if_there_is_no_other_way():
    hand = "RS RH RD RC 2S 3S T1 T2 T3 T21 EX"
    assert c.cards_of(ecart.chosen(c.mask_of(hand.split()), 3)) == ("2S", "3S", "T2")


def test_a_called_king_is_of_a_long_suit_with_the_queen():
    hand = c.mask_of(["DS", "9S", "8S", "2S", "3H", "RD", "9D", "8D", "7D", "6D"])
    assert max(("RS", "RH", "RD", "RC"), key=lambda card: contracts.worth_of_call(hand, card)) == "RS"


def test_only_hands_without_losers_announce_a_slam():
    certain = c.mask_of([*(f"T{n}" for n in range(8, 22)), "EX", "RS", "DS", "RH"])
    assert announcing.losers(certain, 3) == 0
    assert announcing.losers(certain & ~c.mask_of(["DS"]) | c.mask_of(["VS"]), 3) == 1


def test_a_poignee_hides_the_petit_and_the_highest_trumps():
    sizes = (10, 13, 15)
    eleven = [f"T{n}" for n in range(1, 12)]
    assert announcing.poignee(c.mask_of(eleven), 0, sizes) == tuple(f"T{n}" for n in range(2, 12))
    assert announcing.poignee(c.mask_of(eleven[:10]), 0, sizes) == tuple(f"T{n}" for n in range(1, 11))
    assert announcing.poignee(c.mask_of([*eleven[:9], "EX"]), 0, sizes)[-1] == "EX"
    assert announcing.poignee(c.mask_of(eleven[:9]), 0, sizes) == ()
