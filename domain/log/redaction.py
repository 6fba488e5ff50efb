"""Who may see what of an event: the one place where secrets leave, or do not leave, the log.

An event class declares its secret fields (``domain.serialization.secret``). ``split`` takes an event apart into what
everyone can see and the hidden parts, each with the seats that can see it; both are stored, so an old log keeps the
visibility it was written with. ``seen_by`` picks a viewer's own parts; ``domain.log.record.visible``, the only way out,
adds them to the public part.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from typing import Any, cast, get_args, get_origin

from domain.serialization import Plain, bare, plain_fields, to_plain


@dataclass(frozen=True, slots=True)
class Hidden:
    """One separately revealable part of an event: its value, and the seats that may see it at once."""

    to: tuple[int, ...]
    value: Plain = field(repr=False)


Parts = tuple[dict[str, Plain], dict[str, Hidden]]
"""The public data of an event, and its hidden parts by JSON pointer."""


def split(event: Any) -> Parts:
    """Take an event apart into its public data (the acting ``seat`` left out) and its hidden parts."""
    hidden: dict[str, Hidden] = {}
    data = _splitter(cast("Any", type(event)))(event, "", hidden)
    data.pop("seat", None)
    return data, hidden


_Splitter = Callable[[Any, str, dict[str, Hidden]], Any]


@cache
def _splitter(tp: Any) -> _Splitter:
    tp = bare(tp)
    if is_dataclass(tp):
        return _dataclass_splitter(cast("type", tp))
    if get_origin(tp) is tuple and is_dataclass(bare(get_args(tp)[0])):
        inner = _splitter(get_args(tp)[0])
        return lambda value, pointer, hidden: [
            inner(item, f"{pointer}/{index}", hidden) for index, item in enumerate(value)
        ]
    if tp in _SIMPLE:
        return lambda value, _pointer, _hidden: value
    if get_origin(tp) is tuple and bare(get_args(tp)[0]) in _SIMPLE:
        return lambda value, _pointer, _hidden: list(value)
    return lambda value, _pointer, _hidden: to_plain(value)


_SIMPLE = (str, int, bool, int | None, str | None, bool | None)


def _dataclass_splitter(cls: type) -> _Splitter:
    if all(f.secret_to is None and bare(f.type) in _SIMPLE for f in plain_fields(cls)):
        return _as_written([(f.name, f.key) for f in plain_fields(cls)])
    parts = [(f, _splitter(f.type)) for f in plain_fields(cls)]

    def splitter(value: Any, pointer: str, hidden: dict[str, Hidden]) -> dict[str, Plain]:
        data = {}
        for f, inner in parts:
            item = getattr(value, f.name)
            if item is None and f.omittable:
                continue
            if f.secret_to is None:
                data[f.key] = inner(item, f"{pointer}/{f.key}", hidden)
            else:
                seats = tuple(getattr(value, name) for name in f.secret_to)
                hidden[f"{pointer}/{f.key}"] = Hidden(seats, to_plain(item))
        return data

    return splitter


def _as_written(names: Sequence[tuple[str, str]]) -> _Splitter:
    """Make the splitter of a dataclass that hides nothing and holds nothing but simple values."""
    return lambda value, _pointer, _hidden: {key: getattr(value, name) for name, key in names}


def merged(data: Mapping[str, Plain], values: Mapping[str, Plain]) -> dict[str, Plain]:
    """Put values back at their pointers into a copy of public data."""
    if not values:
        return dict(data)
    whole: dict[str, Plain] = deepcopy(dict(data))
    for pointer, value in values.items():
        *path, key = pointer.split("/")[1:]
        place: Any = whole
        for step in path:
            place = place[int(step)] if isinstance(place, list) else place[step]
        place[key] = value
    return whole


def seen_by(hidden: Mapping[str, Hidden], viewer: int | None, *, everything: bool) -> dict[str, Plain]:
    """Pick the hidden values that a viewer may see: their own, or all of them once the game is over."""
    return {
        pointer: part.value
        for pointer, part in hidden.items()
        if everything or (viewer is not None and viewer in part.to)
    }
