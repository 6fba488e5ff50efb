"""The form of what a log says apart from the rules of a game: later readers rely on its types."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar, cast

from domain import field_types as ft
from domain.audit.faults import Wrong, value
from domain.serialization import Plain, from_plain, reader
from domain.wellformed import form_of

T = TypeVar("T")


def read(cls: type[T], data: Mapping[str, Plain], version: int, at: str = "/data") -> T:
    """Read an object of which every part is seen; raise ``Wrong`` at the first field without its declared form.

    ``at`` is where the data stands in the event of this version. Parts whose form is declared elsewhere, such as the
    options of a game, are not checked.
    """
    for field, fits in _checks(cast("type", cls)):
        place = "/seat" if field.key == "seat" else f"{at}/{field.key}"
        if field.key in data:
            if not fits(data[field.key]):
                raise Wrong(version, place, _words(field.type), value(data[field.key]))
        elif field.required:
            raise Wrong(version, place, _words(field.type), "nothing")
    return from_plain(cls, data)


@cache
def _checks(cls: type) -> tuple[tuple[ft.Field, Callable[[Plain], bool]], ...]:
    return tuple((field, _check(field.type)) for field in ft.fields_of(cls) if _is_declared(field.type))


def _is_declared(tp: ft.FieldType) -> bool:
    """Return whether a type says which form all parts of its values have."""
    match tp:
        case ft.OrNone(inner) | ft.ListOf(inner):
            return _is_declared(inner)
        case ft.Nested(cls):
            return all(_is_declared(field.type) for field in ft.fields_of(cls))
        case _:
            return not isinstance(tp, ft.MapOf | ft.Anything)


def _check(tp: ft.FieldType) -> Callable[[Plain], bool]:
    convert, fits = reader(tp), form_of(tp)

    def checked(plain: Plain) -> bool:
        try:
            return fits(convert(plain))
        except (LookupError, TypeError, ValueError, AttributeError):
            return False

    return checked


def _words(tp: ft.FieldType) -> str:
    match tp:
        case ft.OrNone(inner):
            return f"{_words(inner)}, or null"
        case ft.ListOf(item):
            return f"a list, of which each is {_words(item)}"
        case ft.OneOf(values):
            return f"one of {', '.join(map(value, values))}"
        case ft.Nested(cls):
            return f"an object with {', '.join(field.key for field in ft.fields_of(cls))}, in their forms"
        case _:
            return _SIMPLE[type(tp)]


_SIMPLE: Mapping[type, str] = {ft.Text: "a text", ft.Integer: "a whole number", ft.Boolean: "true or false"}
