"""Worlds of the searcher for Plute: as likely as before or as was shown, and with who lacks a suit kept."""

import random
from itertools import islice, permutations
from math import ceil, exp
from statistics import fmean

import pytest

from domain.plute.deck import TRUMP_SUITS
from domain.plute.sampling import sample
from tests.support.fair import expect_fair
from tests.support.random_games import playing
from tests.support.sampling import part
from workers.bots.plute import kernel as k
from workers.bots.plute import watching, worlds
from workers.bots.plute.knowledge import known_of
from workers.bots.plute.loading import loaded
from workers.bots.signs import NAT


def last_cards(seed):
    """Return a game in which five to seven cards are unseen, and one seat at least cannot hold all of them."""
    for step in playing("plute", 6, seed, "early_stop=off"):
        state = step.game.state
        if state and state.phase == "play" and len(state.table.tricks) >= 7 and step.game.waiting_for:
            seat = min(step.game.waiting_for)
            known = known_of(step.game.options, step.game.ruleset.project(state, seat), seat, _trump(state))
            if 5 <= known.unseen.bit_count() <= 7 and any(
                known.may[other] != known.unseen for other in known.others if state.table.held[other]
            ):
                return step.game, seat, known
    return None


def _trump(state):
    return TRUMP_SUITS.index(state.table.trump)


def counts(game):
    """Return how many cards each seat holds."""
    return [len(held) for held in game.state.table.held]


def lies(known, counts):
    """List all ways in which the unseen cards can lie."""
    seats = [seat for seat in known.others for _ in range(counts[seat])]
    cards = [number for number in range(54) if known.unseen >> number & 1]
    found = set()
    for order in permutations(cards):
        held = [0] * 6
        for seat, card in zip(seats, order, strict=True):
            if not known.may[seat] >> card & 1:
                break
            held[seat] |= 1 << card
        else:
            found.add(tuple(held[seat] for seat in known.others))
    return found


def test_swapped_worlds_are_as_likely_as_each_other():
    positions = [found for seed in range(part(16)) if (found := last_cards(seed))]
    assert positions
    game, seat, known = max(positions, key=lambda found: len(lies(found[2], counts(found[0]))))
    state, rng, drawn = game.state, random.Random(5), []
    every = lies(known, counts(game))
    assert len(every) > 10
    view = game.ruleset.project(state, seat)
    for _ in range(len(every) * part(40)):
        world = loaded(sample(game.options, seat, view, rng), rng.randrange(1, 1 << 32))
        assert worlds.swap(world, worlds.table_of(known, world, {}), 1) >= 0
        drawn.append(tuple(world[k.HELD + other] for other in known.others))
    expect_fair(drawn, dict.fromkeys(every, 1))


def test_swaps_lead_to_other_worlds_without_touching_what_the_seat_sees():
    game, seat, known = next(found for seed in range(16) if (found := last_cards(seed)))
    world = loaded(game.state, 7)
    table, own, reached = worlds.table_of(known, world, {}), world[k.HELD + seat], set()
    for _ in range(200):
        worlds.swap(world, table, 1)
        held = world[k.HELD : k.HELD + 6]
        assert held[seat] == own
        assert [cards.bit_count() for cards in held] == counts(game)
        assert all(held[other] & ~known.may[other] == 0 for other in known.others)
        reached.add(tuple(held))
    assert len(reached) > 5


def test_swapped_worlds_come_as_often_as_they_are_likely():
    game, seat, known = next(
        found for seed in range(16) if (found := last_cards(seed)) and 10 < len(lies(found[2], counts(found[0]))) < 200
    )
    state, rng, drawn = game.state, random.Random(5), []
    view = game.ruleset.project(state, seat)
    cards = [number for number in range(54) if known.unseen >> number & 1]
    leanings = {(rng.choice(known.others), card): rng.choice((-12, -5, 7)) for card in cards}

    def lean(lie):
        return sum(
            leanings.get((other, card), 0)
            for other, held in zip(known.others, lie, strict=True)
            for card in cards
            if held >> card & 1
        )

    likely = {lie: exp(lean(lie) / NAT) for lie in lies(known, counts(game))}
    for _ in range(ceil(6 * sum(likely.values()) / min(likely.values()))):
        world = loaded(sample(game.options, seat, view, rng), rng.randrange(1, 1 << 32))
        worlds.swap(world, worlds.table_of(known, world, leanings), 12)
        drawn.append(tuple(world[k.HELD + other] for other in known.others))
    expect_fair(drawn, likely)


@pytest.mark.parametrize("fresh_every", [32, 1])
def test_worlds_come_as_often_as_they_make_likely_what_was_shown(fresh_every, monkeypatch):
    """Compared with all worlds, each by how likely it is."""
    game = next(
        step.game
        for step in playing("plute", 6, 4, "early_stop=off")
        if step.game.state and step.game.state.phase == "play" and len(step.game.state.table.tricks) == 6
    )
    seat, draws = min(game.waiting_for), part(4000)
    view = game.ruleset.project(game.state, seat)
    known = known_of(game.options, view, seat, _trump(game.state))
    leanings = watching.leanings(view, seat, known.unseen)

    def leans():
        drawn = worlds.drawn_for(game.options, view, seat, random.Random(9), loaded)
        return [
            sum(lean for (other, card), lean in leanings.items() if world[k.HELD + other] >> card & 1)
            for world in islice(drawn, draws)
        ]

    monkeypatch.setattr(worlds, "FRESH_EVERY", fresh_every)
    stirred = fmean(leans())
    monkeypatch.setattr(watching, "WEIGHTS", {})
    monkeypatch.setattr(worlds, "FRESH_EVERY", 1)
    drawn = leans()
    likely = [exp(each / NAT) for each in drawn]
    wanted = sum(each * weight for each, weight in zip(drawn, likely, strict=True)) / sum(likely)
    assert wanted > fmean(drawn) + NAT / 2
    assert abs(stirred - wanted) < (wanted - fmean(drawn)) / 8
