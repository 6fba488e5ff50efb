"""What a card that was played says of others that its player can hold."""

from dataclasses import replace

import pytest

from domain.cardplay.tricks import TrickCard
from domain.french_tarot.inference import ECART
from domain.french_tarot.view import TrickView
from tests.support.random_games import playing
from tests.workers.bots.asking import signs_in, signs_read
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import watching
from workers.bots.signs import MOST

LOW_TRUMPS = [f"T{number}" for number in range(1, 20)]


def begun():
    """Return the view of a defender of four after an exchange, before the first card, and the seat of the taker."""
    for seed in range(50):
        states = (step.game for step in playing("french-tarot", 4, seed) if step.game.state)
        game = next((game for game in states if game.state.phase == "play"), None)
        if game and game.state.deal.ecart and not game.state.table.trick and not game.state.deal.imprenable:
            taker = game.state.deal.contract.taker
            seat = next(each for each in game.state.deal.players if each != taker)
            return replace(game.ruleset.project(game.state, seat), poignees=()), seat, taker
    raise AssertionError("no such deal")


def shown(trick, by):
    """Return the signs of the last card of a trick by seats: the taker, the defender who watches, or two others."""
    view, seat, taker = begun()
    others = iter([each for each in view.players if each not in (seat, taker)])
    seats = [{"taker": taker, "me": seat}.get(who, next(others) if who == "friend" else None) for who in by.split()]
    cards = tuple(TrickCard(each, card) for each, card in zip(seats, trick.split(), strict=True))
    before = replace(view, trick=TrickView(1, cards[0].seat, cards[:-1]))
    after = replace(view, trick=TrickView(1, cards[0].seat, cards))
    earlier = [*watching.signs(before, seat)]
    found = [each for each in watching.signs(after, seat) if each not in earlier]
    return {(sign, " ".join(c.cards_of(of))) for place, sign, of in found if place == ("held", seats[-1]) and of}


@pytest.mark.parametrize(
    ("trick", "by", "signs"),
    [
        (
            "3H",
            "taker",
            "COURT_NOT_LED: VH CH DH RH, PIP_BELOW_LEAD: 1H 2H, PIP_ABOVE_LEAD: 4H 5H 6H 7H 8H 9H 10H, "
            "MASTER_NOT_LED: RS RD RC, HIGHEST_NOT_LED: T21",
        ),
        ("2S 5S", "me taker", "PIP_BELOW: 1S 2S 3S 4S, WINNER_KEPT: VS CS DS RS"),
        ("CS 5S", "me taker", "PIP_BELOW: 1S 2S 3S 4S, WINNER_KEPT: DS RS"),
        ("2S 3S", "me friend", "PIP_BELOW: 1S 2S, GIFT_KEPT: VS CS DS RS"),
        ("2S DS", "me taker", "COURT_ABOVE: RS"),
        ("RS VS", "me taker", "BELOW_A_LOSS: 1S 2S 3S 4S 5S 6S 7S 8S 9S 10S"),
        ("T3 T6", "me taker", "TRUMP_BELOW: T4 T5"),
        ("2S T4", "me taker", "TRUMP_BELOW: T2 T3, PRIZE_KEPT: T1"),
        (
            "T9 T4",
            "me taker",
            "TRUMP_BELOW_A_LOSS: T2 T3, PRIZE_KEPT: T1, "
            "WINNING_TRUMP_KEPT: T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21",
        ),
        ("T9 T4", "me friend", "TRUMP_BELOW_A_LOSS: T2 T3, PRIZE_KEPT: T1, PRIZE_NOT_GIVEN: T1"),
        ("2S T1", "me taker", ""),
        ("2S EX", "me taker", ""),
        ("2S 3H", "me taker", "PIP_BELOW_THROWN: 1H 2H"),
        ("2S VH", "me taker", ""),
        (
            "2S 3H",
            "me friend",
            "PIP_BELOW_THROWN: 1H 2H, COURT_NOT_THROWN: VS CS DS RS VH CH DH RH VD CD DD RD VC CC DC RC",
        ),
        (
            "T20",
            "taker",
            "ABOVE_TRUMP_LED: T21, "
            "TRUMP_BELOW_LEAD: T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19",
        ),
        ("DS", "taker", "ABOVE_COURT_LED: RS, MASTER_NOT_LED: RH RD RC, HIGHEST_NOT_LED: T21"),
    ],
)
def test_a_card_says_what_its_player_would_rather_have_played(trick, by, signs):
    assert signs_in(shown(trick, by)) == signs_read(signs)


def test_a_seat_learns_nothing_from_its_own_cards():
    assert shown("2S 5S", "taker me") == set()


def test_court_cards_lie_aside_rather_and_suits_that_the_taker_plays_do_not():
    view, seat, taker = begun()
    trick = TrickView(1, taker, (TrickCard(taker, "2S"),))
    unseen = c.mask_of(["DS", "5S", "DH", "5H"])
    leanings = watching.leanings(replace(view, trick=trick), seat, unseen)
    aside = [leanings.get((ECART, c.NUMBER[card]), 0) for card in ("DS", "5S", "DH", "5H")]
    assert aside == [4, -10, 14, 0]
    assert not any(place == ECART for place, _, _ in watching.signs(replace(view, trick=trick), taker))


def test_many_signs_say_no_more_than_the_most():
    view, seat, taker = begun()
    spades = [TrickCard(taker, f"{pip}S") for pip in range(2, 11)]
    many = replace(view, trick=TrickView(1, taker, tuple(spades)))
    leanings = watching.leanings(many, seat, c.mask_of(["1S"]))
    assert leanings[ECART, c.NUMBER["1S"]] == leanings[("held", taker), c.NUMBER["1S"]] == -MOST
