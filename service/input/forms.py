"""Forms: marshmallow schemas of the domain's dataclasses, strict about types and unknown fields.

The same forms read the requests of players and the answers of bots; nothing here depends on HTTP.
"""

from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple, cast

from marshmallow import Schema, ValidationError
from marshmallow.fields import Field

from domain import field_types as ft
from domain.errors import worded
from domain.ruleset import AnyRuleset
from domain.sentences.message import Message
from domain.serialization import from_plain
from service.common.errors import MOST_FAULTS, WORDS, Fault, Malformed
from service.input import fields
from service.input.fields import LONGEST_FAULT, UNKNOWN, field_fault, one_of, wrong

_MOST_ITEMS, _LONGEST_TEXT = 100, 64

Fields = Mapping[str, Field[Any]]


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
    wrong: Message
    siblings: Fields

    def fault(self) -> Fault:
        return Fault(self.at, "invalid-field", field_fault(self.name, self.wrong))


def _found(messages: Any, form: Any, at: str, siblings: Fields) -> Iterator[_Found]:
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
    """Name the fields that exist in place of an unknown one, similar names first, as far as there is room."""
    if found.wrong != UNKNOWN:
        return found
    if not found.siblings:
        return found._replace(wrong=wrong("no-fields"))
    likeness = {other: SequenceMatcher(None, found.name, other).ratio() for other in found.siblings}
    others = ", ".join(sorted(found.siblings, key=likeness.__getitem__, reverse=True))
    room = LONGEST_FAULT - len(f"{found.name}: {worded(wrong('no-such-field', fields=''), WORDS)}")
    shown = others if len(others) <= room else others[: room - 3].rpartition(",")[0] + ", …"
    return found._replace(wrong=wrong("no-such-field", fields=shown))


def _place(item: tuple[Any, Any]) -> str:
    """Sort known fields first, in their order, then unknown ones, which marshmallow lists in the order of a set."""
    key, messages = item
    return str(key) if messages == [UNKNOWN] else ""


def escaped(key: object) -> str:
    """Write a key as a step of a JSON pointer, cut to a length that fits into a response."""
    return str(key)[:80].replace("~", "~0").replace("/", "~1")


def action_of(ruleset: AnyRuleset, posted: Mapping[str, Any]) -> tuple[Any, str | None]:
    """Read an action in its plain form, and the decision that it names; raise ``Malformed``."""
    name = posted.get("type")
    cls = ruleset.actions.get(name) if isinstance(name, str) else None
    if cls is None:
        said = field_fault("type", wrong("action", actions=one_of(ruleset.actions)))
        raise Malformed([Fault("/type", "unknown-action", said)])
    read = load(_posted(cls), posted)
    return from_plain(cls, read), read.get("decision_id")


@cache
def _posted(cls: Any) -> Schema:
    decision = fields.String(validate=fields.Regexp(r"d[0-9]{1,12}_[0-9]{1,2}\Z", wrong("pattern")))
    return fields.Schema.from_dict(
        _fields(cls) | {"type": fields.String(), "decision_id": decision}, name=cls.__name__
    )()


@cache
def schema_of(cls: Any) -> Schema:
    return fields.Schema.from_dict(_fields(cls), name=cls.__name__)()


def _fields(cls: type) -> dict[str, Field[Any]]:
    return {f.key: _field(f.type, required=f.required) for f in ft.fields_of(cls)}


def _field(tp: ft.FieldType, **kwargs: Any) -> Field[Any]:
    if isinstance(tp, ft.Scalar):
        return _scalar_field(tp, **kwargs)
    match tp:
        case ft.OrNone(inner):
            return _field(inner, allow_none=True, **kwargs)
        case ft.ListOf(item):
            return fields.List(_field(item), validate=fields.Length(max=_MOST_ITEMS), **kwargs)
        case ft.Nested(cls):
            return fields.Nested(schema_of(cls), **kwargs)
        case ft.MapOf() | ft.Anything():
            raise TypeError(f"requests have no form of the type {tp}")


def _scalar_field(tp: ft.Scalar, **kwargs: Any) -> Field[Any]:
    match tp:
        case ft.Text(ft.Pattern(regex, name, fitting)):
            form = fields.Regexp(rf"(?:{regex})\Z", wrong("code", kind=name, codes=fitting or regex))
            return fields.String(validate=form, **kwargs)
        case ft.Text():
            return fields.text_field(_LONGEST_TEXT, **kwargs)
        case ft.Integer(ft.Bounds(low, high)):
            return fields.Whole(validate=fields.Range(low, high), **kwargs)
        case ft.Integer():
            return fields.Whole(**kwargs)
        case ft.Boolean():
            return fields.Truth(**kwargs)
        case ft.OneOf(values):
            return fields.Value(values, **kwargs)
