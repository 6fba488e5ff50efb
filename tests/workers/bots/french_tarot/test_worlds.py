"""The worlds of a search in French Tarot: those that the rules allow, each as often as the rules draw it."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import exp
from statistics import fmean

import pytest

from domain.french_tarot.inference import CHIEN, ECART
from domain.french_tarot.sampling import sample
from domain.french_tarot.state import Spoken
from domain.laws.play import active
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS, part
from workers.bots.compiled import words
from workers.bots.drawing import SEED
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import hearing, shuffling, watching
from workers.bots.french_tarot import kernel as k
from workers.bots.french_tarot import worlds as worlds_of_views
from workers.bots.french_tarot.loading import bases_of, loaded
from workers.bots.french_tarot.worlds import Worlds
from workers.bots.signs import NAT

TABLES = [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "french-tarot"]


def positions(seats, variant, every, seed=1):
    """List some positions of the play, each with the seat in turn and what it sees."""
    steps = list(playing("french-tarot", seats, seed, variant))
    games = [game for game in active(steps) if game.state.phase == "play"]
    for game in games[::every]:
        seat = min(game.pending)
        yield game, seat, game.ruleset.project(game.state, seat)


def hands(game):
    """Return the hands of the players as sets."""
    return tuple(
        game[k.SUIT_CARDS + player] | game[k.TRUMP_CARDS + player] << c.PETIT for player in range(game[k.PLAYERS])
    )


@pytest.mark.parametrize(("seats", "variant"), TABLES)
def test_drawn_and_shuffled_worlds_agree_with_the_rules_and_the_view(seats, variant):
    for game, seat, view in positions(seats, variant, 15):
        worlds = Worlds(game.options, view, seat, random.Random(1))
        bases, made, allowed = bases_of(worlds.state), words([0] * k.LENGTH), worlds.places
        shuffling.put(worlds.current, bases, made)
        wanted = loaded(worlds.state)
        made[SEED] = wanted[SEED]
        assert [*made] == wanted
        for _ in range(10):
            world = worlds.next()
            shuffling.put(world, bases, made)
            assert [cards.bit_count() for cards in hands(made)] == [view.hands[player].count for player in view.players]
            assert hands(made)[view.players.index(seat)] == c.mask_of(view.hands[seat].cards)
            for index, places in enumerate(allowed.values()):
                assert places >> world[shuffling.LIES + index] & 1


def pairs(game):
    """List the pairs of cards that lie in one hand, with the player."""
    for player, hand in enumerate(hands(game)):
        yield from ((player, *pair) for pair in combinations(c.numbers_of(hand), 2))


def ending(seats, number):
    """Return a position with few cards left, and the seat in turn."""
    for seed in range(20):
        for game, seat, view in positions(seats, "", 1, seed):
            if len(view.tricks) == number and len(Worlds(game.options, view, seat, random.Random(0)).places) > 8:
                return game, seat, view
    raise AssertionError("no such position")


@pytest.fixture
def _without_signs(monkeypatch):
    monkeypatch.setattr(watching, "WEIGHTS", {})


@pytest.mark.usefixtures("_without_signs")
@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.long)])
def test_where_nothing_was_shown_shuffled_worlds_are_as_likely_as_drawn_ones(seats):
    game, seat, heard = ending(seats, {3: 20, 4: 14}[seats])
    view = replace(heard, bids=())
    draws, rng = part(4000), random.Random(3)
    bases, made = bases_of(sample(game.options, seat, view, rng)), [0] * k.LENGTH
    worlds = Worlds(game.options, view, seat, rng)
    shuffled, drawn = Counter(), Counter()
    for _ in range(draws):
        shuffling.put(worlds.next(), bases, made)
        shuffled.update(pairs(made))
        drawn.update(pairs(loaded(sample(game.options, seat, view, rng))))
    open_pairs = [pair for pair in shuffled | drawn if not shuffled[pair] == drawn[pair] == draws]
    squares = sum((shuffled[pair] - drawn[pair]) ** 2 / (shuffled[pair] + drawn[pair]) for pair in open_pairs)
    assert len(open_pairs) > 20
    assert squares < 2 * len(open_pairs)


# -- what the auction has shown -------------------------------------------------------------------------------------


def strengths(view, hands):
    """Return by seat how strong the hands were that were dealt, from the cards held and laid aside in a world."""
    found = {}
    for player, seat in enumerate(view.players):
        played = (card for trick in (*(won.cards for won in view.tricks), view.trick.cards) for card in trick)
        cards = hands[player] | c.mask_of(card.card for card in played if card.seat == seat)
        found[seat] = hearing.strength_of(cards)
    return found


def likelihood(view, found):
    """Return how likely the auction is with hands of such strengths."""
    chance = 1.0
    for each in hearing.heard(view):
        above = each.shown * (found[each.seat] - each.line)
        chance *= hearing.LIKELY[min(max(above, -hearing.FAR), hearing.FAR) + hearing.FAR] / 1024
    return chance


def in_the_play():
    """Return a position after three tricks whose taker left the chien, as if a garde was bid and all others passed."""
    for seed in range(200):
        for game, seat, view in positions(4, "", 1, seed):
            if view.contract.contract == "garde_contre" and len(view.tricks) == 3 and seat != view.contract.taker:
                bids = [Spoken(each, "garde" if each == view.contract.taker else None) for each in view.players]
                return game, seat, replace(view, bids=tuple(bids))
    raise AssertionError("no such position")


@cache
def by_the_auction():
    """Return that position, and by seat how strong a hand is in all worlds, each by how likely it makes the auction."""
    game, seat, view = in_the_play()
    rng = random.Random(4)
    drawn = [strengths(view, hands(loaded(sample(game.options, seat, view, rng)))) for _ in range(part(4000))]
    weights = [likelihood(view, found) for found in drawn]
    wanted = {
        each: sum(found[each] * weight for found, weight in zip(drawn, weights, strict=True)) / sum(weights)
        for each in {*view.players} - {seat}
    }
    taker = view.contract.taker
    assert wanted[taker] > fmean(found[taker] for found in drawn) + 3
    return game, seat, view, wanted


@pytest.mark.usefixtures("_without_signs")
@pytest.mark.parametrize(("fresh_every", "draws"), [(32, part(4000)), (1, part(2000))])
def test_worlds_come_as_often_as_they_make_the_auction_likely(fresh_every, draws, monkeypatch):
    """Compared with all worlds, each by how likely it makes the auction."""
    game, seat, view, wanted = by_the_auction()
    monkeypatch.setattr(worlds_of_views, "FRESH_EVERY", fresh_every)
    worlds, made = Worlds(game.options, view, seat, random.Random(5)), [0] * k.LENGTH
    bases, found = bases_of(worlds.state), []
    for _ in range(draws):
        shuffling.put(worlds.next(), bases, made)
        found.append(strengths(view, hands(made)))
    for each, strength in wanted.items():
        assert abs(fmean(world[each] for world in found) - strength) < 1


# -- what exchange and play have shown ------------------------------------------------------------------------------


def test_worlds_come_as_often_as_they_make_the_play_likely(monkeypatch):
    """Compared with all worlds, each by how likely it makes the play."""
    game, seat, heard = ending(4, 13)
    view, draws = replace(heard, bids=()), part(4000)
    worlds = Worlds(game.options, view, seat, random.Random(9))
    places = dict(enumerate(("held", each) for each in view.players))
    places |= {shuffling.CHIEN: CHIEN, shuffling.ECART: ECART}
    leanings = watching.leanings(view, seat, sum(1 << card for card in worlds.places))

    def lean(world):
        lies = zip(worlds.places, world[shuffling.LIES :], strict=False)
        return sum(leanings.get((places[place], card), 0) for card, place in lies)

    shuffled = fmean(lean(worlds.next()) for _ in range(draws))
    monkeypatch.setattr(worlds_of_views, "FRESH_EVERY", 1)
    monkeypatch.setattr(worlds_of_views, "PASSES", 0)
    drawn = [lean(worlds.next()) for _ in range(draws)]
    likely = [exp(each / NAT) for each in drawn]
    wanted = sum(each * weight for each, weight in zip(drawn, likely, strict=True)) / sum(likely)
    assert wanted > fmean(drawn) + NAT / 2
    assert abs(shuffled - wanted) < (wanted - fmean(drawn)) / 10
