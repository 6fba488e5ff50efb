"""Actions close to a given one: each field changed to every other value that its type allows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from domain import field_types as ft
from domain.cardplay.cards import TAROT_PACK
from domain.plute.deck import PACK as PLUTE_PACK
from domain.serialization import to_plain
from tests.domain.laws.facts import facts_of

CODES = dict.fromkeys((*TAROT_PACK, *PLUTE_PACK))
"""The cards of all packs."""


def changed(action: Any) -> Iterator[Any]:
    """List actions that differ from this one in one place."""
    for part in ft.fields_of(type(action)):
        value = getattr(action, part.name)
        left_out = [None] if part.omittable and value is not None else []
        for other in (*left_out, *_others(value, part.type)):
            yield replace(action, **{part.name: other})


def same_meaning(action: Any) -> Any:
    """Return what two actions share when they mean the same: lists in actions are sets, unless they are ordered."""
    name, ordered = type(action).__name__, facts_of(type(action).__module__.split(".")[1]).ORDERED
    return name, tuple(
        (field, str(value) if (name, field) in ordered else _sorted(value))
        for field, value in sorted(to_plain(action).items())
    )


def _others(value: Any, tp: ft.FieldType) -> Iterator[Any]:
    match tp:
        case ft.OrNone(inner):
            yield from _others(value, inner)
        case ft.OneOf(values):
            yield from (other for other in values if other != value)
        case ft.Boolean():
            yield from (other for other in (True, False) if other != value)
        case ft.Integer():
            yield from (other for other in range(-1, 9) if other != value)
        case ft.Text(ft.Pattern(regex)):
            yield from (code for code in CODES if code != value and re.fullmatch(regex, code))
        case ft.ListOf(item):
            yield from _other_tuples(value, item)
        case ft.Nested():
            yield from changed(value)
        case _:
            raise TypeError(f"actions hold no values of the type {tp}")


def _other_tuples(items: Sequence[Any], tp: ft.FieldType) -> Iterator[tuple[Any, ...]]:
    yield ()
    yield tuple(reversed(items))
    for index, item in enumerate(items):
        yield (*items[:index], *items[index + 1 :])
        yield (*items, item)
        for other in _others(item, tp):
            yield (*items[:index], other, *items[index + 1 :])


def _sorted(plain: Any) -> Any:
    if isinstance(plain, dict):
        return tuple((key, _sorted(value)) for key, value in sorted(plain.items()))
    if isinstance(plain, list):
        return tuple(sorted(map(_sorted, plain)))
    return plain
