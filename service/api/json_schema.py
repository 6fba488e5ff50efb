"""JSON Schemas (2020-12) of the shapes that the project writes as Python types: events, actions, options, views."""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType
from typing import Annotated, Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import Bounds, Pattern, bare, literals, optional, plain_fields
from service.games.legal_schema import DECISION_ID, Schema

_SIMPLE = {str: "string", int: "integer", bool: "boolean", NoneType: "null", dict: "object"}


class Schemas:
    """Collects the schemas of named types, so that each is written once and referred to."""

    def __init__(self, refer: str) -> None:
        self.named: dict[str, Schema] = {}
        self._refer = refer

    def of(self, tp: Any) -> Schema:
        """Give the schema of a type; a dataclass or TypedDict is collected, and referred to."""
        if is_dataclass(bare(tp)) or is_typeddict(bare(tp)):
            name = _name(bare(tp))
            if name not in self.named:
                self.named[name] = {}
                self.named[name] = self.whole(bare(tp))
            return {"$ref": f"{self._refer}{name}"}
        if get_origin(tp) is Annotated:
            return self.of(bare(tp)) | _annotated(get_args(tp)[1:])
        inner = optional(tp)
        if inner is not None:
            return _or_null(self.of(inner))
        if literals(tp) is not None:
            return {"enum": list(get_args(tp))} if get_args(tp) != (True,) else {"const": True}
        return self._container(tp)

    def whole(self, cls: Any) -> Schema:
        """Write out the schema of a dataclass or TypedDict."""
        properties, required = self._typed_dict(cls) if is_typeddict(cls) else self._dataclass(cls)
        return {
            "type": "object",
            "description": (cls.__doc__ or "").split("\n\n")[0].strip(),
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def _typed_dict(self, cls: Any) -> tuple[Schema, list[str]]:
        hints = get_type_hints(cls, include_extras=True)
        bare_hints = {n: get_args(tp)[0] if get_origin(tp) is NotRequired else tp for n, tp in hints.items()}
        return {n: self.of(tp) for n, tp in bare_hints.items()}, sorted(cls.__required_keys__)

    def _dataclass(self, cls: Any) -> tuple[Schema, list[str]]:
        properties, required = {}, []
        for f in plain_fields(cls):
            properties[f.key] = self.of(f.type)
            if f.doc:
                properties[f.key] = _described(properties[f.key], f.doc)
            if not f.required and f.default is not None:
                properties[f.key] = properties[f.key] | {"default": f.default}
            if f.required and f.secret_to is None:
                required.append(f.key)
        return properties, required

    def _container(self, tp: Any) -> Schema:
        origin = get_origin(tp) or tp
        if origin in (list, tuple, Sequence):
            return {"type": "array", "items": self.of(get_args(tp)[0])}
        if origin in (dict, Mapping) and get_args(tp) and get_args(tp)[1] is not Any:
            return {"type": "object", "additionalProperties": self.of(get_args(tp)[1])}
        if origin is Mapping:
            return {"type": "object"}
        return {} if tp is Any else {"type": _SIMPLE[origin]}


_PREFIXES = {
    f"{ruleset.package}.": ruleset.id.replace("-", " ").title().replace(" ", "") for ruleset in RULESETS.values()
}


def _name(cls: Any) -> str:
    """Name a type for readers; a ruleset's types carry the ruleset's name."""
    module = f"{cls.__module__}."
    return next((name for package, name in _PREFIXES.items() if module.startswith(package)), "") + str(cls.__name__)


def _annotated(annotations: Sequence[Any]) -> Schema:
    extra: Schema = {}
    for annotation in annotations:
        if isinstance(annotation, Pattern):
            extra["pattern"] = f"^(?:{annotation.regex})$"
        elif isinstance(annotation, Bounds):
            extra |= {"minimum": annotation.low, "maximum": annotation.high}
    return extra


def _or_null(schema: Schema) -> Schema:
    if "type" in schema:
        return schema | {"type": [schema["type"], "null"]}
    return {"enum": [*schema["enum"], None]} if set(schema) == {"enum"} else {"oneOf": [schema, {"type": "null"}]}


def _described(schema: Schema, text: str) -> Schema:
    return {"allOf": [schema], "description": text} if "$ref" in schema else schema | {"description": text}


def standalone(cls: Any) -> Schema:
    """Give the schema of a type with the types it refers to in ``$defs``."""
    schemas = Schemas("#/$defs/")
    schema = schemas.whole(cls)
    return schema | {"$defs": schemas.named} if schemas.named else schema


def event_schemas(events: Mapping[str, type]) -> Schema:
    """Give ``$defs`` with the data of each type of event: what a viewer may not see is absent, hence not required."""
    schemas = Schemas("#/$defs/")
    data = {name: _without_seat(schemas.whole(cls)) for name, cls in events.items()}
    return {"$defs": schemas.named | data}


def _without_seat(schema: Schema) -> Schema:
    """Leave out who acted, which stands beside the data."""
    properties = {name: field for name, field in schema["properties"].items() if name != "seat"}
    return schema | {"properties": properties, "required": [n for n in schema["required"] if n != "seat"]}


def action_schemas(ruleset: AnyRuleset) -> dict[str, Schema]:
    """Give the schema of each action of a ruleset as a client posts it, by type, each standing alone."""
    return {name: as_posted(standalone(cls), name) for name, cls in ruleset.actions.items()}


def posted_schema(ruleset: AnyRuleset) -> Schema:
    """Give one schema of all actions of a ruleset as a client posts them."""
    schemas = Schemas("#/$defs/")
    posted = [as_posted(schemas.whole(cls), name) for name, cls in ruleset.actions.items()]
    return {"oneOf": posted, "$defs": schemas.named}


def as_posted(schema: Schema, name: str) -> Schema:
    """Add to an action's own fields those that every posted action has."""
    properties = {"type": {"const": name}, **schema["properties"], "decision_id": DECISION_ID}
    return schema | {"properties": properties, "required": ["type", *schema["required"]]}
