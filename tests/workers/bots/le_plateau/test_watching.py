"""What auction, exchange and play of Le Plateau say of unseen cards."""

from dataclasses import replace
from functools import cache

import pytest

from domain.cardplay.tricks import TrickCard
from domain.le_plateau.events import TrickWon
from domain.le_plateau.inference import DISCARD
from domain.le_plateau.state import Spoken
from domain.le_plateau.view import DiscardView, TrickView
from tests.support.random_games import playing
from tests.workers.bots.asking import signs_in, signs_read
from workers.bots.le_plateau import watching
from workers.bots.le_plateau.loader import FIRST_TRUMP, cards_of
from workers.bots.signs import Sign

DECLARER, ME, PARTNER, OTHER = range(4)
LOW_TRUMPS = "T1 T2 T3 T4 T5 T6"


@cache
def begun():
    """Return what a seat sees at the beginning of a play, four players, with the talon taken and laid aside."""
    steps = (step.game for seed in range(9) for step in playing("le-plateau", 4, seed) if step.game.state)
    game = next(game for game in steps if game.state.phase == "play" and game.state.hand.discard)
    return game.options, game.ruleset.project(game.state, ME)


def view_of(*tricks, bidders=(DECLARER,)):
    """Return the view with these tricks, given as ``5S`` by the seat 0: ``5S.0``; the last one lies on the table."""
    _, view = begun()
    contract = replace(view.contract, declarer=DECLARER, partners=(PARTNER,), exchanger=DECLARER, exchange=True)
    bid = {"objective": "bridge", "team": "duo", "exchange": True}
    cards = [tuple(TrickCard(int(each[-1]), each[:-2]) for each in trick.split()) for trick in tricks or ("",)]
    return replace(
        view,
        phase="play",
        contract=contract,
        bids=tuple(Spoken(seat, bid if seat in bidders else None, None) for seat in (ME, PARTNER, OTHER, DECLARER)),
        tricks=tuple(TrickWon(number, won[0].seat, won) for number, won in enumerate(cards[:-1], 1)),
        trick=TrickView(len(cards), cards[-1][0].seat if cards[-1] else DECLARER, cards[-1]),
        discard=DiscardView(3, None),
    )


def listed(view, options=None):
    """List the signs of a view, with the cards by name."""
    for place, sign, of in watching.signs(options or begun()[0], view, ME):
        names = cards_of(of & (1 << FIRST_TRUMP) - 1, of >> FIRST_TRUMP)
        yield place, sign, " ".join(names)


def shown(trick):
    """Return the signs of the seat that played last."""
    *before, last = trick.split()
    earlier = [*listed(view_of(" ".join(before)))]
    found = [each for each in listed(view_of(trick)) if each not in earlier]
    return {(sign, cards) for place, sign, cards in found if place == ("held", int(last[-1]), 0) and cards}


@pytest.mark.parametrize(
    ("trick", "signs"),
    [
        ("RS.1 9S.0", "PIP_BELOW: 1S 2S 3S 4S 5S 6S 7S 8S"),
        ("CS.1 9S.0", "PIP_BELOW: 1S 2S 3S 4S 5S 6S 7S 8S, WINNER_KEPT: DS RS"),
        ("CS.1 9S.3", "PIP_BELOW: 1S 2S 3S 4S 5S 6S 7S 8S, GIFT_KEPT: VS CS DS RS"),
        ("CS.0 2S.2", "PIP_BELOW: 1S, GIFT_KEPT: VS CS DS RS"),
        ("CS.0 DS.3", "COURT_ABOVE: RS"),
        ("DS.0 VS.3", "BELOW_A_LOSS: 1S 2S 3S 4S 5S 6S 7S 8S 9S 10S"),
        ("DS.0 T8.3", "TRUMP_BELOW: T7, PRIZE_KEPT: T1 T2 T3 T4 T5 T6"),
        ("DS.0 T3.3", ""),
        ("T20.0 T8.3", "TRUMP_BELOW_A_LOSS: T7, PRIZE_KEPT: T1 T2 T3 T4 T5 T6, WINNING_TRUMP_KEPT: T21 EX"),
        ("EX.0 T8.2", "TRUMP_BELOW_A_LOSS: T7, PRIZE_KEPT: T1 T2 T3 T4 T5 T6, PRIZE_NOT_GIVEN: T1 T2 T3 T4 T5 T6"),
        ("RS.0 3H.3", "PIP_BELOW_THROWN: 1H 2H"),
        (
            "3H.3",
            "COURT_NOT_LED: VH CH DH RH, PIP_BELOW_LEAD: 1H 2H, PIP_ABOVE_LEAD: 4H 5H 6H 7H 8H 9H 10H, "
            "MASTER_NOT_LED: RS RD RC, HIGHEST_NOT_LED: EX",
        ),
        (
            "T20.3",
            "ABOVE_TRUMP_LED: T21 EX, "
            "TRUMP_BELOW_LEAD: T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19",
        ),
        ("RS.0 9S.1", ""),
    ],
)
def test_a_card_says_what_its_player_would_rather_have_played(trick, signs):
    assert signs_in(shown(trick)) == signs_read(signs)


def test_the_declarer_holds_trumps_and_few_pips_and_so_does_who_was_outbid():
    high = "T17 T18 T19 T20 T21 EX"
    found = {(place, sign): cards for place, sign, cards in listed(view_of(bidders=(DECLARER, OTHER)))}
    assert found.keys() == {
        (("held", DECLARER, 0), Sign.BIDDER_TRUMP),
        (("held", DECLARER, 0), Sign.BIDDER_HIGH),
        (("held", DECLARER, 0), Sign.BIDDER_PIP),
        (("held", OTHER, 0), Sign.OUTBID_TRUMP),
        (("held", PARTNER, 0), Sign.PASSED_HIGH),
        (DISCARD, Sign.COURT_ASIDE),
        (DISCARD, Sign.TRUMP_ASIDE),
    }
    assert found[("held", DECLARER, 0), Sign.BIDDER_HIGH] == found[("held", PARTNER, 0), Sign.PASSED_HIGH] == high
    assert len(found[("held", DECLARER, 0), Sign.BIDDER_PIP].split()) == 40
    assert len(found[("held", OTHER, 0), Sign.OUTBID_TRUMP].split()) == 22


def test_who_abdicates_has_bid_nonetheless():
    view = view_of()
    abdicated = replace(view, contract=replace(view.contract, declarer=PARTNER, partners=(DECLARER,)))
    assert [*listed(abdicated)] == [*listed(view)]


def test_what_lies_aside_is_of_suits_that_its_player_lacks():
    view = view_of("9S.1 8S.2 7S.3 T8.0", "2H.0 3H.1 4H.2 5H.3", "")
    spades = " ".join(f"{rank}S" for rank in (*range(1, 11), *"VCDR"))
    assert [(place, of) for place, sign, of in listed(view) if sign == Sign.SUIT_LACKED] == [(DISCARD, spades)]
    own = replace(view, discard=DiscardView(3, ("1S", "2S", "3S")))
    without_exchange = replace(view, discard=DiscardView(0, None))
    for each in (own, without_exchange):
        assert not any(place == DISCARD for place, _, _ in listed(each))


def test_suits_that_others_lack_say_nothing_of_what_lies_aside():
    view = view_of("9S.1 8S.2 2H.3 7S.0", "T9.1 T8.2 T7.3 2D.0", "")
    assert not any(sign == Sign.SUIT_LACKED for _, sign, _ in listed(view))


def test_the_highest_of_a_suit_is_that_of_the_cards_that_are_left():
    found = {sign: cards for _, sign, cards in listed(view_of("RH.1 2H.2 EX.3 3H.0", "T21.1 T2.2 T1.3 T7.0", "DS.2"))}
    assert found[Sign.MASTER_NOT_LED] == "DH RD RC"
    assert found[Sign.HIGHEST_NOT_LED] == "T20"


def test_low_trumps_are_prizes_only_if_the_board_has_their_spaces():
    view = view_of("DS.0 T8.3")
    of_two = replace(view.board, tokens=tuple(token for token in view.board.tokens if token not in ("T4", "T5", "T6")))
    found = {sign: cards for _, sign, cards in listed(replace(view, board=of_two))}
    assert found[Sign.PRIZE_KEPT] == "T1 T2 T3"
    assert found[Sign.TRUMP_BELOW] == "T4 T5 T6 T7"


def test_an_excuse_of_no_suit_is_no_sign():
    french = replace(begun()[0], excuse="french")
    assert [*listed(view_of("RS.0 EX.2 9S.3"), french)] == [*listed(view_of("RS.0 9S.3"), french)]
    assert (Sign.HIGHEST_NOT_LED, "T21") in [each[1:] for each in listed(view_of("DS.2"), french)]


def test_before_there_is_a_contract_and_while_it_can_be_raised_nothing_is_shown():
    view = view_of("RS.0 9S.3")
    assert not [*listed(replace(view, contract=None))]
    assert not [*listed(replace(view, phase="raise"))]
