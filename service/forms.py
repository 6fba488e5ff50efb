"""Forms of what is sent: the schemas of the domain's dataclasses, strict about types and unknown fields.

Players' requests and bots' answers are read by the same forms; nothing here knows of HTTP.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, cast, get_args, get_origin

from marshmallow import Schema, ValidationError, fields, missing, validate

from domain.ruleset import AnyRuleset
from domain.serialization import Bounds, Pattern, bare, from_plain, literals, optional, plain_fields
from service.accounts import names
from service.errors import Fault, Malformed


class Whole(fields.Integer):
    """A JSON integer, nothing that merely looks like one."""

    def _validated(self, value: Any) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class Truth(fields.Boolean):
    """true or false, nothing that merely looks like it."""

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Read a value that is there; marshmallow's own reading would take 1 and "yes" for true."""
        if type(value) is not bool and value is not missing and not (value is None and self.allow_none):
            raise self.make_error("invalid", input=value)
        return super().deserialize(value, *args, **kwargs)


class Listed(fields.Field[Any]):
    """One of the values listed, texts or integers: nothing that merely equals one, as 5.0 and true equal 5 and 1."""

    def __init__(self, values: tuple[Any, ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._values = values

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not any(type(value) is type(listed) and value == listed for listed in self._values):
            raise ValidationError(f"Must be one of: {', '.join(map(str, self._values))}.")
        return value


class Name(fields.String):
    """A name that people read, as ``service.accounts.names`` wants it; read in the form in which it is kept."""

    def __init__(self, description: str, **kwargs: Any) -> None:
        form = f"1 to {names.MOST_CHARACTERS} visible characters as readers count them, blanks only between them."
        described = {"description": f"{description} {form}", "minLength": 1, "maxLength": names.MOST_BYTES}
        super().__init__(metadata=described, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        try:
            return names.fit_name(super()._deserialize(value, *args, **kwargs))
        except names.UnfitText as unfit:
            raise ValidationError(unfit.faults) from unfit


def text_field(longest: int, **kwargs: Any) -> fields.String:
    """Make the field of a text without control characters, of one character or more."""
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
    """Check data against a schema; all faults, those of ``also`` too, are reported with pointers below ``at``."""
    try:
        read = cast("dict[str, Any]", schema.load(data))
        faults = also(data)
    except ValidationError as error:
        raise Malformed([*_faults(error.messages, at), *also(data)]) from error
    if faults:
        raise Malformed(faults)
    return read


def _faults(messages: Any, at: str) -> list[Fault]:
    if isinstance(messages, dict):
        return [
            fault
            for key, inner in messages.items()
            for fault in _faults(inner, at if key == "_schema" else f"{at}/{escaped(key)}")
        ]
    name = at.rsplit("/", 1)[-1]
    return [Fault(at, "invalid-field", f"{name}: {message}"[:300]) for message in messages]


def escaped(key: object) -> str:
    """Write a key as a step of a JSON pointer, cut to a length that may be told."""
    return str(key)[:80].replace("~", "~0").replace("/", "~1")


def action_of(ruleset: AnyRuleset, posted: Mapping[str, Any]) -> tuple[Any, str | None]:
    """Read an action in its plain form as the ruleset's own, and the decision it names; raises ``Malformed``."""
    name = posted.get("type")
    cls = ruleset.actions.get(name) if isinstance(name, str) else None
    if cls is None:
        message = f"type: must be one of {', '.join(ruleset.actions)}"
        raise Malformed([Fault("/type", "unknown-action", message)])
    read = load(_posted(cls), posted)
    return from_plain(cls, read), read.get("decision_id")


@cache
def _posted(cls: Any) -> Schema:
    """Make the schema of an action as it is posted: its own fields, and those that every action carries."""
    decision = fields.String(validate=validate.Regexp(r"d[0-9]{1,12}_[0-9]{1,2}\Z"))
    return Schema.from_dict(_fields(cls) | {"type": fields.String(), "decision_id": decision}, name=cls.__name__)()


@cache
def schema_of(cls: Any) -> Schema:
    """Make the schema of a dataclass of the domain."""
    return Schema.from_dict(_fields(cls), name=cls.__name__)()


def _fields(cls: Any) -> dict[str, fields.Field[Any]]:
    return {f.key: _field(f.type, required=f.required) for f in plain_fields(cls)}


def _field(tp: Any, **kwargs: Any) -> fields.Field[Any]:  # noqa: PLR0911 - one line a kind of type
    inner = optional(tp)
    if inner is not None:
        return _field(inner, **kwargs, allow_none=True)
    values = literals(tp)
    if values is not None:
        texts = all(isinstance(value, str) for value in values)
        return fields.String(validate=validate.OneOf(values), **kwargs) if texts else Listed(values, **kwargs)
    if get_origin(tp) is tuple:
        return fields.List(_field(get_args(tp)[0]), validate=validate.Length(max=100), **kwargs)
    for annotation in get_args(tp)[1:]:
        if isinstance(annotation, Bounds):
            return Whole(validate=validate.Range(annotation.low, annotation.high), **kwargs)
        if isinstance(annotation, Pattern):
            message = f"This is no {annotation.name} code."
            return fields.String(validate=validate.Regexp(rf"(?:{annotation.regex})\Z", error=message), **kwargs)
    if bare(tp) in (bool, str):
        return Truth(**kwargs) if tp is bool else text_field(64, **kwargs)
    return fields.Nested(schema_of(tp), **kwargs)
