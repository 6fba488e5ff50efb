"""Actions close to a given one: each field changed to every other value that its type allows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from domain import field_types as ft
from domain.laws.facts import Facts
from domain.serialization import Plain, to_plain


def changed(action: Any, facts: Facts) -> Iterator[object]:
    """List actions that differ from this one in one place."""
    for part in ft.fields_of(type(action)):
        value = getattr(action, part.name)
        left_out = [None] if part.omittable and value is not None else []
        for other in (*left_out, *_others(value, part.type, facts)):
            yield replace(action, **{part.name: other})


def same_meaning(action: object, facts: Facts) -> object:
    """Return the same value for two actions that mean the same: lists in actions are sets, unless they are ordered."""
    name = type(action).__name__
    return name, tuple(
        (field, str(value) if (name, field) in facts.ordered else _sorted(value))
        for field, value in sorted(to_plain(action).items())
    )


def _others(value: Plain, tp: ft.FieldType, facts: Facts) -> Iterator[object]:
    match tp:
        case ft.OrNone(inner):
            yield from _others(value, inner, facts)
        case ft.OneOf(values):
            yield from (other for other in values if other != value)
        case ft.Boolean() | ft.Integer():
            usual = (True, False) if isinstance(tp, ft.Boolean) else range(-1, 9)
            yield from (other for other in usual if other != value)
        case ft.Text(pattern):
            yield from (code for code in facts.words if code != value and _is_of(pattern, code))
        case ft.ListOf(item):
            yield from _other_tuples(value, item, facts)
        case ft.Nested():
            yield from changed(value, facts)
        case _:
            raise TypeError(f"actions hold no values of the type {tp}")


def _is_of(pattern: ft.Pattern | None, code: str) -> bool:
    return pattern is None or re.fullmatch(pattern.regex, code) is not None


def _other_tuples(items: Sequence[object], tp: ft.FieldType, facts: Facts) -> Iterator[tuple[object, ...]]:
    yield ()
    yield tuple(reversed(items))
    for index, item in enumerate(items):
        yield (*items[:index], *items[index + 1 :])
        yield (*items, item)
        for other in _others(item, tp, facts):
            yield (*items[:index], other, *items[index + 1 :])


def _sorted(plain: Plain) -> Plain:
    if isinstance(plain, dict):
        return tuple((key, _sorted(value)) for key, value in sorted(plain.items()))
    if isinstance(plain, list):
        return tuple(sorted(map(_sorted, plain)))
    return plain
