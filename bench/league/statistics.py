"""Figures of a league: means with intervals over deals, times, and ratings. A deal counts once, with all its games."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from openskill.models import PlackettLuce

from bench.league.duels import STEPS_A_DECADE, lead, share
from bench.league.results import Results

NORMAL = 1.96
"""Standard errors on either side of a mean within which the truth lies 95 times of 100."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over deals, and how far the 95 % interval reaches on either side; None for a single deal."""

    value: float
    reach: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """Return the mean of some values and its interval."""
        return cls(fmean(values), NORMAL * stdev(values) / sqrt(len(values)) if len(values) > 1 else None)


def shares(deals: Iterable[Mapping[str, Any]]) -> list[float]:
    """Return the win share of the first bot in each deal."""
    return [fmean(map(share, record["games"])) for record in deals]


def leads(deals: Iterable[Mapping[str, Any]]) -> list[float]:
    """Return by how much the first bot scored more, in each deal."""
    return [fmean(map(lead, record["games"])) for record in deals]


def milliseconds(times: Mapping[int, int], part: float) -> float:
    """Return the time below which a part of the moves were made, within a tenth."""
    wanted, seen = part * sum(times.values()), 0
    for step in sorted(times):
        seen += times[step]
        if seen >= wanted:
            return float(1000 * 10 ** (step / STEPS_A_DECADE))
    raise ValueError("no moves")


def times_of(deals: Iterable[Mapping[str, Any]], bot: int) -> Counter[int]:
    """Add up how long the moves of one of the two bots took."""
    total: Counter[int] = Counter()
    for record in deals:
        total.update({int(step): many for step, many in record["counted"][bot]["times"].items()})
    return total


def manners_of(deals: Iterable[Mapping[str, Any]], bot: int) -> dict[str, tuple[int, int]]:
    """Add up the chances that one of the two bots had to break each rule, and how often it did."""
    total: dict[str, tuple[int, int]] = {}
    for record in deals:
        for rule, (chances, broken) in record["counted"][bot].get("manners", {}).items():
            had, did = total.get(rule, (0, 0))
            total[rule] = had + chances, did + broken
    return total


def ratings(results: Results, labels: Mapping[str, tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Rate the bots by all their deals, in the order of the deals: mean and standard deviation; everyone begins at 25.

    A deal is one match, won by the bot with the greater share of it.
    """
    model = PlackettLuce()
    rated = {label: model.rating(name=label) for pair in labels.values() for label in pair}
    for number in sorted({number for deals in results.values() for number in deals}):
        for key in sorted(results):
            if number in results[key]:
                one, other = labels[key]
                [part] = shares([results[key][number]])
                [[rated[one]], [rated[other]]] = model.rate([[rated[one]], [rated[other]]], scores=[part, 1 - part])
    return {label: (rating.mu, rating.sigma) for label, rating in rated.items()}
