"""Hostile values, and actions with one of them somewhere: of the wrong type, or of the right type but not legal."""

import random
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from typing import Any

from domain import field_types as ft


class Odd:
    """A value of an unknown type, which cannot be hashed."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 24, 10**18, -(10**18), 10**5000, 1.0, 0.5, float("nan"), 1j,
    "", " ", "z9", "a1", "RH", "T99", "EX", "X1", "pass", "a1\n", "\u202e", "\ud800", "x" * 100_000, b"RH",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    *SCALARS, (), [], {}, set(), frozenset(), ("RH", "RH"), ("z9",), [["a1"]], ("RH",) * 1000, (None,), ((),),
    {"type": "pass"}, object(), object, Odd(), range(3), lambda: None,
)  # fmt: skip
"""Values that are rarely legal anywhere; 1.0 and true equal 1, but must not be accepted as 1."""

SEATS: tuple[Any, ...] = (None, True, False, -1, -2, 99, 10**5000, 0.0, 1.0, "0", (), [0], {}, Odd())
"""Values that are not a seat of any table."""


def spoiled(action: Any) -> Iterator[object]:
    """List copies of an action, each with one value replaced, at any depth."""
    for part in ft.fields_of(type(action)):
        value = getattr(action, part.name)
        for other in _spoiled(value):
            yield replace(action, **{part.name: other})


def _spoiled(value: object) -> Iterator[object]:
    yield from VALUES
    if is_dataclass(value):
        yield from spoiled(value)
    if isinstance(value, tuple):
        yield list(value)
        yield (*value, *value)
        for index, item in enumerate(value):
            for other in _spoiled(item):
                yield (*value[:index], other, *value[index + 1 :])


def made_up(cls: type, rng: random.Random) -> object:
    """Make an action of a class from hostile values, mostly of the declared types."""
    return cls(**{part.name: _made_up(part.type, rng) for part in ft.fields_of(cls)})


def _made_up(tp: ft.FieldType, rng: random.Random) -> object:
    tp = tp.value if isinstance(tp, ft.OrNone) else tp
    if rng.random() < 0.1:
        return rng.choice(VALUES)
    match tp:
        case ft.OneOf(values):
            return rng.choice(values)
        case ft.ListOf(item):
            return tuple(_made_up(item, rng) for _ in range(rng.choice((0, 1, 2, 3, 6, 200))))
        case ft.Nested(cls):
            return made_up(cls, rng)
        case _:
            simple = {ft.Text: str, ft.Integer: int, ft.Boolean: bool}[type(tp)]
            return rng.choice([value for value in SCALARS if type(value) is simple])
