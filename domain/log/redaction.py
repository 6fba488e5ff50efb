"""Who can see which part of an event: the only place that decides which secrets leave the log.

An event class declares its secret fields (``domain.field_types.secret``). ``split`` takes an event apart into the
public data and the hidden parts, each with the seats that can see it. Both are stored, so an old log keeps the
visibility that it was written with. ``seen_by`` selects a viewer's own parts; ``domain.log.record.visible``, the only
way out, adds them to the public data.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias, cast

from domain import field_types as ft
from domain.serialization import Plain, place_of, writer


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of an event that is revealed on its own: its value, and the seats that can see it at once."""

    to: tuple[int, ...]
    value: Plain = field(repr=False)


Parts = tuple[dict[str, Plain], dict[str, Hidden]]
"""The public data of an event, and its hidden parts by JSON pointer."""


def split(event: object) -> Parts:
    """Take an event apart into its public data (the acting ``seat`` left out) and its hidden parts."""
    hidden: dict[str, Hidden] = {}
    data = _event_splitter(cast("type", type(event)))(event, "", hidden)
    data.pop("seat", None)  # the record itself has it
    return data, hidden


def prepare(cls: type) -> None:
    """Prepare ``split`` for a class of events; raise ``TypeError`` if its secrets cannot be hidden."""
    if any(f.key == "bot" and holds_secrets(f.type) for f in ft.fields_of(cls)):
        raise TypeError("a field named bot cannot have secrets: their place is that of what a bot thought")
    _event_splitter(cls)


_Splitter: TypeAlias = Callable[[Plain, str, dict[str, Hidden]], Plain]


@cache
def _event_splitter(cls: type) -> _Splitter:
    return _splitter(ft.Nested(cls))


def _splitter(tp: ft.FieldType) -> _Splitter:
    """Return the function that writes a value without its secrets, and adds those to the hidden parts, by pointer."""
    # Most events have no secrets anywhere, so they are written as fast as any other data.
    if not holds_secrets(tp):
        write = writer(tp)
        return lambda value, _pointer, _hidden: write(value)
    match tp:
        case ft.Nested(cls):
            return _class_splitter(cls)
        case ft.ListOf(item):
            inner = _splitter(item)
            return lambda values, pointer, hidden: [
                inner(value, f"{pointer}/{index}", hidden) for index, value in enumerate(values)
            ]
        case _:
            raise TypeError(f"secrets can be in dataclasses and lists of them, not in {tp}")


def holds_secrets(tp: ft.FieldType) -> bool:
    """Return whether a value of a type has secrets anywhere in it."""
    if isinstance(tp, ft.Scalar | ft.Anything):
        return False
    match tp:
        case ft.OrNone(inner) | ft.ListOf(inner) | ft.MapOf(inner):
            return holds_secrets(inner)
        case ft.Nested(cls):
            return any(f.secret_to is not None or holds_secrets(f.type) for f in ft.fields_of(cls))


def declared(cls: type, data: Mapping[str, Plain]) -> tuple[set[str], set[str]]:
    """Return the pointers of the parts of an event that must be sealed, and of those that are sealed if it has them.

    They follow from the class of the event and from what is public in its data.
    """
    always: set[str] = set()
    perhaps: set[str] = set()
    _declare(ft.Nested(cls), data, "", always, perhaps)
    return always, perhaps


def _declare(tp: ft.FieldType, value: Plain, pointer: str, always: set[str], perhaps: set[str]) -> None:
    if isinstance(tp, ft.ListOf):
        for index, item in enumerate(value):
            _declare(tp.item, item, f"{pointer}/{index}", always, perhaps)
    elif isinstance(tp, ft.Nested):
        for part in ft.fields_of(tp.cls):
            at = f"{pointer}/{part.key}"
            if part.secret_to is not None:
                (perhaps if part.omittable else always).add(at)
            elif holds_secrets(part.type):
                _declare(part.type, value[part.key], at, always, perhaps)


def _class_splitter(cls: type) -> _Splitter:
    parts = [(f, _splitter(f.type), writer(f.type)) for f in ft.fields_of(cls)]

    def splitter(value: object, pointer: str, hidden: dict[str, Hidden]) -> dict[str, Plain]:
        data = {}
        for f, inner, write in parts:
            item = getattr(value, f.name)
            if item is None and f.omittable:
                continue
            if f.secret_to is None:
                data[f.key] = inner(item, f"{pointer}/{f.key}", hidden)
            else:
                seats = tuple(getattr(value, name) for name in f.secret_to)
                hidden[f"{pointer}/{f.key}"] = Hidden(seats, write(item))
        return data

    return splitter


def merged(data: Mapping[str, Plain], values: Mapping[str, Plain]) -> dict[str, Plain]:
    """Put values back at their pointers into a copy of public data."""
    if not values:
        return dict(data)
    # A copy, because records are shared by all viewers: what is put in for one must not show to another.
    whole: dict[str, Plain] = deepcopy(dict(data))
    for pointer, value in values.items():
        place, key = place_of(whole, pointer)
        place[key] = value
    return whole


def seen_by(hidden: Mapping[str, Hidden], viewer: int | None, *, everything: bool) -> dict[str, Plain]:
    """Pick the hidden values that a viewer can see: their own, or all of them once the game is over."""
    return {
        pointer: part.value
        for pointer, part in hidden.items()
        if everything or (viewer is not None and viewer in part.to)
    }
