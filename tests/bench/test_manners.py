"""Manners: a rule is a chance only where the seat could keep it and could break it, by what it sees."""

import pytest

from bench.league.duels import Duel, deal
from bench.league.manners import FEEDS, OVERTAKES, TOO_HIGH, TRUMPS_NOTHING, WITHHOLDS, judged
from bench.league.report import markdown
from bench.league.summaries import summed
from bench.league.tables import Table
from domain.french_tarot.actions import Play as FrenchPlay
from domain.le_plateau.actions import Pass as Passing
from domain.le_plateau.actions import Play as PlateauPlay
from domain.plute.actions import Play as PlutePlay
from tests.domain.french_tarot import builders as french
from tests.domain.le_plateau import builders as plateau
from tests.domain.plute import builders as plute
from workers.research.entrants import entrants


def of_plute(trick, hand, card):
    """Judge seat 5, the last one, which is of the team of seats 1 and 3; spades are trumps."""
    state = plute.state("play", held=["", "", "", "", "", hand], trick=trick)
    return dict(judged("plute", state, 5, PlutePlay(card)))


def of_french_tarot(trick, hand, card, seats=4, **parts):
    """Judge the last seat, a defender; seat 0 is the taker."""
    held = [*[""] * (seats - 1), hand]
    state = french.state(seats, "play", held=held, contract="garde", trick=trick, **parts)
    return dict(judged("french-tarot", state, seats - 1, FrenchPlay(card)))


def of_le_plateau(trick, hand, card):
    """Judge seat 3 of four, an opponent of seat 0."""
    held = ["", "", "", hand]
    state = plateau.state(4, "play", held=held, trick=trick, contract=plateau.contract(4, 0, "six_sides"))
    return dict(judged("le-plateau", state, 3, PlateauPlay(card)))


MATES = "0:2H 1:KH 2:3H 3:4H 4:5H"
FOES = "0:KH 1:2H 2:3H 3:4H 4:5H"


@pytest.mark.parametrize(
    ("trick", "hand", "card", "found"),
    [
        (MATES, "AH 6H", "AH", {OVERTAKES: True}),
        (MATES, "AH 6H", "6H", {OVERTAKES: False}),
        (MATES, "6H 7H", "6H", {}),
        (MATES, "6H 10H", "6H", {WITHHOLDS: True}),
        (MATES, "6H 10H", "10H", {WITHHOLDS: False}),
        (FOES, "6H 10H", "10H", {FEEDS: True}),
        (FOES, "6H 10H", "6H", {FEEDS: False}),
        (FOES, "AH 10H 6H", "AH", {}),
        ("0:2H 1:3H 2:4H 3:4C 4:5H", "6H 8H", "8H", {TOO_HIGH: True}),
        ("0:2H 1:3H 2:4H 3:4C 4:5H", "6H 8H", "6H", {TOO_HIGH: False}),
        ("0:2H 1:3H 2:4H", "6H 3S", "3S", {TRUMPS_NOTHING: True}),
        ("0:2H 1:3H 2:4H", "6H 3S", "6H", {TRUMPS_NOTHING: False}),
        ("0:2H 1:3H 2:QH", "6H 3S", "3S", {}),
        ("0:2S 1:3S", "6S 3H", "6S", {}),
        ("", "AH 3S", "3S", {}),
    ],
)
def test_manners_of_plute(trick, hand, card, found):
    assert of_plute(trick, hand, card) == found


@pytest.mark.parametrize(
    ("trick", "hand", "card", "found"),
    [
        ("0:1H 1:DH 2:2H", "RH 3H", "RH", {OVERTAKES: True}),
        ("0:1H 1:DH 2:2H", "VH 3H", "3H", {WITHHOLDS: True}),
        ("0:DH 1:1H 2:2H", "VH 3H", "VH", {FEEDS: True}),
        ("0:1H 1:T5 2:2H", "RS RD 4S 3C", "RS", {WITHHOLDS: False}),
        ("0:1H 1:2H 2:T5", "EX T21", "EX", {OVERTAKES: False}),
        ("0:1H 1:2H", "RH 3H", "RH", {}),
    ],
)
def test_manners_of_french_tarot(trick, hand, card, found):
    assert of_french_tarot(trick, hand, card) == found


def test_a_secret_partner_is_nobodys_friend():
    trick, hand = "0:1H 1:DH 2:2H 3:3H", "RH 4H"
    assert of_french_tarot(trick, hand, "RH", seats=5, called="RS") == {}
    assert of_french_tarot(trick, hand, "RH", seats=5, called="RS", partner=2) == {OVERTAKES: True}


@pytest.mark.parametrize(
    ("trick", "hand", "card", "found"),
    [
        ("0:7H 1:DH 2:8H", "RH 9H", "RH", {OVERTAKES: True}),
        ("0:7H 1:DH 2:8H", "RH 9H", "9H", {OVERTAKES: False}),
        ("0:DH 1:7H 2:8H", "RH 9H", "RH", {}),
    ],
)
def test_manners_of_le_plateau(trick, hand, card, found):
    shown = of_le_plateau(trick, hand, card)
    assert {rule: broken for rule, broken in shown.items() if rule == OVERTAKES} == found


def test_a_card_whose_space_is_on_the_board_is_something_in_le_plateau():
    board = plateau.state(4, "play").hand.tokens
    hearts = [f"{rank}H" for rank in (*"CV", 10, 9, 8)]
    on, off = (next(card for card in hearts if (card in board) == is_on) for is_on in (True, False))
    for trick, rule in (("0:7H 1:RH 2:DH", WITHHOLDS), ("0:RH 1:7H 2:DH", FEEDS)):
        given, kept = (of_le_plateau(trick, f"{on} {off}", card) for card in (on, off))
        assert (given[rule], kept[rule]) == (rule == FEEDS, rule == WITHHOLDS)


def test_nothing_but_cards_to_a_trick_is_judged():
    assert not dict(judged("le-plateau", plateau.state(4, "bid"), 0, Passing()))
    assert not dict(judged("plateau", None, 0, None))


def test_a_league_counts_manners_in_all_its_deals():
    one, other = entrants(["random", "random"])
    duel = Duel(Table("plute", 6), one, other, 1)
    record = deal(duel, 0)
    assert {rule for counted in record["counted"] for rule in counted["manners"]} >= {OVERTAKES, TRUMPS_NOTHING}
    chances, broken = record["counted"][0]["manners"][TRUMPS_NOTHING]
    assert f"{1000 * broken / chances:.0f} of {chances}" in markdown([*summed({duel.key: {0: record}}).values()])
