"""Actions close to a given one: each field changed to every other value that its type allows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, cast, get_args, get_origin

from domain.laws.facts import Facts
from domain.serialization import Pattern, bare, literals, plain_fields, to_plain


def changed(action: Any, facts: Facts) -> Iterator[Any]:
    """List actions that differ from this one in one place."""
    for part in plain_fields(cast("type", type(action))):
        value = getattr(action, part.name)
        left_out = [None] if part.omittable and value is not None else []
        for other in (*left_out, *_others(value, part.type, facts)):
            yield replace(action, **{part.name: other})


def same_meaning(action: Any, facts: Facts) -> Any:
    """Return what two actions share when they mean the same: lists in actions are sets, unless they are ordered."""
    name = type(action).__name__
    return name, tuple(
        (field, str(value) if (name, field) in facts.ordered else _sorted(value))
        for field, value in sorted(to_plain(action).items())
    )


def _others(value: Any, annotated: Any, facts: Facts) -> Iterator[Any]:
    tp, closed = bare(annotated), literals(bare(annotated))
    if closed is not None:
        yield from (other for other in closed if other != value)
    elif tp is bool:
        yield from (other for other in (True, False) if other != value)
    elif tp is int:
        yield from (other for other in range(-1, 9) if other != value)
    elif tp is str:
        yield from (code for code in facts.words if code != value and _is_of(annotated, code))
    elif get_origin(tp) is tuple:
        yield from _other_tuples(value, get_args(tp)[0], facts)
    elif is_dataclass(value):
        yield from changed(value, facts)


def _is_of(annotated: Any, code: str) -> bool:
    patterns = [one for one in get_args(annotated)[1:] if isinstance(one, Pattern)]
    return all(re.fullmatch(pattern.regex, code) for pattern in patterns)


def _other_tuples(items: Sequence[Any], tp: Any, facts: Facts) -> Iterator[tuple[Any, ...]]:
    yield ()
    yield tuple(reversed(items))
    for index, item in enumerate(items):
        yield (*items[:index], *items[index + 1 :])
        yield (*items, item)
        for other in _others(item, tp, facts):
            yield (*items[:index], other, *items[index + 1 :])


def _sorted(plain: Any) -> Any:
    if isinstance(plain, dict):
        return tuple((key, _sorted(value)) for key, value in sorted(plain.items()))
    if isinstance(plain, list):
        return tuple(sorted(map(_sorted, plain)))
    return plain
