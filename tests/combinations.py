"""Play every combination of options that the rules allow, and check the laws: ``make combinations``.

    python -m tests.combinations [--ruleset le-plateau] [--seats 4] [--seed 0] [--jobs 2]

Too much for every run of the tests, which try each value of each option. Every combination plays one whole random game;
all laws of domain/laws that hold for one game are applied to it, and the hands of the card games are judged by
the second opinions of their own tests.
"""

import argparse
import itertools
import os
import random
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from math import prod
from typing import TypeAlias

from domain.field_types import fields_of, is_closed
from domain.laws import LAWS, Case, Law, take_back
from domain.laws import play as laws_play
from domain.options import Choice
from domain.registry import RULESETS
from domain.serialization import Plain
from tests.domain.french_tarot.whole_deals import judge_match
from tests.domain.laws.facts import table_of
from tests.domain.le_plateau.judging import judge_hands
from tests.domain.plute.referee import judge_game

MOST_COMBINATIONS = 2000
Table = tuple[str, int, str]
Chosen: TypeAlias = Mapping[str, Plain]
Pair: TypeAlias = tuple[tuple[str, Plain], tuple[str, Plain]]


def combinations(ruleset_id: str, seats: int) -> Iterator[str]:
    """List the allowed combinations of options with a closed set of values, each written like "deck=full".

    Where they are too many, there are as few of them as show every value beside every value of every other option.
    """
    ruleset = RULESETS[ruleset_id]
    choices = ruleset.options.choices(seats)
    values = {f.key: choices[f.key].values or () for f in fields_of(ruleset.options.shape) if is_closed(f.type)}
    if prod(map(len, values.values())) > MOST_COMBINATIONS:
        found: Iterable[Chosen] = pairwise(values, choices)
    else:
        every = (dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))
        found = (chosen for chosen in every if is_allowed(chosen, choices))
    for chosen in found:
        yield " ".join(f"{name}={_written(value)}" for name, value in chosen.items() if value is not None)


def _written(value: Plain) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_allowed(chosen: Chosen, choices: Mapping[str, Choice]) -> bool:
    """Return whether every value has what it needs beside it."""
    return all(_has_its_needs(value, choices[name], chosen) for name, value in chosen.items())


def _has_its_needs(value: Plain, choice: Choice, chosen: Chosen) -> bool:
    return all(chosen[other] in wanted for other, wanted in choice.needs.get(value, {}).items())


def pairwise(values: Mapping[str, Sequence[Plain]], choices: Mapping[str, Choice], tries: int = 60) -> list[Chosen]:
    """Choose combinations that show every pair of values that can be seen together, the best of some at each step."""
    rng = random.Random("pairs")
    found: list[Chosen] = []
    seen: set[Pair] = set()
    fruitless = 0
    while fruitless < 3:
        drawn = [_drawn(values, choices, rng) for _ in range(tries)]
        best = max(drawn, key=lambda chosen: len({*pairs(chosen)} - seen))
        fruitless = 0 if {*pairs(best)} - seen else fruitless + 1
        found += [] if fruitless else [best]
        seen |= {*pairs(best)}
    return found


def pairs(chosen: Chosen) -> Iterator[Pair]:
    """List the pairs of values of a combination."""
    return itertools.combinations(chosen.items(), 2)


def _drawn(values: Mapping[str, Sequence[Plain]], choices: Mapping[str, Choice], rng: random.Random) -> Chosen:
    """Draw a combination: values at random, then others for those that do not have what they need."""
    while True:
        chosen = {name: rng.choice(possible) for name, possible in values.items()}
        for name, value in chosen.items():
            if not _has_its_needs(value, choices[name], chosen):
                fitting = [other for other in values[name] if _has_its_needs(other, choices[name], chosen)]
                chosen[name] = rng.choice(fitting or [value])
        if is_allowed(chosen, choices):
            return chosen


def laws(ruleset_id: str) -> list[Law]:
    """List the laws that can be checked with one game of a ruleset."""
    return [law for law in LAWS if law.scope in ("variant", "game") and law.concerns(RULESETS[ruleset_id])]


def judge(ruleset_id: str, seats: int, seed: int, variant: str) -> None:
    """Judge every hand of a game by a second opinion, where there is one."""
    if ruleset_id == "plute":
        judge_game(seed, variant)
    if ruleset_id == "french-tarot":
        judge_match(seats, variant, seed)
    if ruleset_id == "le-plateau":
        judge_hands(seats, seed, variant)


def failures(table: Table, seed: int) -> list[str]:
    """Play a combination; return what went wrong."""
    ruleset_id, seats, variant = table
    at = table_of(ruleset_id, seats, variant)
    checks = {law.name: Case(law, at, seed if law.seeds else None).check for law in laws(ruleset_id)}
    wrong = []
    for name, check in (checks | {"a second opinion": partial(judge, ruleset_id, seats, seed, variant)}).items():
        try:
            check()
        except Exception:  # noqa: BLE001 - whatever it is, the other laws and combinations are tried as well
            wrong.append(f"{name}\n{traceback.format_exc()}")
    laws_play.played.cache_clear()
    take_back.with_detours.cache_clear()
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
        (ruleset.id, seats, variant)
        for ruleset in RULESETS.values()
        for seats in ruleset.seats
        if wanted.ruleset in (None, ruleset.id) and wanted.seats in (None, seats)
        for variant in combinations(ruleset.id, seats)
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
