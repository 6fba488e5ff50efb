"""Play every combination of options that the rules allow, and hold it against the laws: ``make combinations``.

    python -m tests.combinations [--ruleset le-plateau] [--seats 4] [--seed 0] [--jobs 2]

Too much for every run of the tests, which try each value of each option. Every combination plays one whole random game;
all laws of tests/domain/laws that hold for one game are applied to it, and the hands of Le Plateau and Plute are judged
by the second opinions of their own tests.
"""

import argparse
import inspect
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import Any

from domain.plain import literals, optional, plain_fields
from domain.registry import RULESETS
from tests.domain.laws import (
    test_hidden_cards,
    test_legality,
    test_non_interference,
    test_notation,
    test_replay,
    test_reprs,
)
from tests.domain.le_plateau import test_whole_hands
from tests.domain.play import played
from tests.domain.plute import test_whole_hands as whole_hands_of_plute

LAWS = (test_hidden_cards, test_legality, test_non_interference, test_notation, test_replay, test_reprs)
SLOW = {"test_the_same_seed_plays_the_same_game_under_every_hash_seed"}
Table = tuple[str, int, str]


def combinations(ruleset_id: str, seats: int) -> Iterator[str]:
    """List the allowed combinations of options with a closed set of values, each written like "deck=full"."""
    ruleset = RULESETS[ruleset_id]
    choices = ruleset.choices(seats)
    closed = [f.key for f in plain_fields(ruleset.OPTIONS) if f.type is bool or literals(optional(f.type) or f.type)]
    for values in product(*(choices[name].values or () for name in closed)):
        chosen = dict(zip(closed, values, strict=True))
        needed = [needs for name, value in chosen.items() for needs in choices[name].needs.get(value, {}).items()]
        if all(chosen[other] in wanted for other, wanted in needed):
            yield " ".join(f"{name}={str(value).lower()}" for name, value in chosen.items() if value is not None)


def laws() -> Iterator[Callable[..., None]]:
    """Give every law that one game can be held against."""
    for module in LAWS:
        for name, law in inspect.getmembers(module, inspect.isfunction):
            of_a_game = {"ruleset_id", "variant"} <= {*inspect.signature(law).parameters}
            if name.startswith("test_") and of_a_game and name not in SLOW:
                yield law


def judge(ruleset_id: str, seats: int, seed: int, variant: str) -> None:
    """Judge every hand of a game by a second opinion, where there is one."""
    if ruleset_id == "plute":
        whole_hands_of_plute.test_a_referee_who_keeps_the_score_by_pencil_comes_to_the_same(variant, seed)
    if ruleset_id != "le-plateau":
        return
    options = played(ruleset_id, seats, seed, variant)[0].game.options
    for hand in test_whole_hands.hands_of(seats, seed, variant):
        if test_whole_hands.first(hand, test_whole_hands.ev.HandWon):
            test_whole_hands.judge(seats, hand, options)
            test_whole_hands.judge_scores(seats, hand, options)


def failures(table: Table, seed: int) -> list[str]:
    """Play a combination; give what went wrong."""
    ruleset_id, seats, variant = table
    given: dict[str, Any] = {"ruleset_id": ruleset_id, "seats": seats, "variant": variant, "seed": seed}
    wrong = []
    without_text = RULESETS[ruleset_id].NOTATION is None
    for law in (*laws(), judge):
        if law.__module__ == test_notation.__name__ and without_text:
            continue
        try:
            law(**{name: given[name] for name in inspect.signature(law).parameters})
        except Exception:  # noqa: BLE001 - whatever it is, the other laws and combinations are tried as well
            wrong.append(f"{law.__name__}\n{traceback.format_exc()}")
    played.cache_clear()
    return wrong


def main() -> None:
    """Play them all, with a line for each; exit with 1 if a law was broken."""
    parser = argparse.ArgumentParser(description="Hold every combination of options against the laws.")
    parser.add_argument("--ruleset", choices=[*RULESETS], help="one game only")
    parser.add_argument("--seats", type=int, help="one number of players only")
    parser.add_argument("--seed", type=int, default=0, help="seed of the games (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (%(default)s)")
    wanted = parser.parse_args()
    tables = [
        (ruleset.ID, seats, variant)
        for ruleset in RULESETS.values()
        for seats in ruleset.SEATS
        if wanted.ruleset in (None, ruleset.ID) and wanted.seats in (None, seats)
        for variant in combinations(ruleset.ID, seats)
    ]
    broken, began = 0, time.monotonic()
    with ProcessPoolExecutor(wanted.jobs) as pool:
        results = pool.map(failures, tables, [wanted.seed] * len(tables))
        for number, (table, wrong) in enumerate(zip(tables, results, strict=True), start=1):
            broken += bool(wrong)
            progress = f"{number:4}/{len(tables)} {time.monotonic() - began:5.0f} s"
            print(progress, "BROKEN" if wrong else "ok    ", *table, *wrong, sep="  ", flush=True)
    sys.exit(f"{broken} of {len(tables)} combinations break a law" if broken else 0)


if __name__ == "__main__":
    main()
