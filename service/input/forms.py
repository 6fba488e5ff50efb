"""Forms: marshmallow schemas of the domain's dataclasses, strict about types and unknown fields.

The same forms read the requests of players and the answers of bots; nothing here depends on HTTP.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple, cast

from marshmallow import Schema, ValidationError, fields, missing, validate

from domain import field_types as ft
from domain.ruleset import AnyRuleset
from domain.serialization import from_plain
from domain.wellformed import is_among
from service.accounts.names import name_rules as names
from service.common.errors import MOST_FAULTS, Fault, Malformed
from service.input.form_words import field_fault

_MOST_ITEMS, _LONGEST_TEXT = 100, 64
_LONGEST_MESSAGE = 300
_UNKNOWN = Schema().error_messages["unknown"]

Fields = Mapping[str, fields.Field[Any]]


def one_of(values: Iterable[object]) -> str:
    """List the values that are possible, for a sentence that says what something must be."""
    listed = [*map(str, values)]
    return f"one of {', '.join(listed)}" if len(listed) > 1 else listed[0]


def _without_point(value: Any) -> Any:
    """Return the integer for a number such as 7.0, which JSON does not distinguish from 7; else the value itself."""
    return int(value) if type(value) is float and value.is_integer() else value


class Whole(fields.Integer):
    """A JSON integer, with or without a fraction of zero; strings and other numbers are rejected."""

    def _validated(self, value: Any) -> Any:
        whole = _without_point(value)
        if type(whole) is not int:
            raise self.make_error("invalid", input=value)
        return whole


class Truth(fields.Boolean):
    """JSON's true or false; strings and numbers are rejected."""

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Read a value; marshmallow alone would accept 1 and "yes" as true."""
        if type(value) is not bool and value is not missing and not (value is None and self.allow_none):
            raise self.make_error("invalid", input=value)
        return super().deserialize(value, *args, **kwargs)


class Value(fields.Field[Any]):
    """One of a few strings and integers, also written as 7.0; a value that equals one, as true does 1, is not."""

    def __init__(self, values: tuple[Any, ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._fits, self._listed = is_among(values), one_of(map(json.dumps, values))

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        read = _without_point(value)
        if not self._fits(read):
            raise ValidationError(f"Must be {self._listed}.")
        return read


class Name(fields.String):
    """A name that people read, checked and normalized by ``service.accounts.names``."""

    def __init__(self, description: str, **kwargs: Any) -> None:
        form = f"1 to {names.MOST_CHARACTERS} visible characters as readers count them, blanks only between them."
        described = {"description": f"{description} {form}", "minLength": 1, "maxLength": names.MOST_BYTES}
        super().__init__(metadata=described, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        try:
            return self._fit(super()._deserialize(value, *args, **kwargs))
        except names.UnfitText as unfit:
            raise ValidationError(unfit.faults) from unfit

    def _fit(self, text: str) -> str:
        return names.fit_name(text)


class PlayerName(Name):
    """The name under which a player wants to be shown."""

    def _fit(self, text: str) -> str:
        return names.fit_player_name(text)


def text_field(longest: int, **kwargs: Any) -> fields.String:
    """Create the field of a text of at least one character, without control characters."""
    printable = validate.Regexp(r"[^\x00-\x1f\x7f]*\Z", error="Control characters are not allowed.")
    return fields.String(validate=[validate.Length(1, longest), printable, _check_readable], **kwargs)


def _check_readable(text: str) -> None:
    try:
        names.check_readable(text)
    except names.UnfitText as unfit:
        raise ValidationError(unfit.faults) from unfit


def load(
    schema: Schema,
    data: Mapping[str, Any],
    at: str = "",
    also: Callable[[Mapping[str, Any]], list[Fault]] = lambda _: [],
) -> dict[str, Any]:
    """Check data against a schema and return its values.

    Raise ``Malformed`` with all faults, including those that ``also`` finds; pointers begin with ``at``.
    """
    try:
        read = cast("dict[str, Any]", schema.load(data))
        faults = also(data)
    except ValidationError as error:
        raise Malformed([*_faults(error.messages, schema, at), *also(data)]) from error
    if faults:
        raise Malformed(faults)
    return read


def _faults(messages: Any, schema: Schema, at: str) -> list[Fault]:
    """List the faults; only those that the response has room for say what is possible instead."""
    found = [*_found(messages, schema, at, {})]
    shown, rest = found[:MOST_FAULTS], found[MOST_FAULTS:]
    return [_with_known_fields(each).fault() for each in shown] + [each.fault() for each in rest]


class _Found(NamedTuple):
    """A fault: where it is, the name of its field, what is wrong, and the fields of the form that it is in."""

    at: str
    name: str
    text: str
    siblings: Fields

    def fault(self) -> Fault:
        return Fault(self.at, "invalid-field", field_fault(self.name, self.text))


def _found(messages: Any, form: Any, at: str, siblings: Fields) -> Iterator[_Found]:
    """Find each fault below a form."""
    if not isinstance(messages, dict):
        *_, above, name = ("", *at.split("/"))
        name = f"{above}/{name}" if name.isdigit() else name
        for message in messages:
            yield _Found(at, name, message, siblings)
        return
    form = form.schema if isinstance(form, fields.Nested) else form
    own = form.fields if isinstance(form, Schema) else {}
    for key, inner in sorted(messages.items(), key=_place):
        if key == "_schema":
            yield from _found(inner, form, at, siblings)
        else:
            below = form.inner if isinstance(form, fields.List) else own.get(key)
            yield from _found(inner, below, f"{at}/{escaped(key)}", own)


def _with_known_fields(found: _Found) -> _Found:
    """Name the fields that exist in place of an unknown one, those with a similar name first."""
    if found.text != _UNKNOWN:
        return found
    likeness = {other: SequenceMatcher(None, found.name, other).ratio() for other in found.siblings}
    others = ", ".join(sorted(found.siblings, key=likeness.__getitem__, reverse=True))
    text = "no such field; " + (f"the fields here, closest first: {others}" if others else "there can be none here")
    room = _LONGEST_MESSAGE - len(f"{found.name}: ")
    return found._replace(text=text[: room - 3].rpartition(",")[0] + ", …" if len(text) > room else text)


def _place(item: tuple[Any, Any]) -> str:
    """Sort known fields first, in their order, then unknown ones, which marshmallow lists in the order of a set."""
    key, messages = item
    return str(key) if messages == [_UNKNOWN] else ""


def escaped(key: object) -> str:
    """Write a key as a step of a JSON pointer, cut to a length that fits into a response."""
    return str(key)[:80].replace("~", "~0").replace("/", "~1")


def action_of(ruleset: AnyRuleset, posted: Mapping[str, Any]) -> tuple[Any, str | None]:
    """Read an action in its plain form, and the decision that it names; raise ``Malformed``."""
    name = posted.get("type")
    cls = ruleset.actions.get(name) if isinstance(name, str) else None
    if cls is None:
        said = field_fault("type", f"must be {one_of(ruleset.actions)}")
        raise Malformed([Fault("/type", "unknown-action", said)])
    read = load(_posted(cls), posted)
    return from_plain(cls, read), read.get("decision_id")


@cache
def _posted(cls: Any) -> Schema:
    """Create the schema of an action as it is posted: its own fields, and those that every action has."""
    decision = fields.String(validate=validate.Regexp(r"d[0-9]{1,12}_[0-9]{1,2}\Z"))
    return Schema.from_dict(_fields(cls) | {"type": fields.String(), "decision_id": decision}, name=cls.__name__)()


@cache
def schema_of(cls: Any) -> Schema:
    """Create the schema of a dataclass of the domain."""
    return Schema.from_dict(_fields(cls), name=cls.__name__)()


def _fields(cls: type) -> dict[str, fields.Field[Any]]:
    return {f.key: _field(f.type, required=f.required) for f in ft.fields_of(cls)}


def _field(tp: ft.FieldType, **kwargs: Any) -> fields.Field[Any]:
    if isinstance(tp, ft.Scalar):
        return _scalar_field(tp, **kwargs)
    match tp:
        case ft.OrNone(inner):
            return _field(inner, allow_none=True, **kwargs)
        case ft.ListOf(item):
            return fields.List(_field(item), validate=validate.Length(max=_MOST_ITEMS), **kwargs)
        case ft.Nested(cls):
            return fields.Nested(schema_of(cls), **kwargs)
        case ft.MapOf() | ft.Anything():
            raise TypeError(f"requests have no form of the type {tp}")


def _scalar_field(tp: ft.Scalar, **kwargs: Any) -> fields.Field[Any]:
    match tp:
        case ft.Text(ft.Pattern(regex, name, fitting)):
            form = validate.Regexp(
                rf"(?:{regex})\Z", error=f"Not a valid {name} code; the codes are {fitting or regex}."
            )
            return fields.String(validate=form, **kwargs)
        case ft.Text():
            return text_field(_LONGEST_TEXT, **kwargs)
        case ft.Integer(ft.Bounds(low, high)):
            return Whole(validate=validate.Range(low, high), **kwargs)
        case ft.Integer():
            return Whole(**kwargs)
        case ft.Boolean():
            return Truth(**kwargs)
        case ft.OneOf(values):
            return Value(values, **kwargs)
