"""Decks and deals (rules of 16 June 2023, sections Cards, Deal; printed tables by number of players)."""

import pytest

from domain.cardplay.cards import TAROT_PACK, in_deck_order
from domain.chance import Chance
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau import events as ev
from domain.le_plateau.board import standard_tokens
from domain.le_plateau.deck import STRENGTH, SUIT_OF, shape_for
from tests.domain.le_plateau import reference_rules
from tests.domain.le_plateau.reference_rules import words

# players, deck, edition: cards in the deck, in a hand, piles a player, in the talon, tricks, and what is removed
TABLE = {
    (2, "standard", "2023"): (34, 6, 5, 2, 16, "1-9 of S H D C, T8-T15"),
    (3, "standard", "2023"): (42, 13, 0, 3, 13, "1-9 of S H D C"),
    (4, "standard", "2023"): (55, 13, 0, 3, 13, "1-6 of H D C, 1-5 of S"),
    (5, "standard", "2023"): (68, 13, 0, 3, 13, "1-3 of H D, 1-2 of S C"),
    (6, "standard", "2023"): (78, 12, 0, 6, 13, ""),
    (2, "standard", "2022"): (34, 6, 5, 2, 16, "1-9 of S H D C, T8-T15"),
    (3, "standard", "2022"): (42, 13, 0, 3, 13, "1-9 of S H D C"),
    (4, "standard", "2022"): (55, 13, 0, 3, 13, "1-6 of H D C, 1-5 of S"),
    (5, "standard", "2022"): (68, 13, 0, 3, 13, "1-3 of H D, 1-2 of S C"),
    (6, "standard", "2022"): (78, 13, 0, 0, 13, ""),
    (3, "full", "2023"): (54, 17, 0, 3, 17, "1-6 of S H D C"),
    (4, "full", "2023"): (78, 18, 0, 6, 18, ""),
    (5, "full", "2023"): (78, 15, 0, 3, 15, ""),
    (3, "full", "2022"): (54, 17, 0, 3, 17, "1-6 of S H D C"),
    (4, "full", "2022"): (78, 18, 0, 6, 18, ""),
    (5, "full", "2022"): (78, 15, 0, 3, 15, ""),
}
every_row = pytest.mark.parametrize(("seats", "deck", "edition"), TABLE)
seats_of_a_table = pytest.mark.parametrize("seats", range(2, 7))


def removed(row):
    """Read what a row of the table above removes."""
    cards = set()
    for part in filter(None, row[-1].split(", ")):
        pips, _, suits = part.partition(" of ")
        low, high = (int(end.removeprefix("T")) for end in pips.split("-"))
        cards |= {f"{n}{suit}" if suits else f"T{n}" for n in range(low, high + 1) for suit in suits.split() or [""]}
    return cards


@pytest.mark.rule("le-plateau", "1", "suits / `S` spades", "ranks, high to low", "rank, then suit")
def test_the_pack_is_s_h_d_c_each_1_to_roi_then_the_trumps_then_the_excuse():
    assert len(TAROT_PACK) == len(set(TAROT_PACK)) == 78
    assert TAROT_PACK[:14] == tuple(words("1S 2S 3S 4S 5S 6S 7S 8S 9S 10S VS CS DS RS"))
    assert [card[-1] for card in TAROT_PACK[:56:14]] == ["S", "H", "D", "C"]
    assert TAROT_PACK[56:] == (*(f"T{n}" for n in range(1, 22)), "EX")


@pytest.mark.rule("le-plateau", "1", "the card's own code")
@pytest.mark.rule(
    "le-plateau", "3", "2 / 1–9 of every suit", "3 / 1–9 of every suit", "4 / 1–6 of H, C, D", "5 / 1–3 of H, D",
    "6 / nothing", "6, edition 2022", "3, full deck", "4, full deck", "5, full deck",
)  # fmt: skip
@every_row
def test_the_deck_and_the_deal_are_those_of_the_table(seats, deck, edition):
    row, shape = TABLE[seats, deck, edition], shape_for(seats, deck, edition)
    gone = removed(row)
    assert shape.deck == tuple(card for card in TAROT_PACK if card not in gone)
    assert (len(shape.deck), shape.hand, shape.piles, shape.talon, shape.tricks) == row[:-1]
    assert len(shape.deck) == seats * (shape.hand + 2 * shape.piles) + shape.talon
    assert {token for token in standard_tokens(seats, deck) if token[0] != "#"} <= {*shape.deck}


@pytest.mark.rule("le-plateau", "1", "trumps, and the excuse", "ranks, high to low")
@pytest.mark.parametrize(
    ("suit", "ranks"),
    [
        ("T", ["EX", *(f"T{n}" for n in range(21, 0, -1))]),
        *((suit, words("R D C V 10 9 8 7 6 5 4 3 2 1")) for suit in "SHDC"),
    ],
)
def test_a_suit_ranks_from_roi_to_1_and_the_excuse_is_the_highest_trump(suit, ranks):
    of_suit = [card for card in TAROT_PACK if SUIT_OF["trump"][card] == suit]
    ranked = sorted(of_suit, key=STRENGTH.__getitem__, reverse=True)
    assert [card if suit == "T" else card[:-1] for card in ranked] == ranks


def first_deal(seats, first_dealer=0, **options):
    chance = Chance(b"s" * 32, "gm_deal", (None,) * seats)
    start = le_plateau.setup(le_plateau.options.complete({"first_dealer": first_dealer, **options}, seats), seats)
    dealt, began = le_plateau.settle(start, chance)
    assert began == ev.PhaseBegan("bid")
    gone = removed(TABLE[seats, options.get("deck", "standard"), options.get("edition", "2023")])
    return dealt, chance.permutation("deal", 1, [card for card in TAROT_PACK if card not in gone])


@pytest.mark.sampled
@pytest.mark.rule("le-plateau", "3", "dealt in blocks, beginning with forehand", "The remaining cards are the talon")
@pytest.mark.parametrize(("seats", "deck", "edition"), [row for row in TABLE if row[0] > 2])
@pytest.mark.parametrize("dealer", [0, 2])
def test_hands_are_dealt_in_blocks_forehand_first_and_the_rest_is_the_talon(seats, deck, edition, dealer):
    dealt, shuffled = first_deal(seats, dealer, deck=deck, edition=edition)
    size = TABLE[seats, deck, edition][1]
    for turn in range(seats):
        seat = (dealer + 1 + turn) % seats
        assert dealt.hands[seat].cards == in_deck_order(shuffled[turn * size : (turn + 1) * size])
        assert (dealt.hands[seat].seat, dealt.hands[seat].count) == (seat, size)
    assert dealt.talon.cards == shuffled[seats * size :]
    assert dealt.talon.count == len(dealt.talon.cards)
    assert dealt.piles == ()
    assert (dealt.dealer, dealt.hand_number, dealt.deal_number) == (dealer, 1, 1)
    assert dealt.board == reference_rules.printed_board(seats, deck)


@pytest.mark.rule("le-plateau", "3", "the piles come first, lower card before upper, then the hands")
@pytest.mark.parametrize("dealer", [0, 1])
def test_two_players_get_piles_first_then_the_hands_then_the_talon(dealer):
    dealt, shuffled = first_deal(2, dealer)
    forehand = 1 - dealer
    for seat, cards in ((forehand, shuffled[:10]), (dealer, shuffled[10:20])):
        assert dealt.piles[seat].seat == seat
        assert [(pile.under, pile.top) for pile in dealt.piles[seat].piles] == [
            *zip(cards[::2], cards[1::2], strict=True)
        ]
    assert dealt.hands[forehand].cards == in_deck_order(shuffled[20:26])
    assert dealt.hands[dealer].cards == in_deck_order(shuffled[26:32])
    assert dealt.talon.cards == shuffled[32:]


@pytest.mark.rule("le-plateau", "3", "the first dealer is drawn at random")
@seats_of_a_table
def test_the_first_dealer_is_drawn_among_all_seats(seats):
    start = le_plateau.setup(le_plateau.options.complete({}, seats), seats)
    dealers = set()
    for number in range(60):
        chance = Chance(b"s" * 32, f"gm_{number}", (None,) * seats)
        dealers.add(le_plateau.settle(start, chance)[0].dealer)
        assert le_plateau.settle(start, chance)[0].dealer == chance.below("first_dealer", 1, seats)
    assert dealers == set(range(seats))


@pytest.mark.rule("le-plateau", "7", "it does not belong to any suit")
def test_the_french_excuse_counts_as_no_suit_and_all_other_cards_as_ever():
    assert SUIT_OF["french"]["EX"] is None
    for card in TAROT_PACK[:-1]:
        assert SUIT_OF["french"][card] == SUIT_OF["trump"][card] is not None
