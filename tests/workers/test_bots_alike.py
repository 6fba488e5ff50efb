"""Bots play a deal alike at every table: the same history has the same move, whatever the mask and who sits where."""

import random
from hashlib import sha256

import pytest

from domain.game import aggregate, bot_seeds, seating
from domain.registry import RULESETS
from domain.serialization import changed
from tests.support.sampling import LARGEST, SMALLEST, TABLES, seeds
from workers import choosing

ONE_DEAL = {"french-tarot": {"deals": 1}, "plute": {"win_at": 1, "lose_at": 1}}
AT_TABLES = [
    (name, ruleset_id, seats)
    for ruleset_id, seats in TABLES
    for name in ("random", "greedy")
    if RULESETS[ruleset_id].symmetries and (ruleset_id, seats) in SMALLEST + LARGEST
]


def dealt(ruleset_id, seats, seed, mask, player="pl_0"):
    ruleset = RULESETS[ruleset_id]
    options = ruleset.options.complete(ONE_DEAL.get(ruleset_id, {}), seats)
    sitters = (player, *(None,) * (seats - 1))
    new = seating.NewGame("gm_alike", ruleset, options, "private", sandbox=False, creator=player, sitters=sitters)
    _, game = seating.create(new, sha256(f"alike {seed}".encode()).digest())
    game = changed(game, mask=mask)
    for seat in range(1, seats):
        _, game = seating.put_bot(game, player, seat, "random")
    return game


def played_by(game, name, process):
    """Play until the deal is over, a bot in every seat."""
    while not game.is_over and game.dealt == 1:
        seat = min(game.waiting_for)
        choice = choosing.choice(game, seat, name, process)
        assert bot_seeds.is_seed_of(game, seat, choice.by)
        _, game = aggregate.act(game, seat, choice.action)
    return game


@pytest.mark.parametrize(("name", "ruleset_id", "seats"), AT_TABLES)
def test_bots_make_the_same_moves_under_every_mask(name, ruleset_id, seats, policy_process):
    for seed in seeds(8):
        opened = dealt(ruleset_id, seats, seed, "")
        masks = opened.ruleset.symmetries.masks(opened.options, seats)
        one, other = random.Random(seed).sample(masks, 2)
        tables = [played_by(dealt(ruleset_id, seats, seed, mask), name, policy_process) for mask in (one, other)]
        assert tables[0].unmasked == tables[1].unmasked
        assert len(tables[0].unmasked.events) > seats


def test_a_search_that_would_be_ended_by_time_plays_alike_too(policy_process, monkeypatch):
    """In another game it would be ended at once."""
    monkeypatch.setattr(policy_process, "_seconds", 20.0)
    monkeypatch.setattr("workers.policy_process._FOR_MOVE", 0.0)
    game = dealt("french-tarot", 3, 1, "DSHC")
    seat = min(game.waiting_for)
    choice = choosing.choice(game, seat, "searcher-club", policy_process)
    assert (
        choice.by.thought.done
        > choosing.choice(changed(game, unmasked=None), seat, "searcher-club", policy_process).by.thought.done
    )


def test_a_bot_that_failed_makes_the_same_move_under_every_mask():
    games = [dealt("plute", 6, 1, mask) for mask in ("SHDC", "DSCH")]
    while not games[0].is_over:
        seat = min(games[0].waiting_for)
        choices = [choosing.any_legal(game, seat, "random") for game in games]
        assert choices[0].by == choices[1].by
        games = [aggregate.act(game, seat, choice.action)[1] for game, choice in zip(games, choices, strict=True)]
    assert games[0].unmasked == games[1].unmasked


def test_what_a_bot_thinks_about_does_not_name_the_table():
    games = [dealt("le-plateau", 3, 1, mask, player) for mask, player in (("SHDC r0", "pl_0"), ("HSCD m2", "pl_1"))]
    asked = [choosing.representations.view(bot_seeds.shared(game), 1) for game in games]
    assert asked[0] == asked[1]
    ordinary = changed(games[0], unmasked=None)
    assert bot_seeds.shared(ordinary) is ordinary
