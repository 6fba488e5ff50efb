"""From the values that a bot has given to actions, to a thought."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from domain.ruleset import AnyRuleset
from domain.serialization import Plain, from_plain, to_plain
from workers.bots.halving import Ranking
from workers.bots.policy import Estimate, Measure, Thought

A = TypeVar("A")

Valued: TypeAlias = tuple[int, object]
"""The value of an action, in the unit of its policy, and the action."""

Errors: TypeAlias = Callable[[object, object | None], float]
"""Returns the standard error of the value of an action, or of its difference from another one, in the same unit."""


class Scale(NamedTuple):
    """How rewards become scores: divided by ``unit``, and added to the score of no reward."""

    measure: Measure
    unit: float = 1.0
    zero: float = 0.0


_AS_IT_IS: Final = Scale("points")


def best_first(valued: Iterable[Valued]) -> list[Valued]:
    """Sort actions by their value; among equals, the one weighed first stays first."""
    return sorted(valued, key=lambda each: -each[0])


def unknown(_action: object, _other: object | None) -> float:
    """Return 0, which stands for no known error."""
    return 0.0


def thought_of(
    ruleset: AnyRuleset,
    valued: Iterable[Valued],
    unit: int,
    measure: Measure = "worth",
    playouts: int = 0,
    errors: Errors = unknown,
) -> Thought:
    """Return the best action with all that were weighed, their values in units that readers know."""
    return thought_in_order(ruleset, best_first(valued), unit, measure, playouts, errors)


def thought_in_order(
    ruleset: AnyRuleset,
    ranked: Sequence[Valued],
    unit: int,
    measure: Measure,
    playouts: int,
    errors: Errors,
) -> Thought:
    """Return the first action with all that were weighed, as ``thought_of`` does."""
    most, best = ranked[0]
    estimates = tuple(
        Estimate(
            posted(ruleset, action),
            value / unit,
            errors(action, None) / unit,
            (most - value) / unit,
            errors(action, best) / unit,
        )
        for value, action in ranked
    )
    return Thought(estimates[0].action, playouts, estimates, measure)


def thought_from(ruleset: AnyRuleset, actions: Sequence[object], ranking: Ranking, scale: Scale = _AS_IT_IS) -> Thought:
    """Return the best action of a search with all that were tried, their rewards on a scale that readers know."""
    estimates = tuple(_estimate(posted(ruleset, actions[number]), ranking, number, scale) for number in ranking.order)
    return Thought(estimates[0].action, ranking.playouts, estimates, scale.measure)


def with_also(ruleset: AnyRuleset, also: Mapping[str, Plain] | None, actions: Sequence[A]) -> list[A]:
    """Return the actions to try, with one more in the form of a client's, unless it is among them."""
    if also is None or any(posted(ruleset, action) == also for action in actions):
        return [*actions]
    fields = {name: value for name, value in also.items() if name != "type"}
    more: A = from_plain(ruleset.actions[str(also["type"])], fields)
    return [*actions, more]


def _estimate(action: dict[str, Plain], ranking: Ranking, number: int, scale: Scale) -> Estimate:
    score, error, *behind = (
        found / scale.unit for found in (ranking.mean(number), ranking.error(number), *ranking.behind(number))
    )
    return Estimate(action, score + scale.zero, error, *behind)


def posted(ruleset: AnyRuleset, action: object) -> dict[str, Plain]:
    """Write an action as a client posts it."""
    name = next(name for name, cls in ruleset.actions.items() if cls is type(action))
    return {"type": name, **to_plain(action)}
