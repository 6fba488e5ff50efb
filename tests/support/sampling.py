"""How many samples tests take, and which tables they play at: every ruleset with each number of players."""

import os
from fractions import Fraction
from math import ceil
from typing import Any

import pytest

from domain.registry import BUILT_IN, RULESETS
from tests.domain.laws.facts import variants

GAMES = Fraction(os.environ.get("GAMES", "1/8"))
"""The part of the random games and other samples that is taken: all with 1, as by ``make long``, twice that with 2."""

TABLES = [(ruleset.id, seats) for ruleset in BUILT_IN for seats in ruleset.seats]
"""Every built-in ruleset with every number of players it can be played by."""

SMALLEST = list({ruleset_id: (ruleset_id, seats) for ruleset_id, seats in reversed(TABLES)}.values())
"""Every built-in ruleset with the fewest players."""

LARGEST = list({ruleset_id: (ruleset_id, seats) for ruleset_id, seats in TABLES}.values())
"""Every built-in ruleset with the most players."""

OUTERMOST = [table if table in SMALLEST + LARGEST else pytest.param(*table, marks=pytest.mark.long) for table in TABLES]
"""Every built-in ruleset with the fewest and the most players; ``make long`` has those in between, too."""

FULL = [table if table in LARGEST else pytest.param(*table, marks=pytest.mark.long) for table in TABLES]
"""Every built-in ruleset with the most players, so with most secrets; ``make long`` has all numbers."""

SEATS_OF_LE_PLATEAU = [2, *(pytest.param(seats, marks=pytest.mark.long) for seats in (3, 4, 5)), 6]
"""Le Plateau with two and six players; ``make long`` has the numbers in between, too."""

VARIANTS = [
    (ruleset_id, seats, variant) for ruleset_id, seats in TABLES for variant in ("", *variants(ruleset_id, seats))
]
"""Every table without options (variant ""), and with those that show all the values of every option."""


def every_table(ruleset_id: str = "") -> list[Any]:
    """List every table with every variant, of one ruleset or of all, for parametrize.

    Marked as long are all but the fewest players, the most and a number between, each without options and with one
    variant.
    """
    return [
        table if _is_daily(*table) else pytest.param(*table, marks=pytest.mark.long)
        for table in dict.fromkeys(VARIANTS)
        if ruleset_id in ("", table[0])
    ]


def tables_of(ruleset_id: str) -> list[Any]:
    """List the tables of a ruleset as (players, variant), for parametrize; marked as long are the same as above."""
    found = [(seats, variant) for each, seats, variant in dict.fromkeys(VARIANTS) if each == ruleset_id]
    return [table if _is_daily(ruleset_id, *table) else pytest.param(*table, marks=pytest.mark.long) for table in found]


def _is_daily(ruleset_id: str, seats: int, variant: str) -> bool:
    numbers = RULESETS[ruleset_id].seats
    kinds = variants(ruleset_id, seats)
    return seats in {numbers[0], numbers[len(numbers) // 2], numbers[-1]} and variant in {"", kinds[seats % len(kinds)]}


def part(count: int) -> int:
    """Return how many of so many samples are taken."""
    return ceil(count * GAMES)


def seeds(count: int) -> range:
    """Return the seeds of random games."""
    return range(part(count))
