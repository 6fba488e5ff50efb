"""The laws that every ruleset keeps, for the tests of this project and of packages that bring a ruleset.

    from domain.laws import Facts, cases

    @pytest.mark.parametrize("case", cases(RULESET, FACTS), ids=str)
    def test_the_ruleset_keeps_its_laws(case):
        case.check()

Laws play random games and look at every step of them. They need no test framework; what they cannot find out by
themselves is described in ``Facts``.
"""

import sys

from domain.laws import (
    audits,
    bots,
    cribs,
    deal_secrets,
    draws,
    fair_draws,
    forks,
    full_knowledge,
    hidden_cards,
    hostile_requests,
    legality,
    length,
    non_interference,
    notation,
    pictures,
    replay,
    reprs,
    sentences,
    symmetries,
    take_back,
    tutorials,
    variants,
)
from domain.laws.facts import Facts
from domain.laws.law import Case, Law
from domain.laws.play import tables
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset

__all__ = ["LAWS", "Case", "Facts", "Law", "cases"]

_MODULES = (
    legality,
    hidden_cards,
    full_knowledge,
    forks,
    non_interference,
    replay,
    reprs,
    draws,
    audits,
    deal_secrets,
    pictures,
    sentences,
    cribs,
    tutorials,
    bots,
    notation,
    take_back,
    hostile_requests,
    variants,
    length,
    fair_draws,
    symmetries,
)

LAWS: tuple[Law, ...] = tuple(each for module in _MODULES for each in vars(module).values() if isinstance(each, Law))


def cases(ruleset: AnyRuleset, facts: Facts, games: int = 1) -> list[Case]:
    """List the cases of every law for a ruleset, with ``games`` times as many games; the ruleset must be installed."""
    if sys.flags.optimize:
        raise RuntimeError("the laws are assertions: run Python without -O")
    if RULESETS.get(ruleset.id) is not ruleset:
        raise LookupError(f"{ruleset.id} is not installed: run 'pip install -e .' beside its pyproject.toml first")
    at = list(tables(ruleset, facts))
    return [case for law in LAWS for case in law.cases(at, games)]
