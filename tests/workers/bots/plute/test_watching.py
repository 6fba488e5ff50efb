"""What bids and cards of Plute say of others that the same seat can hold."""

from dataclasses import replace

import pytest

from domain.plute.deck import TrickCard
from domain.plute.events import ContractWon, TrickWon
from domain.plute.state import Spoken
from domain.plute.view import TrickView
from tests.support.random_games import playing
from tests.workers.bots.asking import signs_in, signs_read
from workers.bots.plute import cards as c
from workers.bots.plute import watching
from workers.bots.signs import MOST, Sign


def view_of(cards, bids=()):
    """Return what seat 0 sees when cards of a trick lie on the table, given by seats, and spades are trump."""
    game = next(step.game for step in playing("plute", 6, 1) if step.game.state and step.game.state.phase == "play")
    trick = tuple(TrickCard(seat, card) for seat, card in cards)
    contract = ContractWon(1, "odd", 5)
    view = game.ruleset.project(game.state, 0)
    return replace(view, trump="S", contract=contract, bids=bids, tricks=(), trick=TrickView(1, trick[0].seat, trick))


def shown(cards, bids=()):
    """Return the signs of the seat that played last."""
    before = [*watching.signs(view_of(cards[:-1], bids), 0)] if len(cards) > 1 else []
    found = [each for each in watching.signs(view_of(cards, bids), 0) if each not in before]
    return {(sign, " ".join(c.CARD[n] for n in c.numbers_of(of))) for seat, sign, of in found if seat == cards[-1][0]}


@pytest.mark.parametrize(
    ("cards", "signs"),
    [
        ([(1, "KH"), (2, "4H")], "PIP_BELOW: 2H 3H, WINNER_KEPT: AH"),
        ([(1, "KH"), (3, "4H")], "PIP_BELOW: 2H 3H, GIFT_KEPT: 10H JH QH KH AH"),
        ([(1, "KH"), (2, "QH")], "BELOW_A_LOSS: 2H 3H 4H 5H 6H 7H 8H 9H 10H JH"),
        ([(1, "9H"), (2, "QH")], "COURT_ABOVE: KH AH"),
        ([(1, "9H"), (2, "4D")], "PIP_BELOW_THROWN: 2D 3D"),
        (
            [(1, "9H"), (3, "4D")],
            "PIP_BELOW_THROWN: 2D 3D, COURT_NOT_THROWN: 10H JH QH KH AH 10D JD QD KD AD 10C QC KC AC",
        ),
        ([(1, "9H"), (2, "4S")], "TRUMP_BELOW: 2S 3S, PRIZE_KEPT: X1 X2"),
        ([(1, "10S"), (2, "4S")], "TRUMP_BELOW_A_LOSS: 2S 3S, PRIZE_KEPT: X1 X2, WINNING_TRUMP_KEPT: JS QS KS AS JC"),
        (
            [(1, "KS"), (3, "QS")],
            "TRUMP_BELOW_A_LOSS: 2S 3S 4S 5S 6S 7S 8S 9S 10S, PRIZE_KEPT: JS JC X1 X2, PRIZE_NOT_GIVEN: JS JC X1 X2",
        ),
        ([(1, "KS"), (3, "JC")], ""),
        ([(1, "KS"), (3, "X1")], ""),
        ([(2, "QS")], "ABOVE_TRUMP_LED: KS AS, TRUMP_BELOW_LEAD: 2S 3S 4S 5S 6S 7S 8S 9S 10S JS JC X1 X2"),
        ([(2, "JD")], "ABOVE_COURT_LED: QD KD AD, MASTER_NOT_LED: AH AC, HIGHEST_NOT_LED: AS"),
    ],
)
def test_a_card_says_what_its_player_would_rather_have_played(cards, signs):
    assert signs_in(shown(cards)) == signs_read(signs)


def test_who_has_the_contract_holds_trumps_and_who_was_outbid_high_cards():
    bids = (Spoken(0, 4), Spoken(1, 5), Spoken(2, None), Spoken(3, 4))
    found = {(seat, sign): of for seat, sign, of in watching.signs(view_of([(0, "2S")], bids), 0)}
    assert found.keys() == {
        (1, Sign.BIDDER_TRUMP), (1, Sign.BIDDER_HIGH), (1, Sign.BIDDER_ACE),
        (3, Sign.OUTBID_TRUMP), (3, Sign.OUTBID_COURT),
    }  # fmt: skip
    assert found[1, Sign.BIDDER_HIGH] == 1 << c.NUMBER["AS"]
    assert found[1, Sign.BIDDER_ACE] == c.mask_of(["AH", "AD", "AC"])
    assert found[3, Sign.OUTBID_TRUMP] == c.ORDERS[0].cards[c.TRUMP]


def test_a_dealer_who_had_to_bid_has_shown_nothing():
    passed = tuple(Spoken(seat, None) for seat in (2, 3, 4, 5, 0))
    view = view_of([(0, "2S")], (*passed, Spoken(1, 4)))
    forced = replace(view, dealer=1)
    assert not any(seat == 1 for seat, _, _ in watching.signs(forced, 0))
    for free in (replace(forced, bids=(*passed, Spoken(1, 5))), replace(forced, dealer=2)):
        assert {sign for seat, sign, _ in watching.signs(free, 0) if seat == 1} == {
            Sign.BIDDER_TRUMP, Sign.BIDDER_HIGH, Sign.BIDDER_ACE,
        }  # fmt: skip


def test_the_highest_of_a_suit_is_that_of_the_cards_that_are_left():
    view = view_of([(2, "JD")])
    gone = tuple(TrickCard(seat, card) for seat, card in enumerate(("AH", "KH", "AS", "KS", "AC", "2H")))
    view = replace(view, tricks=(TrickWon(1, 2, "even", gone),), trick=replace(view.trick, number=2))
    found = {sign: of for seat, sign, of in watching.signs(view, 0) if seat == 2}
    assert found[Sign.MASTER_NOT_LED] == c.mask_of(["QH", "KC"])
    assert found[Sign.HIGHEST_NOT_LED] == c.mask_of(["QS"])


def test_before_trump_is_named_and_by_its_own_cards_a_seat_is_shown_nothing():
    view = view_of([(1, "9H"), (0, "4H")])
    assert not any(seat == 0 for seat, _, _ in watching.signs(view, 0))
    assert not [*watching.signs(replace(view, trump=None), 0)]


def test_signs_of_one_card_add_up_to_no_more_than_the_most():
    spades = [(1, f"{pip}S") for pip in (10, 9, 8, 7, 6, 5, 4)]
    leanings = watching.leanings(view_of(spades), 0, c.mask_of(["3S", "2H"]))
    assert leanings == {(1, c.NUMBER["3S"]): -MOST}
