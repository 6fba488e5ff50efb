"""Conditions on a view: small, pure and total, so any condition of the documented form is true or false for any view.

A condition is plain data: a comparison of the value at a path, or ``all``, ``any`` or ``not`` of other conditions. A
path is a JSON pointer in which ``*`` matches every item of a list or an object; the comparison holds if it does for
some value at the path. If there is no value at the path, no comparison holds, not even ``ne``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from domain.serialization import Plain

Condition: TypeAlias = Mapping[str, Any]

MOST_LEVELS = 8
"""How deep conditions can be nested."""
MOST_STARS = 2
"""How many ``*`` a path can have. A path visits no place twice, so its cost is bounded by the size of the view."""

EVERY = "*"


def holds(condition: Condition, view: Plain) -> bool:
    if "all" in condition:
        return all(holds(part, view) for part in condition["all"])
    if "any" in condition:
        return any(holds(part, view) for part in condition["any"])
    if "not" in condition:
        return not holds(condition["not"], view)
    compare, value = COMPARISONS[condition["op"]], condition.get("value")
    return any(compare(found, value) for found in places(view, steps_of(condition["path"])))


def steps_of(path: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]


def places(node: Plain, steps: Sequence[str]) -> Iterator[Plain]:
    """Return the values to which the steps of a path lead from a node."""
    if not steps:
        yield node
        return
    step, *rest = steps
    for child in _below(node, step):
        yield from places(child, rest)


def _below(node: Plain, step: str) -> Iterable[Plain]:
    if isinstance(node, dict):
        return node.values() if step == EVERY else [node[step]] if step in node else []
    if isinstance(node, list):
        return node if step == EVERY else [node[int(step)]] if _is_index(step) and int(step) < len(node) else []
    return []


def _is_index(step: str) -> bool:
    """Return whether a step is a position in a list, as JSON pointers write it."""
    return step.isascii() and step.isdigit() and len(step) <= 4 and (step == "0" or step[0] != "0")


def _kind(value: Plain) -> str:
    """Return the type of a scalar in JSON, '' for a list or an object, which equal nothing."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else "string" if isinstance(value, str) else ""


def _equal(found: Plain, value: Plain) -> bool:
    return _kind(found) == _kind(value) != "" and bool(found == value)


def _numbers(compare: Callable[[Any, Any], bool]) -> Callable[[Plain, Plain], bool]:
    return lambda found, value: _kind(found) == _kind(value) == "number" and compare(found, value)


def _texts(compare: Callable[[str, str], bool]) -> Callable[[Plain, Plain], bool]:
    return lambda found, value: isinstance(found, str) and isinstance(value, str) and compare(found, value)


COMPARISONS: Mapping[str, Callable[[Plain, Plain], bool]] = {
    "eq": _equal,
    "ne": lambda found, value: not _equal(found, value),
    "in": lambda found, value: isinstance(value, list) and any(_equal(found, each) for each in value),
    "lt": _numbers(lambda found, value: found < value),
    "le": _numbers(lambda found, value: found <= value),
    "gt": _numbers(lambda found, value: found > value),
    "ge": _numbers(lambda found, value: found >= value),
    "starts_with": _texts(str.startswith),
    "ends_with": _texts(str.endswith),
    "exists": lambda _found, _value: True,
}
"""The comparisons of a value in the view with the value of the condition."""
