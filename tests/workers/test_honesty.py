"""Bots do not cheat: worlds hit the truth as often as chance says, and a twin that sees the truth wins.

That a bot plays the same whatever the others hold is in test_bots.py; that worlds are drawn fairly from what a view
shows is in tests/domain/test_fair_worlds.py. Here, positions are real, and the truth is known to the test.
"""

import random
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev

import pytest

from bench.league import duels
from bench.league.duels import Duel
from bench.league.tables import Table
from domain.registry import RULESETS
from service.bots import BOTS
from tests.support.fair import lying
from tests.support.random_games import played
from tests.support.sampling import TABLES, part
from tests.workers import cheating
from workers.bots.le_plateau import seen
from workers.research.entrants import entrants

CARD_TABLES = [table for table in TABLES if table[0] != "plateau"]


def standard_errors(values):
    """Return how many standard errors a mean is above zero."""
    return fmean(values) / (stdev(values) / sqrt(len(values)))


# -- calibration ----------------------------------------------------------------------------------------------------


def places(state, viewer):
    """Map every card that a viewer does not hold to the place where it lies unseen."""
    return {card: place for place, cards in lying(state).items() if place != ("held", viewer) for card in cards}


def agreement(one, other):
    return sum(place == other.get(card) for card, place in one.items()) / len(one)


def test_sampled_places_hit_the_true_place_as_often_as_they_hit_each_other():
    """If the draws knew more than the view, they would hit the truth more often; if they ignored it, less often."""
    more = []
    for ruleset_id, seats in CARD_TABLES:
        for seed in range(part(12)):
            rng = random.Random(f"calibration {ruleset_id} {seats} {seed}")
            running = [step.game for step in played(ruleset_id, seats, seed) if step.game.status == "active"]
            for game in rng.sample(running, min(8, len(running))):
                viewer = rng.choice((*range(seats), None))
                view, true = game.ruleset.project(game.state, viewer), places(game.state, viewer)
                if not true:
                    continue
                worlds = [places(game.ruleset.sample(game.options, viewer, view, rng), viewer) for _ in range(8)]
                among = fmean(agreement(one, other) for one, other in combinations(worlds, 2))
                more.append(fmean(agreement(world, true) for world in worlds) - among)
    assert len(more) > 100
    assert abs(standard_errors(more)) < 3.5
    assert abs(fmean(more)) < 0.02


# -- the cheating twin ----------------------------------------------------------------------------------------------


def test_a_twin_gets_the_true_world_and_only_while_it_thinks():
    ruleset, drawn = RULESETS["le-plateau"], seen.sample
    with cheating.seeing(ruleset, "the truth"):
        assert ruleset.sample(None, 0, None, None) == seen.sample(None, 0, None, None) == "the truth"
    assert ruleset.sample is seen.sample is drawn


DEALS = {"plute": 20}
"""Where a deal says less than elsewhere: a game of Plute is won or lost."""


@pytest.mark.long
@pytest.mark.parametrize("ruleset_id", sorted(BOTS["searcher"].rulesets))
def test_the_cheating_twin_of_a_searcher_beats_it(ruleset_id, monkeypatch):
    """In whole deals, with the same budget; a searcher that draws level knows more than it may."""
    cheat, honest = entrants(["tests.workers.cheating:think@100", "searcher@100"])
    monkeypatch.setattr(duels, "view_of", cheating.view_of)
    duel = Duel(Table(ruleset_id, RULESETS[ruleset_id].seats[0]), cheat, honest, 1)
    leads = [fmean(map(duels.lead, duels.deal(duel, number)["games"])) for number in range(DEALS.get(ruleset_id, 12))]
    assert standard_errors(leads) > 2
