"""A game is the fold of its log, the same on every machine, at every request."""

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

from domain.game import aggregate, history
from domain.laws.law import of_a_ruleset, of_every_variant, of_games, some
from domain.laws.play import Table, active, events_of, log_of, played, tables
from domain.log.record import Record
from domain.serialization import changed
from domain.table import EVERYTHING

EXAMPLES = 200
FOLDED = 6000
"""How many records of one game are folded from its first event on: for all versions it would be half the square."""


@of_games(3)
def folding_the_log_gives_the_game_at_every_request(table: Table, seed: int) -> None:
    """From its first event on; in a long game, up to requests drawn at random."""
    steps = played(table, seed)
    log = log_of(steps)
    for step in some(random.Random(seed), steps, _affordable(log)):
        assert history.fold(log[: step.game.version]) == step.game
    assert history.fold(log) == steps[-1].game


@of_games(3)
def folding_request_by_request_gives_the_game(table: Table, seed: int) -> None:
    """As in a process that caches the game."""
    game = None
    for step in played(table, seed):
        game = history.fold(step.records, game)
        assert game == step.game


@of_games(3)
def a_cached_game_and_the_records_after_it_give_the_game(table: Table, seed: int) -> None:
    """However far behind the cached game is."""
    steps = played(table, seed)
    log = log_of(steps)
    rng = random.Random(seed)
    for _ in range(20):
        cached, later = sorted(rng.sample(range(len(steps)), 2))
        tail = log[steps[cached].game.version : steps[later].game.version]
        assert history.fold(tail, steps[cached].game) == steps[later].game


@of_games(3)
def a_snapshot_and_the_records_after_it_give_the_game_at_every_version(table: Table, seed: int) -> None:
    """Also a snapshot within a request, and in a log of one request alone."""
    rng, parts = random.Random(seed), log_of(played(table, seed))
    for log in (parts, [replace(record, request="rq_one") for record in parts[:200]]):
        taken = list(history.snapshots(log, 16))
        assert taken[-1].ended() == history.fold(log)
        for start in some(rng, taken, 4):
            for version in some(rng, range(start.version, len(log)), 4):
                *_, last = (start, *history.snapshots(log[start.version : version], 1000, start))
                assert last.until(log[version]) == history.fold_to(log, version)


@of_every_variant
def every_version_folds_and_projects_for_every_viewer(table: Table) -> None:
    """Also between the events of one request, where no seat is to act."""
    steps = played(table, 0)
    log = log_of(steps)
    from_the_start = set(some(random.Random(f"versions {table}"), range(1, len(log) + 1), _affordable(log)))
    for step in steps:
        for count, record in enumerate(step.records, 1):
            is_last = count == len(step.records)
            game = history.fold(step.records[:count], step.before)
            if record.version in from_the_start:
                shown = game if is_last else changed(game, pending={}, waiting_for=())
                assert history.fold_to(log, record.version) == shown
            if is_last:
                assert game == step.game
            assert (game.version, game.head) == (record.version, record.hash)
            if game.state is not None:
                for viewer in (*range(table.seats), None, EVERYTHING):
                    assert game.ruleset.project(game.state, viewer)


def _affordable(log: Sequence[Record]) -> int:
    """Return how many versions of a game can be folded from its first event on."""
    return 2 * FOLDED // len(log)


@of_a_ruleset
def the_same_seed_plays_the_same_games_under_every_hash_seed(table: Table) -> None:
    """With every number of players and variant: a set keyed by text must not decide an order."""
    every = list(tables(table.ruleset, table.facts))
    heads = [played(each, 1)[-1].game.head for each in every]
    for hash_seed in (0, 2026):
        assert _heads_in_a_process_of_its_own(every, hash_seed) == heads


def _heads_in_a_process_of_its_own(every: Sequence[Table], hash_seed: int) -> list[str]:
    """Play a game at each table in a new interpreter, and return the hashes of the logs."""
    games = [(each.ruleset.id, each.seats, 1, {**each.facts.short, **each.options}, each.variant)
             for each in every]  # fmt: skip
    program = f"from domain.laws.play import head_of\nfor each in {games!r}:\n    print(head_of(*each))"
    environ = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@of_every_variant
def evolve_records_without_judging(table: Table) -> None:
    """Facts that the rules do not allow are recorded too: the log is the truth, not the rules."""
    rng = random.Random(f"any facts {table}")
    for _ in range(EXAMPLES):
        steps = played(table, rng.randrange(6))
        game = rng.choice(active(steps))
        for event in rng.choices(events_of(steps), k=rng.randrange(31)):
            if table.facts.has_its_subject(game.state, event):
                game = aggregate.evolve(game, event)
        for viewer in (*range(table.seats), None):
            game.ruleset.project(game.state, viewer)


@of_every_variant
def evolve_takes_a_log_with_holes_doubles_and_swaps(table: Table) -> None:
    """Whatever is wrong with a log, its events are recorded."""
    rng = random.Random(f"damaged logs {table}")
    for _ in range(EXAMPLES):
        steps = played(table, rng.randrange(6))
        start = active(steps)[0]
        first, *rest = events_of(steps)
        for _ in range(rng.randint(1, 8)):
            _spoil(rest, rng)
        state = start.ruleset.setup(start.options, table.seats)
        for event in [first, *rest]:
            if table.facts.has_its_subject(state, event):
                state = start.ruleset.evolve(state, event)
        for viewer in (*range(table.seats), None):
            start.ruleset.project(state, viewer)


def _spoil(events: list[object], rng: random.Random) -> None:
    one, other = rng.randrange(len(events)), rng.randrange(len(events))
    match rng.choice(("drop", "double", "swap")):
        case "drop":
            del events[one]
        case "double":
            events.insert(other, events[one])
        case _:
            events[one], events[other] = events[other], events[one]
