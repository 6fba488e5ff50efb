"""The results of a deal set, from the tables at which it was played."""

from collections.abc import Sequence
from dataclasses import asdict

from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.results import Results, results
from domain.log import chain
from service.deal_sets.store import Opened


def results_of(one: DealSet, opened: Sequence[Opened]) -> Results:
    """Compare the tables of a set; the bots' own tables, which the set itself opened, give the par."""
    par = {each.table.number: each.table.score for each in opened if each.table.player == one.id}
    tables = [each.table for each in opened if each.table.player != one.id]
    ranked = {each.table.player for each in opened if each.is_ranked}
    scores = {number: score for number, score in par.items() if score is not None}
    return results(tables, ranked, scores, one.numbers)


def written(one: DealSet, reached: Results) -> bytes:
    """Write results in the canonical form, of which the log of the set has the SHA-256."""
    return chain.canonical({"set": one.id, **asdict(reached)})
