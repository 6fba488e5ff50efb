"""Figures of a league: means with intervals over deals, times, and ratings. A deal counts once, with all its games."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import pi, sqrt, tan
from statistics import NormalDist, fmean, stdev

from openskill.models import PlackettLuce

from bench.league.duels import STEPS_A_DECADE
from bench.league.summaries import Bot, Summary

BEYOND = 0.025
"""The part of cases beyond either end of a 95 % interval."""
_NORMAL = NormalDist().inv_cdf(1 - BEYOND)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over deals, and how far the 95 % interval reaches on either side.

    ``reach`` is None if it cannot be estimated: for a single deal, and if all have the same value.
    """

    value: float
    reach: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """Return the mean of some values and its interval, by Student's distribution."""
        value, spread = fmean(values), stdev(values) if len(values) > 1 else 0.0
        return cls(value, student(len(values) - 1) * spread / sqrt(len(values)) if spread else None)

    @classmethod
    def of_shares(cls, values: Sequence[float]) -> "Mean":
        """Return a mean share. If all are 0, or all are 1, the interval reaches to one side only.

        Its end is the probability of another value with which so many deals would still all be equal in 2.5 % of cases;
        that other value can be any share.
        """
        mean = cls.of(values)
        return cls(mean.value, 1 - BEYOND ** (1 / len(values))) if mean.value in {0, 1} else mean


def student(degrees: int) -> float:
    """Return how many standard errors a 95 % interval reaches, by the degrees of freedom.

    Exact for one and two; otherwise the expansion of Fisher and Cornish, within four thousandths.
    """
    if degrees == 1:
        return tan(pi * (0.5 - BEYOND))
    if degrees == 2:
        return (1 - 2 * BEYOND) / sqrt(2 * BEYOND * (1 - BEYOND))
    z, terms = _NORMAL, _NORMAL
    terms += (z**3 + z) / (4 * degrees)
    terms += (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
    terms += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
    return terms + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * degrees**4)


def milliseconds(times: Mapping[int, int], part: float) -> float:
    """Return the time below which a part of the moves were made, within a tenth."""
    wanted, seen = part * sum(times.values()), 0
    for step in sorted(times):
        seen += times[step]
        if seen >= wanted:
            return float(1000 * 10 ** (step / STEPS_A_DECADE))
    raise ValueError("no moves")


def ratings(duels: Iterable[Summary]) -> dict[Bot, tuple[float, float]]:
    """Rate the bots by all their deals, in the order of the deals: mean and standard deviation; all begin at 25.

    A deal is one match, won by the bot with the larger share of it.
    """
    found, model = [*duels], PlackettLuce()
    rated = {bot: model.rating(name=bot.label) for each in found for bot in each.bots}
    for number in sorted({number for each in found for number in each.deals}):
        for each in (each for each in found if number in each.deals):
            one, other = each.bots
            part, _ = each.deals[number]
            [[rated[one]], [rated[other]]] = model.rate([[rated[one]], [rated[other]]], scores=[part, 1 - part])
    return {bot: (rating.mu, rating.sigma) for bot, rating in rated.items()}
