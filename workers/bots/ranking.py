"""From the values that a greedy bot has given to actions, to a thought."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from domain.ruleset import AnyRuleset
from domain.serialization import Plain, to_plain
from workers.bots.halving import Ranking
from workers.bots.policy import Estimate, Measure, Thought

Valued: TypeAlias = tuple[int, object]
"""How good an action is, in the unit of whoever weighs it, and the action."""


def best_first(valued: Iterable[Valued]) -> list[Valued]:
    """Sort actions by their value; among equals, the one weighed first stays first."""
    return sorted(valued, key=lambda each: -each[0])


def thought_of(ruleset: AnyRuleset, valued: Iterable[Valued], unit: int) -> Thought:
    """Return the best action with all that were weighed, their values in units that a reader knows."""
    ranked = best_first(valued)
    best = ranked[0][0]
    estimates = tuple(
        Estimate(posted(ruleset, action), value / unit, 0.0, (best - value) / unit) for value, action in ranked
    )
    return Thought(estimates[0].action, 0, estimates)


def thought_from(
    ruleset: AnyRuleset, actions: Sequence[object], ranking: Ranking, unit: int = 1, measure: Measure = "points"
) -> Thought:
    """Return the best action of a search with all that were tried, their rewards in units that a reader knows."""
    estimates = tuple(_estimate(posted(ruleset, actions[number]), ranking, number, unit) for number in ranking.order)
    return Thought(estimates[0].action, ranking.playouts, estimates, measure)


def _estimate(action: dict[str, Plain], ranking: Ranking, number: int, unit: int) -> Estimate:
    behind, of_behind = ranking.behind(number)
    return Estimate(action, ranking.mean(number) / unit, ranking.error(number) / unit, behind / unit, of_behind / unit)


def posted(ruleset: AnyRuleset, action: object) -> dict[str, Plain]:
    """Write an action as a client posts it."""
    name = next(name for name, cls in ruleset.actions.items() if cls is type(action))
    return {"type": name, **to_plain(action)}
