"""The types that a field of an action, event, option or view can have.

``describe`` turns a type hint into one of the records below. Reading, writing, redaction, checks, forms, schemas and
notation each ``match`` over these records, so mypy names every place that must handle a new kind of type.

Fields are declared with type hints. ``Bounds``, ``Pattern``, ``Pick`` and ``Omittable`` annotate a hint; ``doc`` and
``secret`` declare what a hint cannot express. A field whose name is a Python keyword ends in an underscore (``from_``),
which its key in plain data drops.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from dataclasses import Field as Declared
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Annotate a string type with a regular expression for the whole string, a name for it, and what fits, in short."""

    regex: str
    name: str
    fitting: str = ""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Annotate an integer type with its smallest and largest value, both allowed."""

    low: int
    high: int


PickKind: TypeAlias = Literal["card", "square", "space", "piece", "prisoner", "seat", "group"]
"""What a thing in a scene can stand for."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Mark a type whose values can be chosen by clicking the scene element ``kind:value``."""

    kind: PickKind


@dataclass(frozen=True, slots=True)
class Omittable:
    """Annotate the type ``X | None`` of a field that is omitted from plain data if it is None."""


def doc(text: str, **kwargs: Any) -> Any:
    """Declare a dataclass field with a sentence for readers of schemas."""
    return field(metadata={"doc": text}, **kwargs)


def secret(*seat_fields: str, **kwargs: Any) -> Any:
    """Declare a dataclass field that only some seats can see until the game is over.

    ``seat_fields`` names fields of the same dataclass that hold those seats; without any, no seat sees the value. The
    value is left out of the public form and sealed on its own.
    """
    return field(repr=False, metadata={"secret": seat_fields}, **kwargs)


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    pattern: Pattern | None = None
    pick: PickKind | None = None


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer; true and false are not integers."""

    bounds: Bounds | None = None
    pick: PickKind | None = None


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few values, which can be of different types."""

    values: tuple[str | int, ...]
    pick: PickKind | None = None


@dataclass(frozen=True, slots=True)
class ListOf:
    """Any number of values: a tuple in a dataclass, a list in plain data."""

    item: "FieldType"


@dataclass(frozen=True, slots=True)
class MapOf:
    """Values by name."""

    value: "FieldType"


@dataclass(frozen=True, slots=True)
class Nested:
    """A dataclass or a TypedDict; ``fields_of`` lists its fields."""

    cls: type


@dataclass(frozen=True, slots=True)
class OrNone:
    """A value or None."""

    value: "FieldType"


@dataclass(frozen=True, slots=True)
class Anything:
    """Plain data of a form that is declared elsewhere."""


Scalar: TypeAlias = Text | Integer | Boolean | OneOf
"""Types whose values are the same in plain data."""
FieldType: TypeAlias = Scalar | ListOf | MapOf | Nested | OrNone | Anything


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a dataclass or TypedDict; the type of an omittable one is its type without None."""

    name: str
    key: str
    type: FieldType
    required: bool
    omittable: bool = False
    default: object = None
    doc: str = ""
    secret_to: tuple[str, ...] | None = None
    hidden: bool = False
    """Whether no repr shows the field, as none shows a secret."""


def fields_of(cls: type) -> tuple[Field, ...]:
    """List the fields of a dataclass or TypedDict, in order."""
    return _fields_of(cls)


@cache
def _fields_of(cls: type) -> tuple[Field, ...]:
    hints = get_type_hints(cls, include_extras=True)
    if is_typeddict(cls):
        required = cls.__required_keys__  # type: ignore[attr-defined]
        return tuple(Field(key, key, describe(hint), key in required) for key, hint in hints.items())
    return tuple(_field(declared, hints[declared.name]) for declared in fields(cls))


def _field(declared: Declared[object], hint: object) -> Field:
    described, omittable = describe(hint), Omittable() in get_args(hint)
    return Field(
        name=declared.name,
        key=declared.name.rstrip("_"),
        type=described.value if omittable and isinstance(described, OrNone) else described,
        required=declared.default is MISSING and declared.default_factory is MISSING and not omittable,
        omittable=omittable,
        default=None if declared.default is MISSING else declared.default,
        doc=declared.metadata.get("doc", ""),
        secret_to=declared.metadata.get("secret"),
        hidden=not declared.repr,
    )


def describe(hint: object) -> FieldType:
    """Describe a type hint; raise ``TypeError`` for a type that a field cannot have."""
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, type) and (is_dataclass(hint) or is_typeddict(hint)):
        return Nested(hint)
    if get_origin(hint) in _GENERIC:
        return _GENERIC[get_origin(hint)](*get_args(hint))
    raise TypeError(f"a field cannot have the type {hint}")


def _annotated(hint: object, *annotations: object) -> FieldType:
    described = describe(hint)
    for annotation in annotations:
        match annotation, described:
            case Pattern(), Text():
                described = replace(described, pattern=annotation)
            case Bounds(), Integer():
                described = replace(described, bounds=annotation)
            case Pick(kind), Text() | Integer() | OneOf():
                described = replace(described, pick=kind)
            case _:
                pass
    return described


def without_pick(tp: Scalar) -> Scalar:
    """Return a type apart from what its values stand for in a scene."""
    return tp if isinstance(tp, Boolean) or tp.pick is None else replace(tp, pick=None)


def _part(*hints: object) -> FieldType:
    described = {describe(hint) for hint in hints if hint not in (NoneType, Ellipsis)}
    if len(described) != 1:
        raise TypeError(f"a field cannot have values of different types: {hints}")
    return described.pop()


_SIMPLE: Mapping[object, FieldType] = {
    str: Text(),
    int: Integer(),
    bool: Boolean(),
    dict: MapOf(Anything()),
    Any: Anything(),
}
_GENERIC: Mapping[object, Callable[..., FieldType]] = {
    Annotated: _annotated,
    Literal: lambda *values: OneOf(values),
    NotRequired: describe,
    **dict.fromkeys((Union, UnionType), lambda *hints: OrNone(_part(*hints))),
    **dict.fromkeys((tuple, list, Sequence), lambda *hints: ListOf(_part(*hints))),
    **dict.fromkeys((dict, Mapping), lambda _, value: MapOf(describe(value))),
}


def is_closed(tp: FieldType) -> bool:
    """Return whether a type has a short list of values, apart from None."""
    return isinstance(tp.value if isinstance(tp, OrNone) else tp, OneOf | Boolean)
