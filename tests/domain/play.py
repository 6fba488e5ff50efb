"""Random games of the built-in rulesets, by the id of the ruleset: ``domain.laws.play`` for tests of this project."""

import os
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

import pytest

from domain.laws import play
from domain.laws.play import Step, log_of, written
from domain.registry import BUILT_IN, RULESETS
from tests.domain.laws.facts import short, table_of, variants

__all__ = [
    "FULL",
    "GAMES",
    "LARGEST",
    "OUTERMOST",
    "SEATS_OF_LE_PLATEAU",
    "SMALLEST",
    "TABLES",
    "VARIANTS",
    "Step",
    "log_of",
    "part",
    "played",
    "playing",
    "seeds",
    "starting",
    "written",
]

GAMES = Fraction(os.environ.get("GAMES", "1/4"))
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


def part(count: int) -> int:
    """Return how many of so many samples are taken."""
    return ceil(count * GAMES)


def seeds(count: int) -> range:
    """Return the seeds of random games."""
    return range(part(count))


def starting(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Create a game with open seats and fill them; every other player brings a seed."""
    return play.starting(RULESETS[ruleset_id], seats, seed, short(ruleset_id) | options)


def playing(ruleset_id: str, seats: int, seed: int, variant: str = "", **more: Any) -> Iterator[Step]:
    """Play one whole random game, with the options of a variant."""
    return play.playing(table_of(ruleset_id, seats, variant), seed, **more)


def played(ruleset_id: str, seats: int, seed: int, variant: str = "") -> tuple[Step, ...]:
    """Return all the steps of a random game; each process plays it once."""
    return play.played(table_of(ruleset_id, seats, variant), seed)
