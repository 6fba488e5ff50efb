"""Laws of every ruleset: a game is the fold of its log, the same on every machine, at every request."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game import aggregate as games
from tests.domain.laws.facts import facts_of
from tests.domain.play import TABLES, VARIANTS, log_of, played, seeded

ROOT = Path(__file__).parents[3]

every_table = pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
every_game = pytest.mark.parametrize(("ruleset_id", "seats", "variant", "seed"), seeded(3))


@every_game
def test_folding_the_log_gives_the_game_at_every_request(ruleset_id, seats, seed, variant):
    steps = played(ruleset_id, seats, seed, variant)
    log = log_of(steps)
    for step in steps[seed::3]:
        assert games.fold(log[: step.game.version]) == step.game
    assert games.fold(log) == steps[-1].game


@every_game
def test_folding_request_by_request_gives_the_game(ruleset_id, seats, seed, variant):
    game = None
    for step in played(ruleset_id, seats, seed, variant):
        game = games.fold(step.records, game)
        assert game == step.game


@every_game
def test_a_cached_game_and_the_records_after_it_give_the_game(ruleset_id, seats, seed, variant):
    steps = played(ruleset_id, seats, seed, variant)
    log = log_of(steps)
    rng = random.Random(seed)
    for _ in range(20):
        cached, later = sorted(rng.sample(range(len(steps)), 2))
        tail = log[steps[cached].game.version : steps[later].game.version]
        assert games.fold(tail, steps[cached].game) == steps[later].game


@every_table
def test_every_version_folds_and_projects_for_every_viewer(ruleset_id, seats, variant):
    steps = played(ruleset_id, seats, 0, variant)
    log = log_of(steps)
    at_the_end_of_a_request = {step.game.version: step.game for step in steps}
    for version in range(1, len(log) + 1):
        game = games.fold_to(log, version)
        assert game.version == version
        assert game.head == log[version - 1].hash
        if version in at_the_end_of_a_request:
            assert game == at_the_end_of_a_request[version]
        else:
            assert not game.pending
        if game.state is not None:
            for viewer in (*range(seats), None):
                assert game.ruleset.project(game.state, viewer)


def test_an_empty_log_folds_to_nothing():
    with pytest.raises(ValueError, match="empty log"):
        games.fold([])


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_the_same_seed_plays_the_same_games_under_every_hash_seed(ruleset_id, seats):
    of_the_table = [variant for *table, variant in VARIANTS if table == [ruleset_id, seats]]
    heads = [played(ruleset_id, seats, 1, variant)[-1].game.head for variant in of_the_table]
    for hash_seed in (0, 2026):
        assert _heads_in_a_process_of_its_own(ruleset_id, seats, of_the_table, hash_seed) == heads


def _heads_in_a_process_of_its_own(ruleset_id, seats, of_the_table, hash_seed):
    """Play a game of each variant in a new interpreter; its head is the hash over the whole log."""
    program = (
        "from tests.domain.play import playing\n"
        f"for variant in {of_the_table!r}:\n"
        f"    steps = list(playing({ruleset_id!r}, {seats}, 1, variant))\n"
        "    print(steps[-1].game.head)"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()


@every_table
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_evolve_records_without_judging(ruleset_id, seats, variant, data):
    """Facts that no rule would allow are recorded all the same: the log is the truth, not the rules."""
    steps = played(ruleset_id, seats, data.draw(st.integers(0, 5), "seed"), variant)
    game = data.draw(st.sampled_from([step.game for step in steps if step.game.status == "active"]), "game")
    of_the_ruleset = set(game.ruleset.events.values())
    happened = [event for step in steps for event in step.events if type(event) in of_the_ruleset]
    for event in data.draw(st.lists(st.sampled_from(happened), max_size=30), "events"):
        if facts_of(ruleset_id).has_its_subject(game.state, event):
            game = games.evolve(game, event)
    for viewer in (*range(seats), None):
        game.ruleset.project(game.state, viewer)


@every_table
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_evolve_takes_a_log_with_holes_doubles_and_swaps(ruleset_id, seats, variant, data):
    steps = played(ruleset_id, seats, data.draw(st.integers(0, 5), "seed"), variant)
    start = next(step.game for step in steps if step.game.status == "active")
    events = [event for step in steps for event in step.events if type(event) in start.ruleset.events.values()]
    first, rest = events[:1], events[1:]
    for edit in data.draw(st.lists(st.sampled_from(["drop", "double", "swap"]), min_size=1, max_size=8), "edits"):
        one, other = data.draw(st.tuples(*[st.integers(0, len(rest) - 1)] * 2), "places")
        match edit:
            case "drop":
                del rest[one]
            case "double":
                rest.insert(other, rest[one])
            case "swap":
                rest[one], rest[other] = rest[other], rest[one]
    state = start.ruleset.setup(start.options, seats)
    for event in [*first, *rest]:
        if facts_of(ruleset_id).has_its_subject(state, event):
            state = start.ruleset.evolve(state, event)
    for viewer in (*range(seats), None):
        start.ruleset.project(state, viewer)
