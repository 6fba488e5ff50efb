"""Worlds that kernels draw: those that agree with the view, each as likely as the domain or what was shown makes it."""

import random
from collections import Counter
from math import ceil, exp
from statistics import fmean

import pytest

from domain.cardplay.placement import layout
from domain.le_plateau.inference import allowed_places
from domain.le_plateau.sampling import unseen_cards
from tests.domain.cardplay.placing import all_ways
from tests.support.fair import expect_fair
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS, part
from tests.workers.bots.asking import asked
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau import placing, stirring, watching
from workers.bots.le_plateau.loader import load, number_of
from workers.bots.le_plateau.seen import seen
from workers.bots.le_plateau.worlds import worlds_of
from workers.bots.signs import NAT

TABLES = [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "le-plateau"]
SOME_TABLES = pytest.mark.parametrize(
    ("seats", "variant"),
    [pytest.param(*table, marks=pytest.mark.long if place % 9 else ()) for place, table in enumerate(TABLES)],
)
EVERY = 23
DRAWS = 60


@pytest.mark.parametrize("seed", range(part(40)))
def test_every_way_to_lay_the_cards_is_equally_likely(seed):
    rng = random.Random(seed)
    cards = list("abcdefg"[: rng.randrange(5, 8)])
    room = dict.fromkeys(range(rng.choice((2, 3, 4))), 1)
    while sum(room.values()) < len(cards):
        room[rng.choice(list(room))] += 1
    kinds = [[place for place in room if rng.random() < 0.8] for _ in range(3)]
    kind = {card: rng.choice(kinds) for card in cards}
    found = all_ways(room, lambda card, place: place in kind[card], cards)
    if not found:
        pytest.skip("these cards cannot be laid so")
    laid = layout(cards, room, lambda card, place: place in kind[card])
    names = [card for members in laid.members for card in members]
    plan, lot, chance = placing.plan_of(laid), [*range(len(cards))] + [0] * placing.LOT, seed + 1
    drawn = []
    for _ in range(15 * len(found)):
        chance = placing.place(plan, lot, chance)
        where = lot[placing.WHERE : placing.WHERE + len(cards)]
        drawn.append(frozenset((names[card], laid.places[number]) for card, number in zip(lot, where, strict=False)))
    expect_fair(drawn, dict.fromkeys(found, 1))


@pytest.mark.parametrize("seed", range(part(12)))
def test_stirred_lies_come_as_often_as_they_are_likely(seed, monkeypatch):
    rng = random.Random(seed)
    cards, room = list("abcdef"), rng.choice(({0: 3, 1: 3}, {0: 2, 1: 2, 2: 2}, {0: 1, 1: 2, 2: 3}))
    laid = layout(cards, room, lambda card, place: (card, place) != ("a", 0))
    names = [card for members in laid.members for card in members]
    leanings = {(rng.choice(names), place): rng.choice((-12, -5, 7)) for place in room for _ in range(2)}
    likely = {
        lie: exp(sum(leanings.get(where, 0) for where in lie) / NAT)
        for lie in all_ways(room, lambda card, place: (card, place) != ("a", 0), cards)
    }
    plan, lot, chance = placing.plan_of(laid), [*range(len(cards))] + [0] * stirring.SIZE, seed + 1
    for number, name in enumerate(names):
        lot[stirring.MAY + number] = sum(1 << place for place in room if (name, laid.places[place]) != ("a", 0))
        for place, where in enumerate(laid.places):
            lot[stirring.LEAN + stirring.NUMBERS * place + number] = leanings.get((name, where), 0)
    monkeypatch.setattr(stirring, "FRESH_EVERY", 1)
    monkeypatch.setattr(stirring, "PASSES", 12)
    drawn = []
    for _ in range(ceil(6 * sum(likely.values()) / min(likely.values()))):
        chance = stirring.lay(plan, lot, len(cards), chance)
        where = lot[placing.WHERE : placing.WHERE + len(cards)]
        drawn.append(frozenset((names[card], laid.places[number]) for card, number in zip(lot, where, strict=False)))
    expect_fair(drawn, likely)


def counted(worlds):
    """Count how often each card lies in each place."""
    places = [(k.HELD, k.HELD_TRUMPS, 6), (k.BELOW, k.BELOW_TRUMPS, 10), (k.TALON, k.TALON_TRUMPS, 1)]
    ats = [(suits + i, trumps + i) for suits, trumps, count in places for i in range(count)]
    return {
        (at, bit): sum(world[at] >> bit & 1 for world in worlds) for pair in ats for at in pair for bit in range(56)
    }


@pytest.fixture
def _without_signs(monkeypatch):
    monkeypatch.setattr(watching, "WEIGHTS", {})


@pytest.mark.usefixtures("_without_signs")
@SOME_TABLES
def test_where_nothing_was_shown_worlds_are_those_that_the_domain_draws(seats, variant):
    """What is known is equal, every place has as many cards, and cards lie where the domain's lie, as often."""
    hidden = {*range(k.HELD, k.WON), *range(k.BELOW, k.VOIDS), k.TALON, k.TALON_TRUMPS}
    for number, step in enumerate(playing("le-plateau", seats, 1, variant)):
        for seat in step.game.pending if number % EVERY == 0 else ():
            question = seen(asked(step.game, seat, seed=number))
            worlds = worlds_of(question)
            ours = [list(worlds.world(question.chance()))[: k.SIZE] for _ in range(DRAWS)]
            theirs = [load(question.world()) for _ in range(DRAWS)]
            for one, other in zip(ours, theirs, strict=True):
                assert all(one[at] == other[at] for at in range(k.SIZE) if at not in hidden)
                assert sizes(one) == sizes(other)
            mine, domains = counted(ours), counted(theirs)
            for where, count in mine.items():
                assert abs(count - domains[where]) <= 5 * (DRAWS / 2) ** 0.5, where
                assert (count == DRAWS) == (domains[where] == DRAWS) or min(count, domains[where]) > DRAWS / 3


def sizes(world):
    """Count the cards of each place."""
    pairs = [(k.HELD + i, k.HELD_TRUMPS + i) for i in range(6)] + [(k.TALON, k.TALON_TRUMPS)]
    pairs += [(k.BELOW + i, k.BELOW_TRUMPS + i) for i in range(10)]
    return [world[suits].bit_count() + world[trumps].bit_count() for suits, trumps in pairs]


def late(seats, tricks):
    """Return a question after so many tricks of a hand whose discard is hidden from the seat."""
    for seed in range(30):
        for step in playing("le-plateau", seats, seed):
            state = step.game.state
            if not (step.game.pending and state.phase == "play" and len(state.table.tricks) == tricks):
                continue
            if state.hand.contract.exchanger not in (None, min(step.game.pending)):
                return seen(asked(step.game, min(step.game.pending), seed=3))
    raise AssertionError("no such position")


def lies_of(question, count):
    """Return so many lies of the unseen cards: for each, the places by the number of the card."""
    places = unseen_cards(question.options, question.seat, question.view).places
    worlds, found = worlds_of(question), []
    cards = sum(worlds.plan[placing.ROOMS :][: len(places)])
    for _ in range(count):
        worlds.world(question.chance())
        numbered = zip(worlds.lot, worlds.lot[placing.WHERE :][:cards], strict=False)
        found.append({card: places[place] for card, place in numbered})
    return found


@pytest.mark.parametrize("fresh_every", [32, 1])
@pytest.mark.parametrize(("seats", "tricks"), [(4, 10), (5, 10)])
def test_worlds_come_as_often_as_they_make_likely_what_was_shown(seats, tricks, fresh_every, monkeypatch):
    """Compared with all worlds, each by how likely it is; also those that were just drawn."""
    question, draws = late(seats, tricks), 3000 if fresh_every > 1 else 800
    unseen = sum(1 << card for card in lies_of(question, 1)[0])
    leanings = watching.leanings(question.options, question.view, question.seat, unseen)

    def lean(lie):
        return sum(leanings.get((place, card), 0) for card, place in lie.items())

    monkeypatch.setattr(stirring, "FRESH_EVERY", fresh_every)
    stirred = fmean(map(lean, lies_of(question, draws)))
    monkeypatch.setattr(watching, "WEIGHTS", {})
    drawn = [lean(lie) for lie in lies_of(question, 3000)]
    likely = [exp(each / NAT) for each in drawn]
    wanted = sum(each * weight for each, weight in zip(drawn, likely, strict=True)) / sum(likely)
    assert wanted > fmean(drawn) + NAT / 2
    assert abs(stirred - wanted) < (wanted - fmean(drawn)) / 8


@SOME_TABLES
def test_worlds_by_what_was_shown_agree_with_the_view(seats, variant):
    """Every card lies where the view allows it, and every place has as many as it must."""
    tried = 0
    for number, step in enumerate(playing("le-plateau", seats, 2, variant)):
        for seat in step.game.pending if number % EVERY == 0 else ():
            question = seen(asked(step.game, seat, seed=number))
            laid = unseen_cards(question.options, seat, question.view)
            names = {number_of(card, question.options): card for members in laid.members for card in members}
            allowed = allowed_places(question.options, question.view)
            for lie in lies_of(question, 20):
                assert lie.keys() == names.keys()
                assert all(allowed(names[card], place) for card, place in lie.items())
                assert Counter(lie.values()) == dict(zip(laid.places, laid.rooms, strict=True))
            tried += any(watching.signs(question.options, question.view, seat))
    assert tried
