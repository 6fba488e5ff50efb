"""JSON Schemas (2020-12) of the project's Python types: events, actions, options, views, responses."""

from collections.abc import Mapping
from typing import Any

from domain import field_types as ft
from domain.ruleset import AnyRuleset
from service.api.type_names import EXTENSIBLE, TypeNames
from service.games.projections.legal_schema import DECISION_ID, PICK, Schema

NONE: Mapping[str, Schema] = {}
_TIMES = (
    *("at", "created_at", "disabled_at", "expires_at", "next_attempt_at", "deadline", "from", "until"),
    *("old_secret_until", "opens", "closes", "starts", "entries_close", "resumes"),
)
"""The fields of the service's own types that hold a time."""
_DAYS = ("date", "seen")


class Schemas:
    """Collects the schemas of named types; each is written once, and others refer to it.

    With ``names_values``, lists of values and patterns are named types as well.
    """

    def __init__(self, refer: str, *, names_values: bool = False) -> None:
        self.named: dict[str, Schema] = {}
        self._refer = refer
        self._names = TypeNames()
        self._names_values = names_values
        self._of_classes: dict[type, str] = {}

    def of(self, hint: Any) -> Schema:
        """Return the schema of a type hint; a dataclass or TypedDict is collected and referred to."""
        return self._schema(ft.describe(hint), object, "", closed=False)

    def to(self, name: str) -> Schema:
        return {"$ref": f"{self._refer}{name}"}

    def add(self, name: str, schema: Schema) -> Schema:
        """Name a schema, and return a reference to it; raise ``ValueError`` if another one has the name."""
        if _shape(self.named.setdefault(name, schema)) != _shape(schema):
            raise ValueError(f"two different types have the name {name}")
        return self.to(name)

    def add_union(self, name: str, description: str, key: str, members: Mapping[str, str]) -> Schema:
        """Name a union of named schemas, distinguished by the values of a property; return a reference to it."""
        union = {
            "description": description,
            "oneOf": [self.to(member) for member in members.values()],
            "discriminator": {
                "propertyName": key,
                "mapping": {value: self.to(member)["$ref"] for value, member in members.items()},
            },
        }
        return self.add(name, union)

    def reserve(self, cls: type, name: str) -> None:
        """Refer to a class by a name whose schema is added elsewhere."""
        self._of_classes[cls] = name

    def whole(
        self, cls: type, *, closed: bool = False, defaults: bool = False, given: Mapping[str, Schema] = NONE
    ) -> Schema:
        """Return the full schema of a dataclass or TypedDict.

        A closed one, and the records in it, allow no other properties. ``given`` has the schemas of fields whose Python
        type says less about them.
        """
        found = ft.fields_of(cls)
        schema = {
            "type": "object",
            "description": documented(cls),
            "properties": {each.key: self._property(cls, each, given, closed, defaults) for each in found},
            "required": [each.key for each in found if each.required and each.secret_to is None],
        }
        return schema | {"additionalProperties": False} if closed else schema

    def _property(
        self, cls: type, field: ft.Field, given: Mapping[str, Schema], closed: bool, defaults: bool
    ) -> Schema:
        if field.key in given:
            schema = given[field.key]
            schema = _or_null(schema) if isinstance(field.type, ft.OrNone) else schema
        else:
            schema = self._schema(field.type, cls, field.key, closed=closed)
        if field.doc:
            schema = schema | {"description": field.doc}
        return schema | {"default": field.default} if defaults and field.default is not None else schema

    def _schema(self, tp: ft.FieldType, cls: type, key: str, *, closed: bool) -> Schema:
        if isinstance(tp, ft.Scalar):
            return self._scalar(ft.without_pick(tp), cls, key) | (_pick(tp) if closed else {})
        match tp:
            case ft.OrNone(inner):
                return _or_null(self._schema(inner, cls, key, closed=closed))
            case ft.ListOf(item):
                return {"type": "array", "items": self._schema(item, cls, key, closed=closed)}
            case ft.MapOf(inner):
                values = self._schema(inner, cls, key, closed=closed)
                return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
            case ft.Nested(nested):
                return self._reference(nested, closed=closed)
            case ft.Anything():
                return {}

    def _scalar(self, tp: ft.Scalar, cls: type, key: str) -> Schema:
        if key in _TIMES and tp == ft.Text() and not self._names.is_of_a_ruleset(cls):
            return {"type": "string", "format": "date-time"}
        if key in _DAYS and tp == ft.Text():
            return {"type": "string", "format": "date"}
        name = self._names.of_values(tp, cls, key) if self._names_values else None
        if isinstance(tp, ft.OneOf) and name in EXTENSIBLE:
            return self.add(name, _extensible(tp.values))
        return self.add(name, _scalar(tp)) if name else _scalar(tp)

    def _reference(self, cls: type, *, closed: bool) -> Schema:
        """Refer to a class; it is closed if a closed one referred to it first."""
        if cls not in self._of_classes:
            name = self._of_classes[cls] = self._names.of_class(cls)
            known = self.named.pop(name, None)
            self.named[name] = {}
            self.named[name] = self.whole(cls, closed=closed)
            if known is not None:
                self.add(name, known)
        return self.to(self._of_classes[cls])


def documented(cls: type) -> str:
    return " ".join((cls.__doc__ or "").split("\n\n")[0].split())


def _pick(tp: ft.Scalar) -> Schema:
    return {} if isinstance(tp, ft.Boolean) or tp.pick is None else {PICK: tp.pick}


def _shape(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "description"}


def _scalar(tp: ft.Scalar) -> Schema:
    match tp:
        case ft.Text(pattern):
            return {"type": "string"} | ({"pattern": f"^(?:{pattern.regex})$"} if pattern else {})
        case ft.Integer(bounds):
            return {"type": "integer"} | ({"minimum": bounds.low, "maximum": bounds.high} if bounds else {})
        case ft.Boolean():
            return {"type": "boolean"}
        case ft.OneOf(values):
            return enumeration(values)


def enumeration(values: tuple[str | int, ...]) -> Schema:
    types = list(dict.fromkeys(_JSON_TYPES[type(value)] for value in values))
    named = {"type": types[0] if len(types) == 1 else types}
    return named | ({"const": values[0]} if len(values) == 1 else {"enum": list(values)})


def _extensible(values: tuple[str | int, ...]) -> Schema:
    """Return the schema of a text, which generators do not restrict to the values of this version."""
    listed = ", ".join(f"`{value}`" for value in values)
    return {
        "type": "string",
        "description": f"One of {listed}; a later version can add others.",
        "x-extensible-enum": list(values),
    }


_JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}


def _or_null(schema: Schema) -> Schema:
    if "type" not in schema or "const" in schema:
        return {"oneOf": [schema, {"type": "null"}]}
    more = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return schema | {"type": [schema["type"], "null"]} | more


def standalone(cls: Any, *, closed: bool = False) -> Schema:
    """Return the schema of a type, with the types that it refers to in ``$defs``; a closed one has its defaults."""
    schemas = Schemas("#/$defs/")
    schema = schemas.whole(cls, closed=closed, defaults=closed)
    return schema | {"$defs": schemas.named} if schemas.named else schema


def event_schemas(events: Mapping[str, type]) -> Schema:
    """Return ``$defs`` with the data of each event type; secrets are optional, as not all viewers see them."""
    schemas = Schemas("#/$defs/")
    data = {name: without_seat(schemas.whole(cls)) for name, cls in events.items()}
    return {"$defs": schemas.named | data}


def without_seat(schema: Schema) -> Schema:
    """Remove the acting seat, which an event holds beside its data."""
    properties = {name: field for name, field in schema["properties"].items() if name != "seat"}
    return schema | {"properties": properties, "required": [n for n in schema["required"] if n != "seat"]}


def action_schemas(ruleset: AnyRuleset) -> dict[str, Schema]:
    return {name: as_posted(standalone(cls, closed=True), name) for name, cls in ruleset.actions.items()}


def posted_schema(ruleset: AnyRuleset) -> Schema:
    schemas = Schemas("#/$defs/")
    posted = [as_posted(schemas.whole(cls, closed=True), name) for name, cls in ruleset.actions.items()]
    return {"oneOf": posted, "$defs": schemas.named}


def as_posted(schema: Schema, name: str) -> Schema:
    """Add to an action's own fields those that every posted action has."""
    properties = {"type": {"type": "string", "const": name}, **schema["properties"], "decision_id": DECISION_ID}
    return schema | {"properties": properties, "required": ["type", *schema["required"]]}
