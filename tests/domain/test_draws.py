"""Draws stated as data are checked: a card elsewhere, another secret, and a pack that is not dealt out are found."""

from copy import deepcopy
from dataclasses import replace

import pytest

from domain import draws
from domain.chance import Chance
from domain.laws.texts import seen
from tests.support.random_games import played


@pytest.fixture
def deal():
    """The first deal of French Tarot, in which a chien is taken out of the pack: the game, the draw, the data."""
    steps = played("french-tarot", 4, 0)
    game = steps[-1].game
    event = next(event for event in seen(steps) if event["type"] == "cards_dealt")
    draw = next(draw for draw in game.ruleset.draws(game.options, 4, event) if draw.label == "deal")
    return game, draw, event["data"]


def test_the_draw_of_a_deal_agrees(deal):
    game, draw, data = deal
    draws.check(game.draws.of_deal(1), draw, data)


@pytest.mark.parametrize("other", ["hands/1", "chien"])
def test_a_card_that_lies_elsewhere_is_found(deal, other):
    game, draw, data = deal
    changed = deepcopy(data)
    theirs = changed["chien"] if other == "chien" else changed["hands"][1]
    mine = changed["hands"][0]
    mine["cards"][0], theirs["cards"][0] = theirs["cards"][0], mine["cards"][0]
    with pytest.raises(draws.WrongDraw):
        draws.check(game.draws.of_deal(1), draw, changed)


def test_another_secret_is_found(deal):
    game, draw, data = deal
    with pytest.raises(draws.WrongDraw):
        draws.check(Chance(bytes(32), game.id, game.draws.seeds), draw, data)


def test_a_thing_that_is_dealt_to_nobody_is_found():
    chance = Chance(b"s" * 32, "gm", ())
    first, *_ = chance.permutation("deal", 1, "abcd")
    draw = draws.DrawnOrder("deal", 1, ("a", "b", "c", "d"), (draws.Packet("/card", 1),))
    with pytest.raises(draws.WrongDraw, match="3 things are dealt to nobody"):
        draws.check(chance, draw, {"card": first})


def test_where_the_order_counts_another_order_is_found():
    chance = Chance(b"s" * 32, "gm", ())
    order = [*chance.permutation("deal", 1, "abcd")]
    packets = (draws.Packet("/cards", 4, sorted=False),)
    draw = draws.DrawnOrder("deal", 1, ("a", "b", "c", "d"), packets)
    draws.check(chance, draw, {"cards": order})
    with pytest.raises(draws.WrongDraw):
        draws.check(chance, draw, {"cards": order[::-1]})
    draws.check(chance, replace(draw, packets=(draws.Packet("/cards", 4),)), {"cards": order[::-1]})


def test_numbers_are_drawn_one_by_one():
    chance = Chance(b"s" * 32, "gm", ())
    dice = [1 + chance.below("dice", number, 6) for number in (1, 2, 3)]
    draw = draws.DrawnNumbers("dice", 1, 6, "/dice", plus=1, count=3, sorted=True)
    draws.check(chance, draw, {"dice": sorted(dice)})
    with pytest.raises(draws.WrongDraw):
        draws.check(chance, draw, {"dice": [die % 6 + 1 for die in dice]})
