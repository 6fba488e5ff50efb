"""JSON Schemas (2020-12) of the project's Python types: events, actions, options, views, responses."""

from collections.abc import Mapping
from typing import Any

from domain import field_types as ft
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from service.games.legal_schema import DECISION_ID, Schema


class Schemas:
    """Collects the schemas of named types; each is written once, and others refer to it."""

    def __init__(self, refer: str) -> None:
        self.named: dict[str, Schema] = {}
        self._refer = refer

    def of(self, hint: Any) -> Schema:
        """Return the schema of a type hint; a dataclass or TypedDict is collected and referred to."""
        return self._schema(ft.describe(hint))

    def _schema(self, tp: ft.FieldType) -> Schema:
        if isinstance(tp, ft.Scalar):
            return _scalar(tp)
        match tp:
            case ft.OrNone(inner):
                return _or_null(self._schema(inner))
            case ft.ListOf(item):
                return {"type": "array", "items": self._schema(item)}
            case ft.MapOf(inner):
                values = self._schema(inner)
                return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
            case ft.Nested(cls):
                return self._reference(cls)
            case ft.Anything():
                return {}

    def _reference(self, cls: type) -> Schema:
        name = _name(cls)
        if name not in self.named:
            self.named[name] = {}
            self.named[name] = self.whole(cls)
        return {"$ref": f"{self._refer}{name}"}

    def whole(self, cls: type) -> Schema:
        """Return the full schema of a dataclass or TypedDict."""
        return {
            "type": "object",
            "description": (cls.__doc__ or "").split("\n\n")[0].strip(),
            "properties": {field.key: self._property(field) for field in ft.fields_of(cls)},
            "required": [field.key for field in ft.fields_of(cls) if field.required and field.secret_to is None],
            "additionalProperties": False,
        }

    def _property(self, field: ft.Field) -> Schema:
        schema = self._schema(field.type)
        if field.doc:
            schema = {"allOf": [schema]} if "$ref" in schema else schema
            schema = schema | {"description": field.doc}
        return schema if field.required or field.default is None else schema | {"default": field.default}


_PREFIXES = {
    f"{ruleset.package}.": ruleset.id.replace("-", " ").title().replace(" ", "") for ruleset in RULESETS.values()
}


def _name(cls: Any) -> str:
    """Return a readable name for a type; a ruleset's types carry the ruleset's name."""
    module = f"{cls.__module__}."
    return next((name for package, name in _PREFIXES.items() if module.startswith(package)), "") + str(cls.__name__)


def _scalar(tp: ft.Scalar) -> Schema:
    match tp:
        case ft.Text(pattern):
            return {"type": "string"} | ({"pattern": f"^(?:{pattern.regex})$"} if pattern else {})
        case ft.Integer(bounds):
            return {"type": "integer"} | ({"minimum": bounds.low, "maximum": bounds.high} if bounds else {})
        case ft.Boolean():
            return {"type": "boolean"}
        case ft.OneOf((True,)):
            return {"const": True}
        case ft.OneOf(values):
            return {"enum": list(values)}


def _or_null(schema: Schema) -> Schema:
    if "type" in schema:
        return schema | {"type": [schema["type"], "null"]}
    return {"enum": [*schema["enum"], None]} if set(schema) == {"enum"} else {"oneOf": [schema, {"type": "null"}]}


def standalone(cls: Any) -> Schema:
    """Return the schema of a type, with the types that it refers to in ``$defs``."""
    schemas = Schemas("#/$defs/")
    schema = schemas.whole(cls)
    return schema | {"$defs": schemas.named} if schemas.named else schema


def event_schemas(events: Mapping[str, type]) -> Schema:
    """Return ``$defs`` with the data of each event type; secrets are optional, as not all viewers see them."""
    schemas = Schemas("#/$defs/")
    data = {name: _without_seat(schemas.whole(cls)) for name, cls in events.items()}
    return {"$defs": schemas.named | data}


def _without_seat(schema: Schema) -> Schema:
    """Remove the acting seat, which an event holds beside its data."""
    properties = {name: field for name, field in schema["properties"].items() if name != "seat"}
    return schema | {"properties": properties, "required": [n for n in schema["required"] if n != "seat"]}


def action_schemas(ruleset: AnyRuleset) -> dict[str, Schema]:
    """Return a self-contained schema of each action of a ruleset as clients post it, by type."""
    return {name: as_posted(standalone(cls), name) for name, cls in ruleset.actions.items()}


def posted_schema(ruleset: AnyRuleset) -> Schema:
    """Return one schema of all actions of a ruleset as clients post them."""
    schemas = Schemas("#/$defs/")
    posted = [as_posted(schemas.whole(cls), name) for name, cls in ruleset.actions.items()]
    return {"oneOf": posted, "$defs": schemas.named}


def as_posted(schema: Schema, name: str) -> Schema:
    """Add to an action's own fields those that every posted action has."""
    properties = {"type": {"const": name}, **schema["properties"], "decision_id": DECISION_ID}
    return schema | {"properties": properties, "required": ["type", *schema["required"]]}
