"""Frozen dataclasses ⇄ plain data, that is what JSON can hold.

Actions, events, options and views are written as dataclasses with plain field types: ``str``, ``int``, ``bool``,
``None``, ``Literal``, ``tuple[X, ...]``, ``Mapping``, other such dataclasses, and ``X | None``. A field whose name is a
Python keyword ends in an underscore (``from_``), which the plain form drops.

A field that not everyone may see is declared with ``secret``; ``domain.log.redaction`` applies the declaration.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Plain = Any
"""A value made of dict, list, str, int, bool and None."""

T = TypeVar("T")


def changed(value: T, /, **changes: Any) -> T:
    """Copy a frozen dataclass without slots, with some fields changed.

    The same as ``dataclasses.replace``, in a tenth of its time for the large states that every event copies.
    """
    copy = object.__new__(type(value))
    copy.__dict__.update(value.__dict__, **changes)
    return copy


@dataclass(frozen=True, slots=True)
class Pattern:
    """Annotation of a string type: the regular expression that the whole string matches, and what to call it."""

    regex: str
    name: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """Annotation of an integer type: the smallest and the largest value, both allowed."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Omittable:
    """Annotation of a field of type ``X | None``: where it is None, plain data leaves it out rather than say null."""


def doc(text: str, **kwargs: Any) -> Any:
    """Declare a dataclass field with a sentence for readers of schemas."""
    return field(metadata={"doc": text}, **kwargs)


def secret(*seat_fields: str) -> Any:
    """Declare a dataclass field that only some seats may see until the game is over.

    ``seat_fields`` names fields of the same dataclass that hold those seats; none means nobody. The value is left
    out of the public form and sealed on its own.
    """
    return field(repr=False, metadata={"secret": seat_fields})


@dataclass(frozen=True, slots=True)
class PlainField:
    """How one dataclass field appears in plain data; an omittable one has the type that it has where it appears."""

    name: str
    key: str
    type: Any
    required: bool
    omittable: bool
    default: Any
    doc: str
    secret_to: tuple[str, ...] | None


@cache
def plain_fields(cls: type) -> tuple[PlainField, ...]:
    """List the fields of a dataclass in order, with their resolved types."""
    hints = get_type_hints(cls, include_extras=True)
    return tuple(_plain_field(f, hints[f.name]) for f in fields(cls))


def _plain_field(f: Field[Any], tp: Any) -> PlainField:
    omittable = Omittable() in get_args(tp)
    return PlainField(
        name=f.name,
        key=f.name.rstrip("_"),
        type=optional(bare(tp)) if omittable else tp,
        required=f.default is MISSING and f.default_factory is MISSING and not omittable,
        omittable=omittable,
        default=None if f.default is MISSING else f.default,
        doc=f.metadata.get("doc", ""),
        secret_to=f.metadata.get("secret"),
    )


def bare(tp: Any) -> Any:
    """Strip ``Annotated`` off a type."""
    return get_args(tp)[0] if get_origin(tp) is Annotated else tp


def optional(tp: Any) -> Any | None:
    """Give X for a type ``X | None``, else None."""
    if get_origin(tp) not in (Union, UnionType):
        return None
    return next(arg for arg in get_args(tp) if arg is not NoneType)


def to_plain(value: Any) -> Plain:
    """Write a dataclass, or anything made of them, as plain data, secrets included."""
    if value is None or isinstance(value, str | int):
        return value
    if is_dataclass(value):
        cls = cast("type", type(value))
        items = ((f, getattr(value, f.name)) for f in plain_fields(cls))
        return {f.key: to_plain(item) for f, item in items if item is not None or not f.omittable}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    return value


def from_plain(cls: type[T], data: Mapping[str, Plain]) -> T:
    """Read a dataclass back from its plain form, which is trusted: nothing is checked."""
    return cast("T", reader(cast("Any", cls))(data))


@cache
def reader(tp: Any) -> Callable[[Any], Any]:
    """Make the function that reads plain data as the given type."""
    tp = bare(tp)
    inner = optional(tp)
    if inner is not None:
        read = reader(inner)
        return lambda data: None if data is None else read(data)
    if is_dataclass(tp):
        return _dataclass_reader(cast("type", tp))
    if get_origin(tp) is tuple:
        read = reader(get_args(tp)[0])
        return tuple if read is _as_is else lambda data: tuple(map(read, data))
    if get_origin(tp) is Mapping and get_args(tp):
        read = reader(get_args(tp)[1])
        return _as_is if read is _as_is else lambda data: {key: read(item) for key, item in data.items()}
    return _as_is


def _dataclass_reader(cls: type) -> Callable[[Any], Any]:
    parts = [(f.name, f.key, reader(f.type)) for f in plain_fields(cls)]
    lacking = {f.name: None for f in plain_fields(cls) if f.omittable}
    if lacking:
        return lambda data: cls(**lacking | {name: read(data[key]) for name, key, read in parts if key in data})
    return lambda data: cls(**{name: read(data[key]) for name, key, read in parts if key in data})


def _as_is(data: Plain) -> Plain:
    return data


def literals(tp: Any) -> tuple[Any, ...] | None:
    """Give the values of a ``Literal`` type, else None."""
    return get_args(tp) if get_origin(tp) is Literal else None
