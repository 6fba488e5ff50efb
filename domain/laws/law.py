"""A law, and the cases in which it is checked.

Laws are functions of a table, or of a table and a seed.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar
from warnings import catch_warnings, filterwarnings

from domain.laws.play import Table
from domain.ruleset import AnyRuleset

Scope: TypeAlias = Literal["ruleset", "table", "variant", "game"]
"""The cases of a law: the ruleset once, every number of players, every variant, or several games of each."""

Check: TypeAlias = Callable[..., None]
E = TypeVar("E", bound=Exception)
T = TypeVar("T")


def _every_ruleset(_: AnyRuleset) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Law:
    """A function that fails if a ruleset breaks the law; ``seeds`` is the number of games, 0 if it takes none."""

    check: Check
    scope: Scope
    seeds: int
    concerns: Callable[[AnyRuleset], bool] = _every_ruleset

    @property
    def name(self) -> str:
        """Return the law in words."""
        return self.check.__name__.replace("_", " ")

    def cases(self, tables: Sequence[Table], games: int) -> Iterator["Case"]:
        """List the cases of one ruleset, with ``games`` times as many seeds."""
        for table in self._of_scope(tables):
            if not self.seeds:
                yield Case(self, table)
            for seed in range(self._seeds_at(table) * games):
                yield Case(self, table, seed)

    def _of_scope(self, tables: Sequence[Table]) -> Sequence[Table]:
        if not self.concerns(tables[0].ruleset):
            return ()
        if self.scope in ("variant", "game"):
            return tables
        plain = [table for table in tables if not table.variant]
        return plain[:1] if self.scope == "ruleset" else plain

    def _seeds_at(self, table: Table) -> int:
        """Return the number of games: a third as many with options, and of long games."""
        is_reduced = self.scope == "game" and (table.variant or table.facts.short)
        return max(1, self.seeds // 3) if self.seeds and is_reduced else self.seeds


@dataclass(frozen=True, slots=True)
class Case:
    """A law to check at one table, with a seed if the law takes one."""

    law: Law
    table: Table
    seed: int | None = None

    def check(self) -> None:
        """Fail if the law is broken; the failure carries the law in words."""
        try:
            with catch_warnings():  # a message without words is spelled for readers, but breaks every law about words
                filterwarnings("error", message=".* cannot say ")
                self.law.check(*(self.table,) if self.seed is None else (self.table, self.seed))
        except Exception as error:
            error.add_note(f"broken law: {self}")
            raise

    def __str__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"{self.law.name}: {self.table}{seed}"


def of_a_ruleset(check: Check) -> Law:
    """Declare a law that is checked once."""
    return Law(check, "ruleset", 0)


def of_rulesets(concerned: Callable[[AnyRuleset], bool]) -> Callable[[Check], Law]:
    """Declare a law that is checked once for each ruleset that it concerns."""
    return lambda check: Law(check, "ruleset", 0, concerned)


def of_every_table(check: Check) -> Law:
    """Declare a law that is checked with every number of players."""
    return Law(check, "table", 0)


def of_every_variant(check: Check) -> Law:
    """Declare a law that is checked with every number of players and every variant."""
    return Law(check, "variant", 0)


def of_games(seeds: int) -> Callable[[Check], Law]:
    """Declare a law that is checked in a number of games of every variant."""
    return lambda check: Law(check, "game", seeds)


def refused(kinds: type[E] | tuple[type[E], ...], attempt: Callable[..., object], *arguments: object) -> E:
    """Return the error that rejects an attempt; fail if there is none."""
    try:
        attempt(*arguments)
    except kinds as error:
        return error
    raise AssertionError(f"this was not refused: {attempt} {arguments}"[:500])


def some(rng: random.Random, items: Sequence[T], most: int) -> list[T]:
    """Return this many of the items at random, or all if there are fewer."""
    return rng.sample(items, most) if len(items) > most else list(items)
